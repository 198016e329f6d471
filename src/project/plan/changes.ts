import { execFile } from 'node:child_process';
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { withoutKeys } from '../../base/child-environment.ts';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { interrupted } from '../../base/interruption.ts';
import { lockedFile, sourceFile } from '../discover/resource.ts';
import { unescapePath } from '../state/lock-line.ts';
import { readLockText } from '../state/lock.ts';
import type { Project } from '../state/project.ts';

export interface ChangesOptions {
  /** Its `PATH` is where git is looked for; git gets all of it but API keys. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly signal: AbortSignal;
  /** Absolute paths of other files that every target is checked against: the glossary. */
  readonly shared?: readonly string[] | undefined;
}

/**
 * Limits a project to the targets whose file, source or records in the lock have changed since a commit, also in the
 * working tree and in files that git does not track yet. A change of the configuration, of an earlier lock or of a
 * shared file concerns all targets. A branch is compared from where HEAD left it: what others did on it since does not
 * count.
 *
 * @param ref a branch, a tag or a commit
 * @throws DragomanError `usage` when there is no git, no work tree or no such commit, `limit_exceeded` when git takes
 * too long or prints too much, `interrupted`.
 */
export async function limitToChanges(
  project: Project,
  ref: string,
  options: ChangesOptions,
): Promise<Project> {
  const { root, configurationPath, earlierLocks, lockPath, targets } = project;
  const repository = await openRepository(root, ref, options);
  const changed = await repository.changedPaths();
  const has = (path: string): boolean => pathsUpTo(repository.top, path).some((above) => changed.has(above));
  const shared = [configurationPath, ...earlierLocks.map(({ path }) => path), ...(options.shared ?? [])];
  if (shared.some((path) => path !== undefined && has(path))) return project;
  const records = has(lockPath)
    ? changedRecords(await repository.earlierText(lockPath), (await readLockText(lockPath)) ?? '')
    : new Set<string>();
  if (!records) return project;
  const covers: NonNullable<Project['covers']> = (resource, locale) =>
    project.covers?.(resource, locale) !== false &&
    (has(join(root, sourceFile(resource, locale))) ||
      has(join(root, resource.targetPath(locale))) ||
      records.has(`${lockedFile(resource, locale)}\t${locale}`));
  const resources = project.resources.filter((resource) =>
    [resource.sourceLocale, ...targets].some((locale) => covers(resource, locale)),
  );
  return { ...project, resources, covers };
}

/** A path and the directories above it in the work tree: of a nested repository git names the directory only. */
function pathsUpTo(top: string, path: string): readonly string[] {
  const paths: string[] = [];
  for (let at = path; at.length > top.length; at = dirname(at)) paths.push(at);
  return paths;
}

/**
 * `file`, tab, `locale` of the records that one of two locks has and the other lacks; undefined when their headers
 * differ, which name the languages of all files.
 */
function changedRecords(before: string, after: string): ReadonlySet<string> | undefined {
  const changed = new Set(before.split('\n'));
  for (const line of after.split('\n')) if (!changed.delete(line)) changed.add(line);
  const lines = [...changed].map((line) => line.split('\t'));
  if (lines.some(({ length }) => length < 3)) return undefined;
  return new Set(lines.map(([file = '', , locale = '']) => `${unescapePath(file)}\t${locale}`));
}

/** A work tree of git, and what is compared with it. */
interface Repository {
  /** Absolute, links resolved. */
  readonly top: string;
  /** Absolute paths of the files that are not as in the commit. */
  changedPaths(): Promise<ReadonlySet<string>>;
  /** The text of a file in the commit; empty where it had none. */
  earlierText(path: string): Promise<string>;
}

async function openRepository(root: string, ref: string, options: ChangesOptions): Promise<Repository> {
  const { env, signal } = options;
  const program = findGit(env);
  const inRoot = (...args: readonly string[]): Promise<string> =>
    runGit(program, root, args, { env, signal });
  const top = resolve((await tryGit(() => inRoot('rev-parse', '--show-toplevel'), notInGit(root))).trimEnd());
  const unknown = new DragomanError('usage', `git does not know the commit ${JSON.stringify(ref)}`, {
    hint: 'Name a branch, a tag or a commit that is in this clone. In a pipeline, fetch it first: see docs/ci.md.',
  });
  const resolveRef = (): Promise<string> =>
    inRoot('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  const named = (await tryGit(resolveRef, unknown)).trim();
  // A shallow clone has no common ancestor. Then more files count as changed, which is safe.
  const commit = (await tryGit(() => inRoot('merge-base', named, 'HEAD'), named)).trim();
  const inTop = (...args: readonly string[]): Promise<string> => runGit(program, top, args, { env, signal });
  return {
    top,
    async changedPaths() {
      const diff = [
        'diff',
        '--name-only',
        '-z',
        '--no-renames',
        '--no-ext-diff',
        '--no-textconv',
        commit,
        '--',
      ];
      const lists = [await inTop(...diff), await inTop('ls-files', '--others', '--exclude-standard', '-z')];
      const names = lists.flatMap((list) => list.split('\0')).filter((name) => name !== '');
      return new Set(names.map((name) => resolve(top, name)));
    },
    earlierText: (path) => {
      const name = relative(top, path).split(sep).join('/');
      return tryGit(() => inTop('cat-file', 'blob', `${commit}:${name}`), '');
    },
  };
}

function notInGit(root: string): DragomanError {
  return new DragomanError('usage', `${root} is in no work tree of git that this user may read`, {
    hint: 'Leave out --changed-since to check all files.',
  });
}

/** Absolute, because Windows would take a `git.exe` of the checkout for a bare name. */
function findGit(env: ChangesOptions['env']): string {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const directories = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute);
  const found = directories.map((directory) => join(directory, name)).find((path) => typeAt(path) === 'file');
  if (found !== undefined) return found;
  throw new DragomanError('usage', 'git is not installed, and only git knows what has changed', {
    hint: 'Install git, or leave out --changed-since to check all files.',
  });
}

/** For one call, which may read the whole work tree. */
const TIME_LIMIT_MS = 120_000;
/** The names of changed files, or an earlier lock. */
const MAX_OUTPUT = 256 * 1024 * 1024;

const run = promisify(execFile);

/** A call that git refused. */
class GitFailure extends Error {}

/** What git prints, or the other result where it refuses the call. @throws the other result if that is an error */
async function tryGit(call: () => Promise<string>, otherwise: string | DragomanError): Promise<string> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (typeof otherwise === 'string') return otherwise;
    throw otherwise;
  }
}

/** Runs git, which starts nothing that the repository's configuration names to watch files, and fetches nothing. */
async function runGit(
  program: string,
  cwd: string,
  args: readonly string[],
  { env, signal }: ChangesOptions,
): Promise<string> {
  try {
    const { stdout } = await run(program, ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...args], {
      cwd,
      env: { ...withoutKeys(env), GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      timeout: TIME_LIMIT_MS,
      maxBuffer: MAX_OUTPUT,
      signal,
      windowsHide: true,
    });
    return stdout;
  } catch (cause) {
    if (signal.aborted) throw interrupted('interrupted while git listed the changed files', { cause });
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'number')
      throw new GitFailure(cause.message, { cause });
    throw new DragomanError('limit_exceeded', `git ${args[0]} did not end within 2 minutes and 256 MiB`, {
      hint: 'Leave out --changed-since to check all files.',
      cause,
    });
  }
}
