import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The maximum number of bytes that `npm install dragoman` may write. */
export const MAX_INSTALLED = 32_000_000;

/** Runs a command to its end, and returns its standard output. */
type RunCommand = (command: string, args: readonly string[], cwd: string) => string;

export interface InstalledProgram {
  readonly packed: { readonly filename: string; readonly entryCount: number; readonly bytes: number };
  /** The size of all installed packages, in bytes. */
  readonly bytes: number;
  /** The duration of `npm install` of the packed program; npm's cache makes it shorter. */
  readonly milliseconds: number;
  /** The directory of the packages. */
  readonly modules: string;
}

/** Packs the program and installs the package into an empty directory. */
export function installPacked(directory: string, run: RunCommand = runCommand): InstalledProgram {
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--silent', '--pack-destination', directory], process.cwd()),
  ) as { filename: string; size: number; entryCount: number }[];
  if (!packed) throw new Error('npm pack created no package');
  const { filename, size, entryCount } = packed;
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  const started = performance.now();
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', join(directory, filename)], directory);
  const milliseconds = performance.now() - started;
  const modules = join(directory, 'node_modules');
  const bytes = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(modules, name)))
    .reduce((sum, entry) => (entry.isFile() ? sum + entry.size : sum), 0);
  return { packed: { filename, entryCount, bytes: size }, bytes, milliseconds, modules };
}

function runCommand(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', input: '' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
