import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, Socket } from 'node:net';
import { startChild } from '../../base/bound-child.ts';
import { DragomanError } from '../../base/errors.ts';
import { listenOn } from '../../base/listen.ts';
import { fromPlainError } from '../../workers/protocol.ts';
import { type ListenerOptions, urlOf } from '../http/listener.ts';
import type { Log } from '../log/log.ts';
import type { ReadyMessage } from './calls.ts';
import { Coordinator, type ServerProcess } from './coordinator.ts';
import { SiblingProcesses } from './siblings.ts';

export interface ProcessesOptions {
  readonly count: number;
  readonly listener: ListenerOptions;
  /** When it aborts, processes end on their own and are not replaced. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface RunningProcesses {
  /** The message of the first ready process; undefined if all were stopped before. */
  readonly server: ReadyMessage | undefined;
  /** Rejects when no process is serving and none can be started. */
  readonly failed: Promise<never>;
  /** Lets the processes finish current requests. @throws DragomanError of a process that failed meanwhile */
  close(): Promise<void>;
}

/** A process that has served this long is replaced at once. */
const STEADY_MS = 10_000;
/** The pause before replacing a process that failed sooner; doubled with each failure in a row. */
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Failures in a row, while no other process is serving. */
const MOST_FAILURES = 5;
/** Longer than a process takes to finish requests, jobs and charges. */
const END_MS = 90_000;

/** Marks a process as started by the primary. */
const MARK = 'PROCESS_OF_DRAGOMAN_SERVE';

/** Undefined if the server has only one process. */
export async function joinServer(): Promise<SiblingProcesses | undefined> {
  if (process.env[MARK] === undefined || !process.send) return undefined;
  // This process starts no others.
  delete process.env[MARK];
  process.once('disconnect', () => process.exit());
  return SiblingProcesses.join({
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (receive) => {
      process.on('message', (message, handle) =>
        receive(message, handle instanceof Socket ? handle : undefined),
      );
    },
  });
}

/** Stops the channel from keeping the process alive after everything is closed. */
export function leaveServer(): void {
  process.channel?.unref();
}

/**
 * Starts this program several times, with its own arguments, as processes that share a port. A process that dies is
 * replaced. All of them end with this process, even if it is killed.
 *
 * @throws DragomanError of a process that failed before it was ready, and `usage` for an unavailable address
 */
export async function startProcesses(options: ProcessesOptions): Promise<RunningProcesses> {
  const primary = new Primary(options);
  try {
    const server = await primary.start();
    return { server, failed: primary.failed, close: () => primary.close() };
  } catch (error) {
    await primary.close().catch(() => undefined);
    throw error;
  }
}

interface Slot {
  readonly index: number;
  /** How many times in a row the process ended early. */
  failures: number;
  isServing: boolean;
  child?: ChildProcess;
  member?: ServerProcess;
  timer?: NodeJS.Timeout;
}

class Primary {
  readonly #options: ProcessesOptions;
  readonly #coordinator = new Coordinator();
  readonly #handover = new Handover();
  /** Each connection is read by the process that receives it. */
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => this.#handover.take(socket));
  readonly #slots: readonly Slot[];
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => undefined;
  #isStarted = false;
  #isClosing = false;
  #closingFailure: Error | undefined;

