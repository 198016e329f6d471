import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** The files that the build reads besides src and the packages, which the lock file lists. */
const OTHERS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build.ts',
  'scripts/build/review-page.ts',
  'scripts/types.ts',
];
/**
 * Identifies the sources of the program in dist. Any other build removes this file, like everything else that it did
 * not create.
 */
const BUILT_FROM = join(ROOT, 'dist/.built-from');

/** Builds dist if it is outdated: tests that start the program as a process use it. */
export function buildProgram(): void {
  const inputs = fingerprintOfInputs();
  if (existsSync(BUILT_FROM) && readFileSync(BUILT_FROM, 'utf8') === inputs) return;
  rmSync(BUILT_FROM, { force: true });
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(BUILT_FROM, inputs);
}

function fingerprintOfInputs(): string {
  const hash = createHash('sha256').update(process.version);
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of [...sources, ...OTHERS.map((name) => join(ROOT, name))])
    hash.update(`\0${path}\0`).update(readFileSync(path));
  return hash.digest('hex');
}
