import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Cluster } from '../postgres/cluster.ts';
import { Client } from '../server/specification/client.ts';

export const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

/** A command that takes longer counts as hung. */
const COMMAND_MS = 60_000;
const LISTEN_MS = 45_000;
/** Bytes of one stream; a program that prints more is cut off. */
const MOST_OUTPUT = 64 * 1024 * 1024;
const SAMPLE_MS = 20;

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Run {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** The program is killed after this time, and its exit code is null. */
  readonly timeoutMs?: number;
  /** Sends SIGTERM after this time. */
  readonly termAfterMs?: number;
  /** The user to run as, if the tests run as root. */
  readonly uid?: number;
  /** Replaces dragoman with another program and its arguments. */
  readonly program?: readonly string[];
}

export interface Ended {
  /** Null for a program that had to be killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** Whether the time limit was exceeded. A command that received SIGTERM may also end by a signal. */
  readonly hung: boolean;
  /**
   * Processor time of the process itself, which a busy machine does not prolong; 0 if the system does not report it.
   */
  readonly processorMs: number;
  /** The peak memory of the process itself, in MB; 0 if the system does not report it. */
  readonly megabytes: number;
}

export interface Server {
  readonly url: string;
  readonly directory: string;
  readonly pid: number | undefined;
  log(): string;
  newClient(credits?: number): Promise<Client>;
  stop(): Promise<number | null>;
}

/** Shared by rows: opened on first use, and closed at the end. */
export class Site {
  readonly #room = new Room();
  #server: Promise<Server> | undefined;
  #cluster: Promise<Cluster> | undefined;

  /** A server with the pseudo engine and no rate limit, for attacks that it has to survive. */
  server(): Promise<Server> {
    this.#server ??= this.#room.serve(['--rate-limit', '0', '--metrics']);
    return this.#server;
  }

  /** A PostgreSQL server, for stores that several servers share. */
  cluster(): Promise<Cluster> {
    this.#cluster ??= (async () => {
      const cluster = await Cluster.start(join(this.#room.root, 'cluster'));
      this.#room.onClose(() => cluster.remove());
      return cluster;
    })();
    return this.#cluster;
  }

  close(): Promise<void> {
    return this.#room.close();
  }
}

/** Directories and processes of one row, removed with it. */
export class Room {
  readonly root = mkdtempSync(join(tmpdir(), 'dragoman-attack-'));
  readonly #closers: (() => Promise<void> | void)[] = [];
  #directories = 0;

  constructor() {
    // Rows with a second user give that user access through this directory.
    chmodSync(this.root, 0o755);
  }

