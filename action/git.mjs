// @ts-check
/**
 * Runs git without the configuration and hooks of the checkout: the action's directory may contain a bare
 * repository, or an earlier step may have written settings that name programs. See `src/git` for the reasons.
 */

import { execFile } from 'node:child_process';
import {
  copyFileSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';

const LIMITS = { timeout: 10 * 60_000, maxBuffer: 64 * 1024 * 1024 };
const MAX_CONFIGURATION = 4 * 1024 * 1024;

/** The settings of the checkout that git receives: none of them names a program. */
const READ_SETTINGS =
  /^(?:core\.(?:autocrlf|eol|filemode|ignorecase|precomposeunicode|repositoryformatversion|symlinks)|extensions\.(?:objectformat|refstorage)|branch\..+\.(?:remote|merge)|remote\..+\.(?:url|fetch)|http\..+\.extraheader)$/s;

/** The parts of a repository other than its configuration and hooks. */
const PARTS = ['objects', 'refs', 'reftable', 'packed-refs', 'logs', 'info', 'shallow'];

/** Commands that contact another repository and may sign in there. */
const REMOTE_COMMANDS = new Set(['push', 'fetch', 'ls-remote']);

/** @param {string} path @param {'isFile' | 'isDirectory'} is */
const has = (path, is) => statSync(path, { throwIfNoEntry: false })?.[is]() === true;

/** The text of a small file; empty if the file is missing. @param {string} path @param {number} limit */
function readSmall(path, limit) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return '';
  if (!stats.isFile() || stats.size > limit)
    throw new Error(`${path} is not a file of at most ${limit} bytes`);
  return readFileSync(path, 'utf8');
}

/**
 * An absolute path: for a bare name, Windows would run a `git.exe` in the checkout.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function findGit(env) {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const directories = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute);
  const found = directories.map((directory) => join(directory, name)).find((path) => has(path, 'isFile'));
  if (found === undefined) throw new Error('git is not installed');
  return found;
}

/**
 * Only the nearest `.git` counts, not a directory that looks like a repository or a setting.
 *
 * @param {string} directory
 */
function findWorkTree(directory) {
  let top = directory;
  while (lstatSync(join(top, '.git'), { throwIfNoEntry: false }) === undefined) {
    if (top === dirname(top))
      throw new Error(`${directory} is not in a git work tree: check out the repository first`);
    top = dirname(top);
  }
  const place = join(top, '.git');
  const pointer = has(place, 'isDirectory')
    ? '.git'
    : /^gitdir: (.+?)[\r\n]*$/s.exec(readSmall(place, 65_536))?.[1];
  if (pointer === undefined) throw new Error(`${place} does not name a repository`);
  const gitDirectory = realpathSync(resolve(top, pointer));
  const common = readSmall(join(gitDirectory, 'commondir'), 65_536).replace(/[\r\n]+$/, '');
  return { top, gitDirectory, commonDirectory: realpathSync(resolve(gitDirectory, common)) };
}

/** @param {string} key such as `remote.origin.url` @param {string} value */
function settingText(key, value) {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const name = first === last ? '' : ` "${key.slice(first + 1, last).replace(/[\\"]/g, '\\$&')}"`;
  const text = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `[${key.slice(0, first)}${name}]\n\t${key.slice(last + 1)} = "${text}"\n`;
}

/** @param {string} from @param {string} to */
function linkPart(from, to) {
  // Also links to parts that do not exist yet, so that git creates them in the real repository. On Windows, only
  // directories can be linked.
  if (process.platform !== 'win32') symlinkSync(from, to);
  else if (has(from, 'isDirectory')) symlinkSync(from, to, 'junction');
  else if (has(from, 'isFile')) copyFileSync(from, to);
}

export class Git {
  #directory;
  #program = '';
  #cwd = '';
  #env;
  #server;
  #token;
  #common = '';
  #isPartial = false;
  /** @type {ReturnType<typeof findWorkTree> | undefined} */
  #workTree;

  /** @param {{ directory: string, env: NodeJS.ProcessEnv, server: string, token: string }} options */
  constructor({ directory, env, server, token }) {
    this.#directory = directory;
    this.#env = env;
    this.#server = server;
    this.#token = token;
  }

