import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../cli/harness.ts';

export const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

export interface Repository {
  readonly path: string;
  readonly origin: string;
  readonly env: Readonly<Record<string, string>>;
  git(...args: readonly string[]): string;
  write(name: string, text: string): void;
}

/** A project with an origin that it pushes to, and an npm that installs this checkout's dragoman. */
export function repository(): Repository {
  const directory = temporaryDirectory();
  const path = join(directory, 'project');
  const origin = join(directory, 'origin.git');
  const bin = join(directory, 'bin');
  const tmp = join(directory, 'tmp');
  for (const made of [path, bin, tmp]) mkdirSync(made);
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh\n[ "$*" = ci ] || exit 64\nmkdir -p node_modules/.bin && ln -sf '${BIN}' node_modules/.bin/dragoman\n`,
  );
  chmodSync(join(bin, 'npm'), 0o755);
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    TMPDIR: tmp,
    CI: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Anna',
    GIT_AUTHOR_EMAIL: 'anna@example.org',
    GIT_COMMITTER_NAME: 'Anna',
    GIT_COMMITTER_EMAIL: 'anna@example.org',
  };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: path, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const write = (name: string, text: string): void => {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  git('init', '--quiet', '--initial-branch=main');
  git('init', '--quiet', '--bare', '--initial-branch=main', origin);
  git('-C', origin, 'config', 'receive.advertisePushOptions', 'true');
  git('remote', 'add', 'origin', origin);
  write('.gitignore', 'node_modules\n');
  write('dragoman.config.yaml', 'source: en\ntargets: [de, fr]\n');
  write('locales/en.json', '{\n  "save": "Save {file}",\n  "open": "Open"\n}\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  return { path, origin, env, git, write };
}

/** Runs a script as the GitHub and GitLab runners do. */
export async function shell(
  script: string,
  { path, env }: Repository,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: path,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, output };
}
