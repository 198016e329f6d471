// @ts-check
/**
 * The steps of the action (see action.yml): `check` is the gate of a pull request; `sync` translates and
 * opens or updates one pull request. Programs get their arguments as lists, so no shell interprets names,
 * refs or values.
 */

import { execFile, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Git } from './git.mjs';
import { GitHub } from './github.mjs';
import { reportOf } from './report.mjs';

const run = promisify(execFile);
const { env } = process;
/** @param {string} name */
const input = (name) => (env[`DRAGOMAN_ACTION_${name}`] ?? '').trim();
/** @param {string} name */
const linesOf = (name) =>
  input(name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const TOKEN = input('TOKEN');
const DIRECTORY = resolve(input('DIRECTORY') || '.');
const PATHS = linesOf('PATHS');
/** Projects that exceed these limits are not compared string by string. */
const STATUS_LIMITS = { timeout: 30 * 60_000, maxBuffer: 256 * 1024 * 1024 };

/** The environment of programs, without the token, which none of them needs. */
function ownEnvironment() {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'DRAGOMAN_ACTION_TOKEN'));
}

const repository = new Git({
  directory: DIRECTORY,
  env: ownEnvironment(),
  server: env['GITHUB_SERVER_URL'] ?? 'https://github.com',
  token: TOKEN,
});
/** @param {readonly string[]} args */
const git = (...args) => repository.run(...args);
/** @param {readonly string[]} args */
const gitAllows = (...args) => repository.allows(...args);

/**
 * The command line of dragoman: the requested version, otherwise the project's, otherwise the installed one.
 */
function commandLine() {
  const version = input('VERSION');
  if (version !== '') {
    if (/^\w[\w.-]*$/.test(version)) return ['npx', '--yes', `dragoman@${version}`];
    throw new Error(`${JSON.stringify(version)} is not a version of dragoman`);
  }
  for (let at = DIRECTORY; ; at = dirname(at)) {
    const program = join(at, 'node_modules/.bin/dragoman');
    if (existsSync(program)) return [program];
    if (at === dirname(at)) return ['dragoman'];
  }
}

/** Runs dragoman, whose output appears in this step. @param {readonly string[]} args @param {'inherit' | 'pipe'} stdout */
async function dragoman(args, stdout = 'inherit') {
  const [program = '', ...before] = commandLine();
  const child = spawn(program, [...before, ...args], {
    cwd: DIRECTORY,
    env: ownEnvironment(),
    stdio: ['ignore', stdout, 'inherit'],
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part) => {
    if (text.length < STATUS_LIMITS.maxBuffer) text += part;
  });
  const code = await new Promise((done, fail) => child.on('error', fail).on('close', done));
  return { code: typeof code === 'number' ? code : 1, text };
}

