import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtWorkers } from '../built-workers.ts';

const SRC = join(import.meta.dirname, '../../src');

it('the short tests start every worker from the bundle', () => {
  const scripts = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, code: readFileSync(join(SRC, path), 'utf8') }))
    .filter(({ code }) => code.includes('source-loader'));
  expect(scripts).not.toEqual([]);
  for (const { path, code } of scripts) {
    const built = builtWorkers.transform(code, join(SRC, path));
    expect(built, path).not.toContain('import.meta.url');
    expect(built, path).toContain('/dist/main.js');
  }
});
