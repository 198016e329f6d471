import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { GitFailure } from '../src/git/program.ts';
import { openRepository, type Repository } from '../src/git/repository.ts';
import { datedChangelog, nextVersion } from './release/version.ts';

/**
 * Releases a clean and tested main branch: raises the version, dates the changelog, commits and tags. It
 * publishes nothing: pushing the tag starts the workflow that does.
 */
const [level = ''] = process.argv.slice(2);

/** Why there is no release. */
class Refusal extends Error {}

function fail(message: string): never {
  throw new Refusal(message);
}

function npm(...args: readonly string[]): void {
  execFileSync('npm', args, { stdio: 'inherit' });
}

async function release(git: (...args: readonly string[]) => Promise<string>): Promise<string> {
  const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    version: string;
    repository?: unknown;
  };
  const next = nextVersion(version, level);
  if (next === undefined) fail('Usage: npm run release -- patch|minor|major|current');
  if (repository === undefined)
    fail(
      'package.json has no "repository": without it, links in the README do not work on the package page.',
    );
  const tag = `v${next}`;

  if ((await git('rev-parse', '--abbrev-ref', 'HEAD')) !== 'main')
    fail('Releases are made from the branch main.');
  if ((await git('status', '--porcelain')) !== '') fail('The work tree has changes: commit or remove them.');
  if ((await git('tag', '--list', tag)) !== '') fail(`The tag ${tag} already exists.`);
  await git('fetch', '--quiet', 'origin', 'main');
  if ((await git('rev-parse', 'HEAD')) !== (await git('rev-parse', 'FETCH_HEAD')))
    fail('main differs from origin: pull or push first.');

  const changelog = datedChangelog(readFileSync('CHANGELOG.md', 'utf8'), next, new Date());
  if (changelog === undefined) fail(`CHANGELOG.md has no section "Unreleased" or "${next}" without a date.`);

  npm('ci');
  npm('run', 'check');
  if (next !== version) npm('version', '--no-git-tag-version', next);
  writeFileSync('CHANGELOG.md', changelog);
  await git('commit', '--quiet', '--all', '--message', `chore: release ${next}`);
  await git('tag', '--annotate', tag, '--message', tag);
  return `\n${tag} is made. To publish it:\n  git push --atomic origin main ${tag}\n`;
}

/** The clone, in which git runs without its settings and hooks: see SECURITY.md. */
let clone: Repository | undefined;
try {
  clone = await openRepository(realpathSync('.'), {
    env: process.env,
    signal: new AbortController().signal,
  });
  const { git } = clone;
  process.stdout.write(await release(async (...args) => (await git(args)).trim()));
} catch (error) {
  if (!(error instanceof Refusal) && !(error instanceof GitFailure)) throw error;
  process.stderr.write(`${error.message.trim()}\n`);
  process.exitCode = 1;
} finally {
  await clone?.close();
}
