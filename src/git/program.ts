import { runChild } from '../base/bound-child.ts';
import { withoutKeys } from '../base/child-environment.ts';
import { DragomanError } from '../base/errors.ts';
import { interrupted } from '../base/interruption.ts';
import { findProgram } from '../base/program-path.ts';

/** The environment and signal for starting git. */
export interface GitCaller {
  /** `PATH` in it locates git; git receives all variables except API keys and those that redirect it. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly signal: AbortSignal;
}

/** One run of git. */
export interface GitCall extends GitCaller {
  /** The path from {@link findGit}. */
  readonly program: string;
  readonly cwd: string;
  readonly args: readonly string[];
  /** For git only, in addition to `env`. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Standard input; default: empty. */
  readonly input?: string | Uint8Array | undefined;
  /** The encoding of git's output. Default: UTF-8. Latin-1 has one character per byte. */
  readonly encoding?: 'utf8' | 'latin1' | undefined;
  /** Default: 2 minutes, enough for git to read the whole history. */
  readonly limitMs?: number | undefined;
}

/** A call that git refused. */
export class GitFailure extends Error {
  readonly exitCode: number;
  /** git's message, without `fatal: `. */
  readonly reason: string;

  constructor(exitCode: number, stderr: string, cause: unknown) {
    super(stderr, { cause });
    this.exitCode = exitCode;
    this.reason = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? stderr.trim();
  }
}

/**
 * @param directory which may be in a checkout, whose programs do not count
 * @throws DragomanError `usage` if git is missing
 */
export function findGit(env: GitCaller['env'], directory: string): string {
  const found = findProgram(process.platform === 'win32' ? 'git.exe' : 'git', env, directory);
  if (found !== undefined) return found;
  throw new DragomanError('usage', 'git is not installed', {
    hint: 'Install git, or leave out the option that compares with a commit.',
  });
}

const TIME_LIMIT_MS = 120_000;
/** Maximum output: fits the names of all files of a commit, or an earlier lock. */
const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * Settings for every command. The checkout's own settings are never read (see `openRepository`); these override the
 * user's global ones and those of files in a working directory.
 */
const SETTINGS = [
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'diff.external=',
  // Makes `git blame` mark the oldest commits of a shallow clone, which hide older ones.
  'blame.showRoot=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'protocol.ext.allow=never',
  // A background git process would outlive the call and lose the temporary repository.
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/**
 * Git variables that a caller may set: the location of the user's configuration, credentials, and the author of
 * commits. Others, such as `GIT_DIR` in a hook, could redirect git to another repository or program.
 */
const KEPT_VARIABLE =
  /^GIT_(?:CONFIG_(?:SYSTEM|GLOBAL|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)|EXEC_PATH|SSL_.+|SSH.*|ASKPASS|(?:AUTHOR|COMMITTER)_.+)$/i;

/**
 * The only place that starts git. Returns git's output.
 *
 * @throws GitFailure if git refuses the call; DragomanError `limit_exceeded` if it takes too long or prints too much,
 * `interrupted`
 */
export async function startGit(call: GitCall): Promise<string> {
  const { program, cwd, args, env, variables, input = '', encoding, signal, limitMs = TIME_LIMIT_MS } = call;
  const own = Object.entries(withoutKeys(env)).filter(
    ([name]) => !/^GIT_/i.test(name) || KEPT_VARIABLE.test(name),
  );
  try {
    const options = {
      cwd,
      env: {
        ...Object.fromEntries(own),
        GIT_NO_LAZY_FETCH: '1',
        GIT_TERMINAL_PROMPT: '0',
        LC_ALL: 'C',
        ...variables,
      },
      timeout: limitMs,
      maxBuffer: MAX_OUTPUT,
      signal,
      ...(encoding && { encoding }),
    } as const;
    const all = ['--no-pager', '--no-optional-locks', ...SETTINGS, ...args];
    return await runChild(program, all, options, input);
  } catch (cause) {
    if (signal.aborted) throw interrupted('interrupted while git was running', { cause });
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'number') {
      const stderr = 'stderr' in cause && typeof cause.stderr === 'string' ? cause.stderr : '';
      throw new GitFailure(cause.code, stderr, cause);
    }
    throw new DragomanError(
      'limit_exceeded',
      `git ${commandOf(args)} took more than ${limitMs / 1_000} seconds or printed more than 256 MiB`,
      {
        hint: 'Leave out the option that compares with a commit.',
        cause,
      },
    );
  }
}

function commandOf(args: readonly string[]): string {
  return args.find((argument) => !argument.startsWith('-')) ?? '';
}
