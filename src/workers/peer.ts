import { fork, type ChildProcess } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { startChild } from '../base/bound-child.ts';
import { compiledCodeVariable } from '../base/compiled-code.ts';
import { neededEnvironment } from './environment.ts';
import type { FromWorker, ToWorker, WorkerProtocol } from './protocol.ts';
import { locateScript, type WorkerScript } from './script.ts';

export type LossReason = 'crash' | 'memory' | 'time' | 'closed';

/** The worker ended before it finished, possibly not because of this work. */
export class WorkerLost extends Error {
  readonly reason: LossReason;
  /** The number of calls that failed with the worker. If there are several, the cause is unknown. */
  calls = 1;

  /** @param message one clause whose subject is the work */
  constructor(message: string, reason: LossReason = 'crash') {
    super(message);
    this.reason = reason;
  }
}

/** `thread`: starts fast and shares WebAssembly memory. `process`: running out of memory does not affect others. */
export type WorkerKind = 'thread' | 'process';

/** A thread or process that runs a script of the program. */
export interface Peer<P extends WorkerProtocol> {
  /** Resolves with the reason when the peer has ended, even if it never started. */
  readonly ended: Promise<WorkerLost>;
  post(message: ToWorker<P>): void;
  /** Sets whether the peer keeps this program alive. */
  hold(isHeld: boolean): void;
  /** Ends the peer at once, even during a computation. Resolves when its memory is free. */
  kill(): Promise<void>;
}

type Receive<P extends WorkerProtocol> = (message: FromWorker<P>) => void;

const OUT_OF_MEMORY = 'needs too much memory';
const UNEXPECTED = 'ended unexpectedly';

export interface HeapSize {
  /** The memory limit. A worker that reaches it ends with `memory`. */
  readonly megabytes: number;
  /** Megabytes for young objects. Default: Node's. */
  readonly young?: number | undefined;
}

export function startPeer<P extends WorkerProtocol>(
  kind: WorkerKind,
  script: WorkerScript,
  heap: HeapSize,
  receive: Receive<P>,
): Peer<P> {
  return kind === 'thread' ? startThread(script, heap, receive) : startProcess(script, heap, receive);
}

function startThread<P extends WorkerProtocol>(
  script: WorkerScript,
  { megabytes, young }: HeapSize,
  receive: Receive<P>,
): Peer<P> {
  const { url, execArgv } = locateScript(script);
  const thread = new Worker(url, {
    execArgv: [...execArgv],
    env: { ...process.env, ...compiledCodeVariable() },
    resourceLimits: {
      maxOldGenerationSizeMb: megabytes,
      ...(young !== undefined && { maxYoungGenerationSizeMb: young }),
    },
    name: script.name,
  });
  thread.on('message', receive);
  const ended = new Promise<WorkerLost>((resolve) => {
    thread.on('error', (error: Error & { code?: string }) => {
      const isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      resolve(
        isOutOfMemory
          ? new WorkerLost(OUT_OF_MEMORY, 'memory')
          : new WorkerLost(`crashed: ${error.message}`, 'crash'),
      );
    });
    thread.once('exit', () => resolve(new WorkerLost(UNEXPECTED)));
  });
  return {
    ended,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only applies to windows
    post: (message) => thread.postMessage(message),
    hold: (isHeld) => (isHeld ? thread.ref() : thread.unref()),
    async kill() {
      // Keeps this program alive until the thread has ended, so that callers who wait for it do not hang.
      thread.ref();
      await thread.terminate();
    },
  };
}

/** V8 divides the young objects into three such spaces. */
const SEMI_SPACES = 3;

function startProcess<P extends WorkerProtocol>(
  script: WorkerScript,
  { megabytes, young }: HeapSize,
  receive: Receive<P>,
): Peer<P> {
  const { url, execArgv } = locateScript(script);
  const start = (): ChildProcess =>
    fork(url, [], {
      execArgv: [
        ...execArgv,
        `--max-old-space-size=${megabytes}`,
        ...(young === undefined ? [] : [`--max-semi-space-size=${young / SEMI_SPACES}`]),
      ],
      serialization: 'advanced',
      env: { ...neededEnvironment(process.env), ...compiledCodeVariable() },
      // V8's crash report is not needed.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  const { child, forget } = startChild(start, (started) => started.kill('SIGKILL'));
  child.on('message', receive);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ended = new Promise<WorkerLost>((resolve) => {
    child.on('error', (error) => resolve(new WorkerLost(`crashed: ${error.message}`)));
    child.once('exit', (code, signal) => {
      forget();
      // V8 aborts a process that reaches its heap limit, and the system kills one when memory runs out.
      const isOutOfMemory = signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134;
      resolve(isOutOfMemory ? new WorkerLost(OUT_OF_MEMORY, 'memory') : new WorkerLost(UNEXPECTED));
    });
  });
  return {
    ended,
    post(message) {
      // If the child has ended, `ended` reports that.
      if (child.connected) child.send(message, () => undefined);
    },
    hold(isHeld) {
      for (const held of [child, child.channel]) {
        if (isHeld) held?.ref();
        else held?.unref();
      }
    },
    async kill() {
      // Without an id, the child never started.
      if (child.pid === undefined) return forget();
      // Keeps this program alive until the child has ended, so that callers who wait for it do not hang.
      child.ref();
      child.kill('SIGKILL');
      await gone;
    },
  };
}
