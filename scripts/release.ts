import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { datedChangelog, nextVersion } from './release/version.ts';

/**
 * Makes a release of a clean and green main branch: raises the version, dates the changelog, commits and tags. It
 * publishes nothing: the workflow does that when the tag is pushed.
 */
const [level = ''] = process.argv.slice(2);

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8' }).trim();
const show = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args, { stdio: 'inherit' });
};

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  repository?: unknown;
};
const next = nextVersion(version, level);
if (next === undefined) fail('Usage: npm run release -- patch|minor|major|current');
if (repository === undefined)
  fail('package.json has no "repository": without it, links in the README do not work on the package page.');
const tag = `v${next}`;

if (run('git', 'rev-parse', '--abbrev-ref', 'HEAD') !== 'main') fail('Releases are made of the branch main.');
if (run('git', 'status', '--porcelain') !== '') fail('The work tree has changes: commit or remove them.');
if (run('git', 'tag', '--list', tag) !== '') fail(`There is a tag ${tag} already.`);
show('git', 'fetch', '--quiet', 'origin', 'main');
if (run('git', 'rev-parse', 'HEAD') !== run('git', 'rev-parse', 'FETCH_HEAD'))
  fail('main is not what origin has: pull or push first.');

const changelog = datedChangelog(readFileSync('CHANGELOG.md', 'utf8'), next, new Date());
if (changelog === undefined) fail(`CHANGELOG.md has no section "Unreleased" or "${next}" without a date.`);

show('npm', 'ci');
show('npm', 'run', 'check');
if (next !== version) show('npm', 'version', '--no-git-tag-version', next);
writeFileSync('CHANGELOG.md', changelog);
show('git', 'commit', '--quiet', '--all', '--message', `chore: release ${next}`);
show('git', 'tag', '--annotate', tag, '--message', tag);
process.stdout.write(`\n${tag} is made. To publish it:\n  git push --atomic origin main ${tag}\n`);
