import { fstatSync } from 'node:fs';
import { WorkflowCommandBreaker } from '../../base/workflow-command.ts';
import { type Terminal, withWrite } from '../terminal/terminal.ts';

/** Variables of runners that execute commands in the output: GitHub, Azure Pipelines and TeamCity. */
const GITHUB = 'GITHUB_ACTIONS';
const RUNNERS = [GITHUB, 'TF_BUILD', 'TEAMCITY_VERSION'];

/** Whether a runner reads the output and executes commands in it. */
export function hasRunner({ env }: Pick<Terminal, 'env'>): boolean {
  return RUNNERS.some((name) => isSet(env[name]));
}

function isSet(value = ''): boolean {
  return value !== '' && value.toLowerCase() !== 'false';
}

/**
 * The terminal for a run in a workflow. A runner executes commands in a step's output, so names, values and messages
 * from files, servers and programs could inject commands. All stream output is made harmless; this program's own
 * commands go through `runner`.
 */
export function guardTerminal(terminal: Terminal): Terminal {
  const stderr = guard(terminal.stderr);
  const stdout = isFile(terminal.stdout) ? undefined : guard(terminal.stdout);
  return {
    ...terminal,
    stderr: stderr.stream,
    stdout: stdout?.stream ?? terminal.stdout,
    runner: {
      annotates: isSet(terminal.env[GITHUB]),
      readsResult: stdout !== undefined,
      command: (line, where = 'stderr') => {
        if (where === 'stderr') stderr.command(line);
        else if (stdout) stdout.command(line);
        else terminal.stdout.write(`${line}\n`);
      },
    },
  };
}

interface Guarded<Stream> {
  readonly stream: Stream;
  /** Writes a line unchanged. */
  command(line: string): void;
}

/** The same stream with another `write`. */
function guard<Stream extends NodeJS.WritableStream>(stream: Stream): Guarded<Stream> {
  const breaker = new WorkflowCommandBreaker();
  const write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | (() => void),
    done?: () => void,
  ): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const harmless = breaker.push(text);
    // Bytes that need no change are passed on in their own encoding.
    const written = harmless === text ? chunk : harmless;
    return typeof encoding === 'string' && typeof written === 'string'
      ? stream.write(written, encoding, done)
      : stream.write(written, typeof encoding === 'function' ? encoding : done);
  };
  return {
    stream: withWrite(stream, write),
    command: (line) => {
      stream.write(`${breaker.isInLine ? '\n' : ''}${line}\n`);
      breaker.push('\n');
    },
  };
}

/** Whether a stream goes to a regular file, which no runner reads: `dragoman … > result`. */
function isFile(stream: object): boolean {
  if (!('fd' in stream) || typeof stream.fd !== 'number') return false;
  try {
    return fstatSync(stream.fd).isFile();
  } catch {
    // The stream is closed, so its output is lost anyway.
    return false;
  }
}
