import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

const COPIED =
  'action docs examples fixtures package.json schema scripts src test tsconfig.json vitest.config.ts'.split(
    ' ',
  );

it('the files that npm run new creates compile for every kind', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'dragoman-test-'));
  for (const name of COPIED) cpSync(name, join(cwd, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'));
  for (const kind of ['format', 'engine', 'command', 'endpoint', 'framework']) {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/new.ts', kind, 'zork'], {
      cwd,
    });
    expect(stdout).toContain('next: ');
  }
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd }).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  expect(stdout).toBe('');
});
