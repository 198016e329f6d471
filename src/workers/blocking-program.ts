import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import { killAtExit } from '../base/bound-child.ts';
import { locateScript } from './script.ts';

export interface BlockingOptions {
  /** The program's name in messages. */
  readonly name: string;
  /** A command line for the system's shell. */
  readonly command: string;
  /** Maximum wait for a pending answer. */
  readonly timeoutMs: number;
}

/** The data for starting the thread that talks to the program. */
export interface BlockingOrders extends BlockingOptions {
  readonly port: MessagePort;
  /** Counts the replies. */
  readonly clock: Int32Array;
}

export interface BlockingRequest {
  /** Undefined to end the program. */
  readonly question: object | undefined;
}

export type BlockingReply =
  { readonly answer: Readonly<Record<string, unknown>> } | { readonly failure: string };

const SCRIPT = {
  name: 'dragoman-program',
  source: 'workers/blocking-thread.ts',
  bundled: 'blocking-thread.js',
};

/** The time from a program's end to its report, including the retry of a question on which it crashed. */
const REPORT_MS = 10_000;
const CLOSE_MS = 5_000;

interface ProgramLine {
  readonly thread: Worker;
  readonly port: MessagePort;
  readonly clock: Int32Array;
  readonly forget: () => void;
}

/**
 * A long-lived program that answers JSON lines, for callers that cannot await a promise: a thread talks to the program,
 * and the caller's thread blocks until the answer arrives. The program starts with the first question, and again after
 * it ended; a question on which it crashes is retried once. The code that creates it closes it.
 */
export class BlockingProgram {
  readonly #options: BlockingOptions;
  #line: ProgramLine | undefined;

  constructor(options: BlockingOptions) {
    this.#options = options;
  }

  /** The members of the answer; otherwise the reason in one clause, with the end of the program's stderr. */
  ask(question: object): BlockingReply {
    const { timeoutMs, name } = this.#options;
    return this.#exchange({ question }, timeoutMs * 2 + REPORT_MS) ?? { failure: `${name} did not end` };
  }

  /** Ends the program and all processes it started. A later question starts it again. */
  close(): void {
    const line = this.#line;
    if (!line) return;
    this.#exchange({ question: undefined }, CLOSE_MS);
    line.forget();
    this.#line = undefined;
    void line.thread.terminate();
  }

  #exchange(request: BlockingRequest, timeoutMs: number): BlockingReply | undefined {
    const { port, clock } = (this.#line ??= this.#start());
    const seen = Atomics.load(clock, 0);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    port.postMessage(request);
    Atomics.wait(clock, 0, seen, timeoutMs);
    const received: { readonly message: BlockingReply } | undefined = receiveMessageOnPort(port);
    return received?.message;
  }

  #start(): ProgramLine {
    const { url, execArgv } = locateScript(SCRIPT);
    const { port1: port, port2 } = new MessageChannel();
    const clock = new Int32Array(new SharedArrayBuffer(4));
    const orders: BlockingOrders = { ...this.#options, port: port2, clock };
    const thread = new Worker(url, {
      workerData: orders,
      transferList: [port2],
      execArgv: [...execArgv],
      name: SCRIPT.name,
    });
    // A failure of the thread appears as a missing answer.
    thread.on('error', () => undefined);
    thread.unref();
    port.unref();
    // Only the thread knows the program's process group, which would outlive this process if the program hangs.
    return { thread, port, clock, forget: killAtExit(() => this.close()) };
  }
}
