import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

/** Records its requests, and never answers. */
const SILENT = `require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
  require('node:fs').writeFileSync(__dirname + '/asked', '');
});`;

describe('an interrupted sync', () => {
  it('does not report that everything was up to date', async () => {
    const cwd = projectWith({ 'locales/en.json': '{"a": "One"}', 'silent.cjs': SILENT });
    const controller = new AbortController();
    const engine = ['--engine', 'exec', '--engine-command', `${process.execPath} ${join(cwd, 'silent.cjs')}`];
    const running = dragoman(['sync', '-t', 'de', ...engine], { cwd, signal: controller.signal });
    await vi.waitFor(() => expect(existsSync(join(cwd, 'asked'))).toBe(true), 20_000);
    controller.abort();
    const { stdout, stderr, exitCode } = await running;
    expect({ stdout, exitCode }).toEqual({ stdout: 'de        interrupted\n', exitCode: 130 });
    expect(stderr).toContain('nothing was written\n');
    expect(stderr).not.toContain('everything is up to date');
  });
});