/** All strings of the project in a directory; undefined if they cannot be read. @param {string} cwd */
async function statusIn(cwd) {
  const [program = '', ...before] = commandLine();
  try {
    const args = [...before, 'status', '--json', '--keys', '--', ...PATHS];
    const { stdout } = await run(program, args, { cwd, env: ownEnvironment(), ...STATUS_LIMITS });
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

/**
 * All strings of the project at a commit, read in a separate work tree; undefined if they cannot be read.
 *
 * @param {string} commit
 */
async function statusAt(commit) {
  const directory = mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'dragoman-base-'));
  const tree = join(directory, 'tree');
  try {
    await git('worktree', 'add', '--quiet', '--detach', tree, commit);
    return await statusIn(join(tree, await git('rev-parse', '--show-prefix')));
  } catch {
    return undefined;
  } finally {
    await gitAllows('worktree', 'remove', '--force', tree);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param {{ before: string, passed: boolean, title: string, cost?: string | undefined }} outcome */
async function describeChanges({ before, ...outcome }) {
  const after = await statusIn(DIRECTORY);
  return after && reportOf(await statusAt(before), after, outcome);
}

function gitHub() {
  return new GitHub({
    repository: env['GITHUB_REPOSITORY'] ?? '',
    token: TOKEN,
    rest: env['GITHUB_API_URL'] ?? 'https://api.github.com',
    graphql: env['GITHUB_GRAPHQL_URL'] ?? 'https://api.github.com/graphql',
  });
}

/** Prints a workflow command, which ends with the line. @param {string} level @param {unknown} message */
function say(level, message) {
  const text = message instanceof Error ? message.message : String(message);
  const line = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::${level}::${line}\n`);
}

/**
 * Returns the commit with which a pull request is compared.
 *
 * @param {{ base: { sha: string } }} pull
 * @returns {Promise<string>}
 */
async function baseOf({ base: { sha } }) {
  if (!/^[0-9a-f]{40,64}$/.test(sha)) throw new Error('the event names no base commit');
  const head = await git('rev-parse', 'HEAD');
  // By default, the runner checks out the merge of the pull request into its base, usually without history.
  if (head === env['GITHUB_SHA'] && env['GITHUB_EVENT_NAME'] === 'pull_request') {
    const isShallow = (await git('rev-parse', '--is-shallow-repository')) === 'true';
    if (isShallow) await repository.fetch('--depth=2', 'origin', head).catch(() => undefined);
    if (await gitAllows('rev-parse', '--verify', '--quiet', 'HEAD^2')) return git('rev-parse', 'HEAD^1');
  }
  if (repository.isPartial) await repository.fetch('origin', sha);
  else if (!(await gitAllows('cat-file', '-e', `${sha}^{commit}`)))
    await repository.fetch('--depth=1', 'origin', sha);
  return sha;
}

/** @returns {readonly string[]} options of `check` */
function requiredState() {
  const state = input('REQUIRE');
  return state === '' ? [] : [`--require=${state}`, ...linesOf('REQUIRE_IN').map((glob) => `--in=${glob}`)];
}

/** @param {string} name @param {string} value one line */
function setOutput(name, value) {
  if (env['GITHUB_OUTPUT']) appendFileSync(env['GITHUB_OUTPUT'], `${name}=${value}\n`);
}

/**
 * Writes the page for translators into a new directory, so that its path contains no name of a branch or
 * file. If no text changed, there is no page.
 * @param {string} before
 */
async function writeReviewPage(before) {
  const directory = mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'dragoman-review-'));
  const page = join(directory, 'translations.html');
  const { code, text } = await dragoman(
    ['review', '--json', `--to=${page}`, `--since=${before}`, '--', ...PATHS],
    'pipe',
  );
  if (existsSync(page)) {
    setOutput('review-page', page);
    return;
  }
  // A dragoman that was killed leaves its temporary file.
  rmSync(directory, { recursive: true, force: true });
  const { error } = parsed(text);
  if (error?.code !== 'not_found')
    say(
      'warning',
      `the page for translators could not be written: ${error?.message ?? `dragoman review ended with ${code}`}`,
    );
}

/** A document that dragoman printed; empty for anything else. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

async function check() {
  const event = JSON.parse(readFileSync(env['GITHUB_EVENT_PATH'] ?? '', 'utf8'));
  const pull = event.pull_request;
  const before = pull && (await baseOf(pull));
  const limit = before && input('CHANGED_ONLY') === 'true' ? [`--changed-since=${before}`] : [];
  const { code } = await dragoman(['check', ...limit, ...requiredState(), '--', ...PATHS]);
  if (before && input('REVIEW_PAGE') === 'true') await writeReviewPage(before);
  if (pull && TOKEN !== '' && input('COMMENT') !== 'false') {
    try {
      const body = await describeChanges({ before, passed: code === 0, title: 'Translations' });
      if (body) await gitHub().comment(pull.number, body);
    } catch (error) {
      // The token of a pull request from a fork is not allowed to comment; the gate does not depend on the
      // comment.
      say('warning', error);
    }
  }
  return code;
}

/**
 * Continues the branch of earlier runs, so that nothing that was paid for or corrected there is lost.
 *
 * @param {string} branch @param {string} before the commit to translate
 */
async function startBranch(branch, before) {
  const remote = `refs/heads/${branch}`;
  if (!(await gitAllows('ls-remote', '--exit-code', 'origin', remote))) {
    await git('switch', '--quiet', '--force-create', branch);
    return;
  }
  const isShallow = (await git('rev-parse', '--is-shallow-repository')) === 'true';
  if (isShallow) await repository.fetch('--unshallow', 'origin');
  await repository.fetch('origin', remote, ...(repository.isPartial ? [before] : []));
  await git('switch', '--quiet', '--force-create', branch, 'FETCH_HEAD');
  const directory = mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'dragoman-merge-'));
  try {
    // The lock is designed for such merges: it is correct with the lines of both sides.
    writeFileSync(join(directory, 'attributes'), 'dragoman.lock merge=union\n');
    const attributes = `core.attributesFile=${join(directory, 'attributes')}`;
    if (await gitAllows('-c', attributes, 'merge', '--quiet', '--no-edit', before)) return;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  await gitAllows('merge', '--abort');
  throw new Error(
    `the branch ${branch} conflicts with the commit to translate: merge it by hand, or delete it`,
  );
}

async function sync() {
  const base = input('BASE') || env['GITHUB_REF_NAME'] || '';
  const branch = input('BRANCH');
  for (const name of [base, branch])
    if (!(await gitAllows('check-ref-format', '--branch', name)) || name.startsWith('-'))
      throw new Error(`${JSON.stringify(name)} is not a branch name`);
  if (base === branch) throw new Error(`the translations need a branch other than ${base}`);
  const before = await git('rev-parse', 'HEAD');
  await startBranch(branch, before);
  const credits = input('MAX_CREDITS');
  const limit = credits === '' ? [] : [`--max-credits=${credits}`];
  const { code, text } = await dragoman(['sync', '--json', ...limit, '--', ...PATHS], 'pipe');
  // Also commits after an early end, because finished translations may have been paid for.
  await git('add', '--all', '--', '.', ':(exclude,glob)**/.dragoman-*');
  if (!(await gitAllows('diff', '--cached', '--quiet')))
    await git('commit', '--quiet', '--message', input('TITLE'));
  if (await gitAllows('diff', '--quiet', before, 'HEAD')) {
    process.stdout.write('nothing to translate\n');
    return code;
  }
  await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
  const body = 'Translated by `dragoman sync`. Corrections in this branch are kept by later runs.';
  const pull = await gitHub().openPull({ head: branch, base, title: input('TITLE'), body });
  const report = await describeChanges({
    before,
    passed: code === 0,
    title: 'Translations',
    cost: costOf(text),
  });
  if (report && input('COMMENT') !== 'false') await gitHub().comment(pull.number, report);
  const { href } = new URL(pull.html_url);
  process.stdout.write(`${href}\n`);
  setOutput('pull-request', href);
  return code;
}

/** @param {string} text of `sync --json` */
function costOf(text) {
  const { credits_spent: credits } = parsed(text);
  return typeof credits === 'number'
    ? `This run cost ${credits} ${credits === 1 ? 'credit' : 'credits'}.`
    : undefined;
}

try {
  const mode = input('MODE') || (env['GITHUB_EVENT_NAME']?.startsWith('pull_request') ? 'check' : 'sync');
  if (mode !== 'check' && mode !== 'sync')
    throw new Error(`mode must be check or sync, not ${JSON.stringify(mode)}`);
  await repository.open();
  process.exitCode = mode === 'check' ? await check() : await sync();
} catch (error) {
  say('error', error);
  process.exitCode = 2;
} finally {
  repository.close();
}
