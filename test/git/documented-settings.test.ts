import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { settingText, unpackedArchive } from './hostile-checkouts.ts';

const PATH = process.env['PATH'] ?? '';

/** Every setting that the installed git documents, with a name in place of `<driver>` and `*`. */
const SETTINGS = execFileSync('git', ['help', '-c'], { encoding: 'utf8' })
  .split('\n')
  .filter((line) => /^\w+\./.test(line))
  .map((line) => line.replaceAll(/<[^>]*>|\*/g, 'x'));

it('none of the settings in git’s documentation runs a program in the checkout', async () => {
  expect(SETTINGS.length).toBeGreaterThan(500);
  const checkout = unpackedArchive(temporaryDirectory());
  const ran: string[] = [];
  const ended = new Set<string>();
  for (const key of SETTINGS) {
    checkout.configure(settingText(key, checkout.canary));
    const argv = ['check', '--changed-since', 'main'];
    const { exitCode, stderr } = await dragoman(argv, { cwd: checkout.directory, env: { PATH } });
    if (checkout.hasRun()) ran.push(key);
    // If a setting must be a number, git refuses the path before it does anything else.
    const isRefused = exitCode === 2 && stderr.includes('git refuses the repository');
    ended.add(isRefused ? 'refused' : `${exitCode} ${stderr.includes('checking 1 of 1')}`);
  }
  expect(ran).toEqual([]);
  expect([...ended].sort()).toEqual(['8 true', 'refused']);
});
