import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Runs `check.py` of a directory with trees of projects, and ends with 1 when one is not read as it should be. Findings of
 * lint are printed only: new rules find faults that the trees' expectations do not list yet.
 */
const [directory, ...names] = process.argv.slice(2);
if (directory === undefined) {
  process.stderr.write('usage: npm run projects -- DIR [NAME...]\n');
  process.exit(2);
}
const copy = mkdtempSync(join(tmpdir(), 'dragoman-projects-'));
try {
  // The trees may be read-only, and copies of them would be, too.
  cpSync(directory, copy, { recursive: true });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  const program = `node ${resolve('bin/dragoman.js')}`;
  const { stdout, status } = spawnSync('python3', [join(copy, 'check.py'), '--program', program, ...names], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(stdout);
  const [, of = '', counts = ''] = /^(\d+) projects: (.+)$/m.exec(stdout) ?? [];
  const short = counts.split(', ').filter((column) => !column.endsWith(` ${of}`));
  const failed = short.filter((column) => !column.startsWith('lint '));
  if (counts === '' || failed.length > 0) process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = counts === '' ? (status ?? 1) || 1 : failed.length > 0 ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
