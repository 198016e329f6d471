import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { datedChangelog, nextVersion } from '../../scripts/release/version.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { readDocument, ROOT } from '../docs/document.ts';

it.each([
  ['0.2.9', 'patch', '0.2.10'],
  ['0.2.9', 'minor', '0.3.0'],
  ['0.2.9', 'major', '1.0.0'],
  ['0.2.9', 'current', '0.2.9'],
  ['0.2.9', '', undefined],
  ['0.2.9', 'huge', undefined],
])('the version after %s is computed for %s', (version, level, next) => {
  expect(nextVersion(version, level)).toBe(next);
});

const DAY = new Date('2030-01-02T03:04:05Z');

it('a release dates only its section of the changelog', () => {
  const before = '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0 - 2029-01-01\n';
  const after = '# Changelog\n\n## 0.2.0 - 2030-01-02\n\n- new\n\n## 0.1.0 - 2029-01-01\n';
  expect(datedChangelog(before, '0.2.0', DAY)).toBe(after);
  expect(datedChangelog(before.replace('Unreleased', '0.2.0'), '0.2.0', DAY)).toBe(after);
  expect(datedChangelog(after, '0.2.0', DAY)).toBeUndefined();
});

it('the changelog has a section for the version of the package', () => {
  const heading = new RegExp(`^## (?:Unreleased|${packageJson.version}(?: - \\d{4}-\\d\\d-\\d\\d)?)$`, 'm');
  expect(readDocument('CHANGELOG.md')).toMatch(heading);
});

/** A clone with an origin, and an npm that only raises the version. */
function clone(): { readonly path: string; readonly git: (...args: readonly string[]) => string } {
  const directory = temporaryDirectory();
  const path = join(directory, 'clone');
  const programs = join(directory, 'programs');
  for (const made of [path, programs]) mkdirSync(made);
  writeFileSync(
    join(programs, 'npm'),
    `#!/bin/sh
echo "$*" >> '${join(directory, 'npm.log')}'
if [ "$1" = version ]; then printf '{"version": "%s"}\\n' "$3" > package.json; fi
`,
    { mode: 0o755 },
  );
  env = { PATH: [programs, process.env['PATH']].join(delimiter), HOME: directory };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: path,
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  writeFileSync(join(path, 'package.json'), '{"version": "0.2.0", "repository": "example/clone"}\n');
  writeFileSync(join(path, 'CHANGELOG.md'), '# Changelog\n\n## 0.2.0\n\n- new\n');
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'feat: all');
  execFileSync('git', ['clone', '--quiet', '--bare', path, join(directory, 'origin.git')], { env });
  git('remote', 'add', 'origin', join(directory, 'origin.git'));
  return { path, git };
}

let env: Record<string, string> = {};

const TSX = join(ROOT, 'node_modules/.bin/tsx');

function release(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(TSX, [join(ROOT, 'scripts/release.ts'), ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return `${status} ${stdout}${stderr}`.trim();
}

it('a release runs neither filters nor hooks of the clone', () => {
  const { path, git } = clone();
  const mark = join(path, '../mark');
  const trap = `touch '${mark}'; cat`;
  writeFileSync(join(path, '.gitattributes'), '* filter=x\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'chore: attributes');
  git('push', '--quiet', 'origin', 'main');
  for (const key of ['filter.x.clean', 'filter.x.smudge', 'core.fsmonitor', 'gpg.program', 'core.sshCommand'])
    git('config', key, trap);
  for (const key of ['commit.gpgSign', 'tag.gpgSign']) git('config', key, 'true');
  for (const hook of ['pre-commit', 'post-commit', 'reference-transaction'])
    writeFileSync(join(path, '.git/hooks', hook), `#!/bin/sh\n${trap}\n`, { mode: 0o755 });
  git('status');
  expect(existsSync(mark)).toBe(true);
  rmSync(mark);
  expect(release(path, 'current')).toMatch(/^0 .*git push --atomic origin main v0\.2\.0$/s);
  expect(existsSync(mark)).toBe(false);
});

it('a release tags a clean and checked main, and publishes nothing', () => {
  const { path, git } = clone();
  expect(release(path, 'current')).toMatch(/^0 .*git push --atomic origin main v0\.2\.0$/s);
  expect(git('show', 'v0.2.0:CHANGELOG.md')).toMatch(/^## 0\.2\.0 - \d{4}-\d\d-\d\d$/m);
  expect(git('status', '--porcelain')).toBe('');
  expect(readFileSync(join(path, '../npm.log'), 'utf8').split('\n')).toEqual(['ci', 'run check', '']);
  expect(git('ls-remote', '--tags', 'origin')).toBe('');
  expect(release(path, 'current')).toBe('1 The tag v0.2.0 already exists.');
  expect(release(path, 'patch')).toBe('1 main differs from origin: pull or push first.');
});

it('a release refuses a clone in any other state', () => {
  const { path, git } = clone();
  expect(release(path)).toMatch(/^1 Usage: /);
  writeFileSync(join(path, 'other.txt'), '');
  expect(release(path, 'patch')).toMatch(/^1 The work tree has changes/);
  writeFileSync(join(path, 'package.json'), '{"version": "0.2.0"}\n');
  expect(release(path, 'patch')).toMatch(/^1 package\.json has no "repository": .*README/);
  git('checkout', '--quiet', '-b', 'branch');
  git('checkout', '--quiet', '--', 'package.json');
  expect(release(path, 'patch')).toMatch(/^1 Releases are made from the branch main/);
});
