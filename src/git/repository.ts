import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readIfThere } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import { realPathAt, typeAt } from '../base/file-facts.ts';
import { requirePlainFiles } from './plain-files.ts';
import { findGit, type GitCall, type GitCaller, GitFailure, startGit } from './program.ts';
import { findWorkTree, type WorkTree } from './work-tree.ts';

/** A work tree of git with its history. */
export interface Repository {
  /** The top of the work tree; absolute, links resolved. */
  readonly top: string;
  /**
   * Runs a git command at the top of the work tree, and returns its output.
   *
   * @throws GitFailure when git refuses the call; DragomanError `limit_exceeded`, `interrupted`.
   */
  readonly git: (
    args: readonly string[],
    input?: string | Uint8Array,
    encoding?: GitCall['encoding'],
  ) => Promise<string>;
  /** Call when git is no longer needed. */
  close(): Promise<void>;
}

/** Maximum size of a repository's configuration. Each branch and each remote adds a few lines. */
const MAX_CONFIGURATION = 4 * 1024 * 1024;

/**
 * The settings of a repository that are passed to git: the format of its files, and names of branches, remotes and
 * authors. The others, dozens of which name programs, are not passed on.
 */
const READ_SETTINGS =
  /^(?:core\.(?:autocrlf|eol|filemode|ignorecase|precomposeunicode|repositoryformatversion|symlinks)|extensions\.(?:objectformat|refstorage)|user\.(?:name|email)|branch\..+\.(?:remote|merge)|remote\..+\.(?:url|fetch))$/s;

/**
 * Git reads a few small files to decide whether it trusts the owner. The limit is for included files that are FIFOs.
 */
const TRUST_MS = 10_000;

/** The parts of a repository that are linked: all except configuration and hooks. */
const PARTS = ['objects', 'refs', 'reftable', 'packed-refs', 'logs', 'info', 'shallow'];

/**
 * Opens the repository whose work tree contains a directory. Its configuration may come from an attacker and can name
 * programs that git runs: filters, watchers, fetch helpers. So all git calls use a configuration created here.
 * Before that, git checks whether the user trusts the repository's owner.
 *
 * @param directory absolute, links resolved
 * @throws DragomanError `usage` without git or a work tree, and if git refuses the repository; `interrupted`
 */
export async function openRepository(directory: string, caller: GitCaller): Promise<Repository> {
  const program = findGit(caller.env, directory);
  const workTree = await findWorkTree(directory);
  if (!workTree) throw notInGit(directory);
  const { top, gitDirectory, commonDirectory } = workTree;
  await requirePlainFiles(workTree, caller.signal);
  const configuration = await readIfThere(join(commonDirectory, 'config'), { limit: MAX_CONFIGURATION });
  await requireTrust(workTree, { ...caller, program });
  const common = await mkdtemp(join(tmpdir(), 'dragoman-git-'));
  const close = (): Promise<void> => rm(common, { recursive: true, force: true });
  try {
    const settings = await ownConfiguration(configuration ?? '', common, { ...caller, program });
    await writeFile(join(common, 'config'), settings);
    for (const name of PARTS) await linkPart(join(commonDirectory, name), join(common, name));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    top,
    close,
    git: (args, input, encoding) =>
      startGit({
        ...caller,
        program,
        cwd: top,
        args: [`--git-dir=${gitDirectory}`, `--work-tree=${top}`, ...args],
        variables: { GIT_COMMON_DIR: common },
        input,
        encoding,
      }),
  };
}

/**
 * Git refuses another user's repository unless `safe.directory` allows it, but only if git finds the repository itself.
 * That search reads the repository's configuration, but this command runs nothing from it.
 *
 * @throws DragomanError `usage`
 */
async function requireTrust(
  { top, gitDirectory }: WorkTree,
  call: Omit<GitCall, 'args' | 'cwd'>,
): Promise<void> {
  let found: string;
  try {
    found = await startGit({
      ...call,
      cwd: top,
      args: [`--work-tree=${top}`, 'rev-parse', '--absolute-git-dir'],
      variables: { GIT_CEILING_DIRECTORIES: dirname(top) },
      limitMs: TRUST_MS,
    });
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const { reason } = error;
    throw new DragomanError('usage', `git refuses the repository of ${top}: ${reason}`, {
      hint: reason.startsWith('detected dubious ownership')
        ? `If you trust its owner, run: git config --global --add safe.directory ${top}`
        : 'See what `git status` says there, or leave out the option that compares with a commit.',
      cause: error,
    });
  }
  if (realPathAt(found.replace(/\r?\n$/, '')) !== gitDirectory) throw notInGit(top);
}

function notInGit(directory: string): DragomanError {
  return new DragomanError('usage', `${directory} is not in a git work tree that this user may read`, {
    hint: 'Leave out the option that compares with a commit.',
  });
}

/** Links a part of the repository into the temporary one; git creates missing parts there. */
async function linkPart(from: string, to: string): Promise<void> {
  if (process.platform !== 'win32') return symlink(from, to);
  const type = typeAt(from);
  // On Windows, only directories can be linked without privileges.
  if (type === 'directory') await symlink(from, to, 'junction');
  else if (type === 'file') await copyFile(from, to);
}

/** The settings of a repository's configuration that are passed to git. @param cwd a directory without a repository */
async function ownConfiguration(
  input: string | Uint8Array,
  cwd: string,
  call: Omit<GitCall, 'args' | 'cwd'>,
): Promise<string> {
  // Parses the text only: included files are not read.
  const args = ['config', '--file', '-', '--no-includes', '--null', '--list'];
  const variables = { GIT_CEILING_DIRECTORIES: dirname(cwd) };
  const list = await startGit({ ...call, cwd, args, variables, input });
  const lines = ['[core]', '\tbare = false'];
  for (const entry of list.split('\0')) {
    const [key = '', ...value] = entry.split('\n');
    if (READ_SETTINGS.test(key))
      lines.push(...settingLines(key, value.length > 0 ? value.join('\n') : 'true'));
  }
  return `${lines.join('\n')}\n`;
}

/** @param key such as `remote.origin.url`: the middle part may contain dots and any character except line feeds */
function settingLines(key: string, value: string): readonly string[] {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = key.slice(0, first);
  const name = first === last ? '' : ` "${key.slice(first + 1, last).replace(/[\\"]/g, '\\$&')}"`;
  const text = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return [`[${section}${name}]`, `\t${key.slice(last + 1)} = "${text}"`];
}
