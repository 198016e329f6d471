import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBoundedSync, readDigestSync } from '../base/bounded-read.ts';
import { type Digest, digestOf } from '../base/digest.ts';
import { type Asked, Observations, observe } from '../base/observations.ts';
import { cacheDirectory } from '../base/user-directories.ts';
import { type ExitCode, OK } from './exit-code.ts';
import { hasRunner } from './github/runner.ts';
import { type Terminal, withWrite } from './terminal.ts';
import { VERSION } from '../base/version.ts';
import { entryAt, isExposedAt, listAt, realPathAt, typeAt } from '../base/file-facts.ts';
import { readHead } from '../base/file-head.ts';

/** A run that had nothing to do. */
interface RememberedRun {
  /** Of everything that the run depends on, except for files. */
  readonly circumstances: Digest;
  /** What the run asked the file system. */
  readonly questions: readonly Asked[];
  /** Of the questions and their answers. */
  readonly answers: Digest;
  /** What the run wrote, in this order. */
  readonly written: readonly WrittenPart[];
}

type WrittenPart = readonly [stream: 'stdout' | 'stderr', text: string];

/** Two million files, each by its path. */
const MAX_BYTES = 256 * 1024 * 1024;

/** What a shell changes from command to command, and this program does not read. */
const NOISE: ReadonlySet<string> = new Set(['_', 'SHLVL', 'OLDPWD', 'PWD']);

/**
 * Runs a command line that is remembered when it had nothing to do: as long as command line, environment and the answers
 * to everything that it asked the file system stay the same, a later run writes the same lines and loads nothing. Of each
 * directory the last such run is kept, in the user's cache directory. Nothing depends on times of files.
 *
 * @param run the command line itself
 */
export async function runRemembered(
  terminal: Terminal,
  argv: readonly string[],
  run: (terminal: Terminal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const cache = cacheDirectory(terminal.env);
  // A workflow's summary is written by the run itself.
  if (cache === undefined || hasRunner(terminal)) return run(terminal);
  const path = join(cache, 'unchanged', `${digestOf(terminal.cwd)}.json`);
  const circumstances = circumstancesOf(terminal, argv);
  const known = recall(path, circumstances);
  const now = known && (await askAgain(known.questions));
  if (known && now?.digest() === known.answers && !terminal.signal.aborted) {
    for (const [stream, text] of known.written) terminal[stream].write(text);
    return OK;
  }
  const observations = new Observations(now);
  const written: WrittenPart[] = [];
  const exitCode = await observe(observations, () => run(recording(terminal, written)));
  if (exitCode === OK && observations.isIdle) {
    const questions = observations.questions();
    remember(path, { circumstances, questions, answers: observations.digest(), written });
  }
  return exitCode;
}

function circumstancesOf({ env, cwd, stdout, stderr }: Terminal, argv: readonly string[]): Digest {
  const variables = Object.entries(env).filter(([name]) => !NOISE.has(name));
  return digestOf(
    JSON.stringify([
      [VERSION, import.meta.url, process.version, process.platform, process.getuid?.() ?? null],
      [argv, cwd, ...[stdout, stderr].flatMap(({ isTTY, columns }) => [isTTY === true, columns ?? null])],
      variables.sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  );
}

/** The terminal, with everything that is written to it also in `written`. */
function recording(terminal: Terminal, written: WrittenPart[]): Terminal {
  const record = <Stream extends NodeJS.WritableStream>(name: WrittenPart[0], stream: Stream): Stream => {
    const write = (
      chunk: string | Uint8Array,
      encoding?: BufferEncoding | (() => void),
      done?: () => void,
    ): boolean => {
      written.push([name, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()]);
      return typeof chunk === 'string' && typeof encoding === 'string'
        ? stream.write(chunk, encoding, done)
        : stream.write(chunk, typeof encoding === 'function' ? encoding : done);
    };
    return withWrite(stream, write);
  };
  return {
    ...terminal,
    stdout: record('stdout', terminal.stdout),
    stderr: record('stderr', terminal.stderr),
  };
}

/** Undefined for what is not there, cannot be read, or was run in other circumstances. */
function recall(path: string, circumstances: Digest): RememberedRun | undefined {
  try {
    const text = readBoundedSync(path, { limit: MAX_BYTES }).toString('utf8');
    // Most of the text are paths: what is of no use is not taken apart.
    if (!text.startsWith(`{"circumstances":"${circumstances}"`)) return undefined;
    const run: unknown = JSON.parse(text);
    return isRun(run) ? run : undefined;
  } catch {
    return undefined;
  }
}

/** Questions need no look: one that is none has another answer. */
function isRun(value: unknown): value is RememberedRun {
  if (typeof value !== 'object' || value === null) return false;
  const { questions, answers, written }: Readonly<Record<string, unknown>> = { ...value };
  const isWritten = (entry: unknown): boolean =>
    Array.isArray(entry) && (entry[0] === 'stdout' || entry[0] === 'stderr') && typeof entry[1] === 'string';
  return (
    Array.isArray(questions) &&
    typeof answers === 'string' &&
    Array.isArray(written) &&
    written.every(isWritten)
  );
}

function remember(path: string, run: RememberedRun): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(run), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // Nothing is lost but time.
    rmSync(temporary, { force: true });
  }
}

/** No file of a project is larger, nor its lock. */
const LIMIT = 256 * 1024 * 1024;

/** Most files fit into it. */
const BUFFER_BYTES = 256 * 1024;

/** Asks the same questions as an earlier run, in the same way. What cannot be answered any more spoils the answers. */
async function askAgain(questions: readonly Asked[]): Promise<Observations> {
  const observations = new Observations();
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  await observe(observations, () => {
    for (const asked of questions) {
      try {
        ask(asked, buffer);
      } catch {
        // What is not there is noted where it was looked for.
      }
    }
  });
  return observations;
}

function ask([question, path]: Asked, buffer: Buffer): void {
  switch (question) {
    case 'own':
      readDigestSync(path, { limit: LIMIT, refusesLinks: true, buffer });
      return;
    case 'bytes':
      readBoundedSync(path, { limit: LIMIT, buffer });
      return;
    case 'list':
      listAt(path);
      return;
    case 'real':
      realPathAt(path);
      return;
    case 'type':
      typeAt(path);
      return;
    case 'entry':
      entryAt(path);
      return;
    case 'exposure':
      isExposedAt(path);
      return;
    default:
      readHead(path, Number(question.slice('head '.length)));
  }
}