  onClose(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  directory(mode = 0o755): string {
    const path = join(this.root, String(++this.#directories));
    mkdirSync(path);
    chmodSync(path, mode);
    return path;
  }

  /** A directory with files in it. */
  checkout(files: Files): string {
    const path = this.directory();
    writeFiles(path, files);
    return path;
  }

  /** A program that leaves a mark when it runs, and the path of the mark. */
  trap(): { readonly command: string; readonly sprung: () => boolean } {
    const directory = this.directory(0o777);
    const mark = join(directory, 'mark');
    const command = join(directory, 'trap');
    writeFileSync(command, `#!/bin/sh\ntouch '${mark}'\ncat\n`, { mode: 0o755 });
    return { command, sprung: () => existsSync(mark) };
  }

  /** Runs the built program with its own home directory, outside of every checkout. */
  async run(argv: readonly string[], options: Run): Promise<Ended> {
    const { cwd, env = {}, stdin = '', uid, program = [process.execPath, BIN] } = options;
    const home = env['HOME'] ?? this.directory(0o777);
    const whole = [...asUser(uid), ...program, ...argv];
    const began = performance.now();
    const child = spawn(whole[0] ?? '', whole.slice(1), {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, DRAGOMAN_MEMORY: 'off', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    child.stdin.on('error', () => undefined).end(stdin);
    let [megabytes, processorMs, hung] = [0, 0, false];
    const sample = setInterval(() => {
      megabytes = Math.max(megabytes, peakOf(child.pid));
      processorMs = Math.max(processorMs, processorTimeOf(child.pid));
    }, SAMPLE_MS);
    const limit = setTimeout(() => (hung = child.kill('SIGKILL')), options.timeoutMs ?? COMMAND_MS);
    const term =
      options.termAfterMs === undefined
        ? undefined
        : setTimeout(() => child.kill('SIGTERM'), options.termAfterMs);
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      const ms = performance.now() - began;
      return { code, stdout: stdout(), stderr: stderr(), ms, hung, processorMs, megabytes };
    } finally {
      clearInterval(sample);
      clearTimeout(limit);
      clearTimeout(term);
    }
  }

  /** A real `dragoman serve` on a free loopback port, with its own data directory unless one is given. */
  async serve(
    argv: readonly string[],
    { env = {}, directory = this.directory(), engine = ['--engine', 'pseudo'] }: ServeOptions = {},
  ): Promise<Server> {
    const place = argv.includes('--store') ? [] : ['--data-dir', directory];
    const child = spawn(process.execPath, [BIN, 'serve', ...place, ...engine, '--port', '0', ...argv], {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', HOME: directory, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const log = collect(child.stderr);
    this.onClose(() => end(child, 'SIGKILL').then(() => undefined));
    const url = await listening(child, log);
    let accounts = 0;
    return {
      url,
      directory,
      pid: child.pid,
      log,
      newClient: async (credits = 1_000_000) => {
        const email = `user${++accounts}@example.org`;
        const store = argv.includes('--store') ? ['--store', argv[argv.indexOf('--store') + 1] ?? ''] : place;
        const made = await this.run(
          ['keys', 'create', ...store, '--email', email, '--credits', String(credits), '--json'],
          { cwd: directory },
        );
        if (made.code !== 0) throw new Error(`no account was created: ${made.stderr}`);
        const { key } = JSON.parse(made.stdout) as { key: string };
        return new Client(url, { accountId: '', email, key });
      },
      stop: () => end(child, 'SIGTERM'),
    };
  }

  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

export interface ServeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly engine?: readonly string[];
}

export function writeFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** The content of everything below a directory; comparing two snapshots shows what a command did. */
export function snapshot(root: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (readdirSync(root, { recursive: true }) as string[]).sort()) {
    const path = join(root, name);
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) found[name] = `-> ${readlinkSync(path)}`;
    else if (stats.isFile()) found[name] = readFileSync(path, 'latin1');
    else found[name] = stats.isDirectory() ? '/' : 'special';
  }
  return found;
}

/** The names that were added, removed or changed between two snapshots. */
export function changesBetween(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

export const isRoot = process.getuid?.() === 0;

/** An unprivileged user; only root can switch to it. */
export const STRANGER = 61_234;

function asUser(uid: number | undefined): readonly string[] {
  if (uid === undefined) return [];
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'];
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on('data', (part: Buffer) => {
    if (size < MOST_OUTPUT) parts.push(part);
    size += part.length;
  });
  return () => Buffer.concat(parts).toString();
}

async function listening(child: ChildProcess, log: () => string): Promise<string> {
  const limit = performance.now() + LISTEN_MS;
  for (;;) {
    const url = /^dragoman listening on (\S+)$/m.exec(log())?.[1];
    if (url !== undefined) return url;
    if (hasEnded(child) || performance.now() > limit) throw new Error(`the server does not listen: ${log()}`);
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

export async function end(
  child: ChildProcess,
  signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT',
): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode;
  const ended = once(child, 'close');
  child.kill(signal);
  const limit = setTimeout(() => child.kill('SIGKILL'), LISTEN_MS);
  await ended;
  clearTimeout(limit);
  return child.exitCode;
}

function peakOf(pid: number | undefined): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Two at a time: hundreds of attempts take half as long on two processors. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all([lane(), lane()]);
}

/** Linux counts in hundredths of a second. */
function processorTimeOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}
