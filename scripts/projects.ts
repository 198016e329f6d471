import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Runs `check.py` of a directory with project trees, and exits with 1 if one is not read as expected. Two kinds of
 * faults are only printed: findings of lint, because new rules find faults that the expectations do not list yet, and
 * changed pages, because the expectations consider every page complete and ignore missing sections.
 */
const [directory, ...names] = process.argv.slice(2);
if (directory === undefined) {
  process.stderr.write('usage: npm run projects -- DIR [NAME...]\n');
  process.exit(2);
}
const copy = mkdtempSync(join(tmpdir(), 'dragoman-projects-'));
try {
  // The trees may be read-only, and so would their copies.
  cpSync(directory, copy, { recursive: true });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  const program = `node ${resolve('bin/dragoman.js')}`;
  // Debian's own Python, for which its package of PyYAML is installed.
  const { stdout } = spawnSync(
    '/usr/bin/python3',
    [join(copy, 'check.py'), '-v', '--program', program, ...names],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  process.stdout.write(stdout);
  const faults = stdout.split('\n').filter((line) => /^ {4}[\w-]+: /.test(line));
  const failed = faults.filter((line) => !/^ {4}(?:lint: |value-only: changed, .*\.md$)/.test(line));
  process.stderr.write(failed.map((line) => `failed: ${line.trim()}\n`).join(''));
  process.exitCode = /^\d+ projects: /m.test(stdout) && failed.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