  constructor(options: ProcessesOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, index) => ({
      index,
      failures: 0,
      isServing: false,
    }));
    this.failed = new Promise((_, reject) => (this.#fail = reject));
    this.failed.catch(() => undefined);
  }

  async start(): Promise<ReadyMessage | undefined> {
    const { signal, listener, log } = this.#options;
    if (signal.aborted) return undefined;
    await listenOn(this.#server, listener.host, listener.port);
    this.#server.on('error', (err) => log.error({ err }, 'a connection could not be accepted'));
    const stopped = new Promise<readonly []>((resolve) => {
      signal.addEventListener('abort', () => resolve([]), { once: true });
    });
    const ready = Promise.all(this.#slots.map((slot) => this.#fork(slot)));
    const [server] = await Promise.race([ready, this.failed, stopped]);
    this.#isStarted = true;
    return server;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#server.close();
    await Promise.all(
      this.#slots.map(async ({ child, member, timer }) => {
        clearTimeout(timer);
        if (!child || child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        member?.line.tell('stop', undefined);
        const limit = setTimeout(() => child.kill('SIGKILL'), END_MS);
        await ended;
        clearTimeout(limit);
      }),
    );
    this.#handover.close();
    this.#coordinator.close();
    if (this.#closingFailure) throw this.#closingFailure;
  }

  /** Resolves when the process is ready, if that happens. */
  #fork(slot: Slot): Promise<ReadyMessage> {
    const { child, forget } = startChild(startSelf, (started) => started.kill('SIGKILL'));
    const startedAt = performance.now();
    let failure: DragomanError | undefined;
    return new Promise((resolve) => {
      const member = this.#coordinator.connect(
        {
          // The `close` event shows that a process has ended.
          send: (message) => void (child.connected && child.send(message, () => undefined)),
          onMessage: (receive) => child.on('message', receive),
        },
        {
          place: () => {
            const { count, listener } = this.#options;
            return { index: slot.index, count, url: urlOf(this.#server, listener) };
          },
          ready: (server) => {
            slot.isServing = true;
            this.#handover.add(child);
            resolve(server);
          },
          accepted: (id) => this.#handover.accepted(id),
          failed: (error) => (failure = fromPlainError(error)),
        },
      );
      slot.child = child;
      slot.member = member;
      child.on('error', (cause) => {
        failure ??= new DragomanError('internal', 'a process of the server could not be started', { cause });
      });
      // When this event occurs, the last messages of the process have been read.
      child.once('close', (code: number | null, signal: string | null) => {
        forget();
        this.#coordinator.drop(member);
        this.#handover.remove(child);
        const wasServing = slot.isServing;
        slot.isServing = false;
        if (this.#isClosing || this.#options.signal.aborted) {
          if (code !== 0 || failure) this.#closingFailure ??= failure ?? unexpected(code, signal);
          return;
        }
        const isSteady = wasServing && performance.now() - startedAt >= STEADY_MS;
        slot.failures = isSteady ? 0 : slot.failures + 1;
        const err = failure ?? unexpected(code, signal);
        if (!wasServing && this.#isHopeless(slot, failure !== undefined)) this.#fail(err);
        else this.#replace(slot, err);
      });
    });
  }

  /** Whether restarting a process that ended before it served is hopeless, and no other process is serving. */
  #isHopeless({ failures }: Slot, hasSaidWhy: boolean): boolean {
    if (!this.#isStarted) return true;
    return (hasSaidWhy || failures >= MOST_FAILURES) && this.#slots.every(({ isServing }) => !isServing);
  }

  #replace(slot: Slot, err: DragomanError): void {
    const ms = slot.failures === 0 ? 0 : Math.min(PAUSE_MS * 2 ** (slot.failures - 1), LONGEST_PAUSE_MS);
    this.#options.log.error({ err, ms }, 'a process of the server ended; another takes its place');
    slot.timer = setTimeout(() => void this.#fork(slot), ms);
  }
}

function startSelf(): ChildProcess {
  const [, program = '', ...args] = process.argv;
  return fork(program, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [MARK]: '1' },
  });
}

function unexpected(code: number | null, signal: string | null): DragomanError {
  const how = signal === null ? `code ${code}` : `signal ${signal}`;
  return new DragomanError('internal', `a process of the server ended unexpectedly (${how})`);
}

/** How many connections wait until a process serves again. */
const MOST_WAITING = 1_000;

interface GivenConnection {
  readonly socket: Socket;
  readonly to: ChildProcess;
}

/**
 * Passes each connection to the next process, and keeps it open until that process confirms it: connections of a
 * process that died go to the next. (`node:cluster` forgets them, and their clients wait forever.)
 */
class Handover {
  #processes: readonly ChildProcess[] = [];
  readonly #given = new Map<number, GivenConnection>();
  #waiting: Socket[] = [];
  #last = 0;
  #turn = 0;

  add(child: ChildProcess): void {
    this.#processes = [...this.#processes, child];
    for (const socket of this.#waiting.splice(0)) this.take(socket);
  }

  remove(child: ChildProcess): void {
    this.#processes = this.#processes.filter((other) => other !== child);
    for (const [id, { socket, to }] of this.#given) {
      if (to !== child) continue;
      this.#given.delete(id);
      this.take(socket);
    }
  }

  take(socket: Socket): void {
    // The client may leave early.
    if (socket.listenerCount('error') === 0) socket.on('error', () => undefined);
    const to = this.#processes[this.#turn++ % this.#processes.length];
    if (!to) {
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(socket);
      else socket.destroy();
      return;
    }
    const id = ++this.#last;
    this.#given.set(id, { socket, to });
    if (to.connected) to.send({ connection: id }, socket, { keepOpen: true }, () => undefined);
  }

  accepted(id: number): void {
    this.#given.get(id)?.socket.destroy();
    this.#given.delete(id);
  }

  close(): void {
    for (const { socket } of this.#given.values()) socket.destroy();
    for (const socket of this.#waiting) socket.destroy();
  }
}