  /** Finds the repository, which git must trust: see `safe.directory`. Call `close` at the end. */
  async open() {
    this.#program = findGit(this.#env);
    this.#cwd = realpathSync(this.#directory);
    const found = findWorkTree(this.#cwd);
    const { top, gitDirectory, commonDirectory } = found;
    const ceiling = { GIT_CEILING_DIRECTORIES: dirname(top) };
    const trusted = await this.#start(
      [`--work-tree=${top}`, 'rev-parse', '--absolute-git-dir'],
      top,
      ceiling,
    );
    if (realpathSync(trusted) !== gitDirectory) throw new Error(`git does not find the repository of ${top}`);
    this.#common = mkdtempSync(join(this.#env['RUNNER_TEMP'] ?? tmpdir(), 'dragoman-git-'));
    const input = readSmall(join(commonDirectory, 'config'), MAX_CONFIGURATION);
    const args = ['config', '--file', '-', '--no-includes', '--null', '--list'];
    const list = await this.#start(
      args,
      this.#common,
      { GIT_CEILING_DIRECTORIES: dirname(this.#common) },
      input,
    );
    let text = '[core]\n\tbare = false\n';
    for (const entry of list.split('\0')) {
      const [key = '', ...value] = entry.split('\n');
      if (/^remote\..+\.promisor$/s.test(key)) this.#isPartial = true;
      if (READ_SETTINGS.test(key)) text += settingText(key, value.length > 0 ? value.join('\n') : 'true');
    }
    writeFileSync(join(this.#common, 'config'), text);
    for (const name of PARTS) linkPart(join(commonDirectory, name), join(this.#common, name));
    this.#workTree = found;
  }

  close() {
    if (this.#workTree === undefined) return;
    // Git removes the link when it fetches the complete history.
    const isWhole = lstatSync(join(this.#common, 'shallow'), { throwIfNoEntry: false }) === undefined;
    if (isWhole) rmSync(join(this.#workTree.commonDirectory, 'shallow'), { force: true });
    rmSync(this.#common, { recursive: true, force: true });
  }

  /**
   * Whether files of earlier commits are missing. Git would fetch them on demand, using programs named in
   * settings.
   */
  get isPartial() {
    return this.#isPartial;
  }

  /** Fetches commits with all of their files. @param {readonly string[]} args */
  async fetch(...args) {
    const whole = this.#isPartial ? ['--refetch', '--no-filter'] : [];
    await this.run('fetch', '--quiet', '--no-tags', ...whole, ...args);
  }

  /** Returns the output of git. @param {readonly string[]} args */
  async run(...args) {
    if (this.#workTree === undefined) throw new Error('no repository is open');
    const { top, gitDirectory } = this.#workTree;
    const place = [`--git-dir=${gitDirectory}`, `--work-tree=${top}`];
    return this.#start([...place, ...args], this.#cwd, { GIT_COMMON_DIR: this.#common });
  }

  /** Whether a git command succeeds. @param {readonly string[]} args */
  async allows(...args) {
    try {
      await this.run(...args);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {readonly string[]} args @param {string} cwd @param {Record<string, string>} place @param {string} input */
  async #start(args, cwd, place, input = '') {
    const env = { ...this.#environment(args.find((argument) => !argument.startsWith('-')) ?? ''), ...place };
    /** @type {string} */
    const output = await new Promise((done, fail) => {
      const child = execFile(
        this.#program,
        ['--no-pager', ...args],
        { cwd, env, ...LIMITS },
        (error, stdout) => (error ? fail(error) : done(stdout)),
      );
      child.stdin?.on('error', () => undefined).end(input);
    });
    return output.trimEnd();
  }

  /**
   * The environment of git. It holds the settings, because a command line would reveal the token, which is sent
   * only to GitHub's server.
   *
   * @param {string} command
   */
  #environment(command) {
    const [name, email] = ['github-actions[bot]', '41898282+github-actions[bot]@users.noreply.github.com'];
    const settings = [
      ['safe.bareRepository', 'explicit'],
      ['core.fsmonitor', 'false'],
      ['core.hooksPath', '/dev/null'],
      ['commit.gpgSign', 'false'],
      ['credential.helper', ''],
      ['diff.external', ''],
      ['submodule.recurse', 'false'],
      ['fetch.recurseSubmodules', 'false'],
      ['push.recurseSubmodules', 'no'],
      ['protocol.ext.allow', 'never'],
      ['gc.auto', '0'],
      ['maintenance.auto', 'false'],
    ];
    if (this.#token !== '') {
      const { host } = new URL(this.#server);
      const header = `http.${this.#server}/.extraheader`;
      // The checkout may have been made with an SSH key, whose command is a setting that git does not
      // receive.
      for (const ssh of [`git@${host}:`, `ssh://git@${host}/`])
        settings.push([`url.${this.#server}/.insteadOf`, ssh]);
      // The empty header drops the one that the checkout stored, because the server would refuse two.
      settings.push([header, '']);
      const secret = Buffer.from(`x-access-token:${this.#token}`).toString('base64');
      if (REMOTE_COMMANDS.has(command)) settings.push([header, `AUTHORIZATION: basic ${secret}`]);
    }
    const pairs = settings.flatMap(([key = '', value = ''], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]);
    const kept = /^GIT_(?:CONFIG_(?:SYSTEM|GLOBAL|NOSYSTEM)|EXEC_PATH|SSL_.+)$/i;
    const own = Object.entries(this.#env).filter(([key]) => !/^GIT_/i.test(key) || kept.test(key));
    return {
      ...Object.fromEntries(own),
      ...Object.fromEntries(pairs),
      GIT_CONFIG_COUNT: String(settings.length),
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    };
  }
}
