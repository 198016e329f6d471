import type { DragomanError } from '../base/errors.ts';
import { interrupted } from '../base/interruption.ts';
import { ProcessGroup, type ProcessEnding, type ChildProgram } from './process-group.ts';

/** A parsed frame: an answer to the question with that number, or invalid output. */
export type ConversationFrame<A> = { readonly id: number; readonly answer: A } | { readonly garbage: string };

/**
 * The answer to a question, or why it failed. `hung`: the program exceeded its time, so a retry would only wait again.
 */
export type Reply<A> = { readonly answer: A } | { readonly failure: string; readonly hung: boolean };

/** The protocol of one kind of long-lived program that answers questions. */
export interface Wire<Q, A> {
  /** The byte that ends every frame in both directions. */
  readonly delimiter: number;
  readonly maxFrameBytes: number;
  /** Whether answers must arrive in the order of the questions. */
  readonly ordered: boolean;
  /** Encodes a question as a frame, with the delimiter. */
  encode(id: number, question: Q): string;
  decode(frame: Buffer, question: (id: number) => Q | undefined): ConversationFrame<A>;
}

interface PendingQuestion<Q, A> {
  readonly question: Q;
  readonly signal: AbortSignal;
  readonly sentAt: number;
  readonly resolve: (reply: Reply<A>) => void;
  readonly reject: (error: DragomanError) => void;
  /** Whether to send the question alone and not repeat it: it is a retry, or known to crash the program. */
  readonly alone: boolean;
  abandoned: boolean;
}

export interface ConversationOptions<Q, A> {
  readonly name: string;
  readonly program: ChildProgram;
  readonly wire: Wire<Q, A>;
  /** Concurrent questions. */
  readonly window: number;
  /** Maximum silence while an answer is pending. */
  readonly timeoutMs: number;
}

/** Limits the wait of any question to this multiple of the maximum silence, even if other answers arrive. */
const OLDEST_FACTOR = 4;
/** After this many crashes in a row without an answer, waiting questions no longer restart the program. */
const MAX_ENDINGS = 5;
const GRACE_MS = 1000;

/**
 * Questions and answers with one long-lived program. It starts with the first question, and again after it ended.
 * Questions in flight at a crash are repeated once, each alone, so that a question that crashes the program does not
 * affect others; a second crash is reported. A program with invalid output is ended and treated like a crash.
 */
export class Conversation<Q, A> {
  readonly #options: ConversationOptions<Q, A>;
  #group: ProcessGroup | undefined;
  /** Programs that are ending, or that ended while questions wait. */
  readonly #ending = new Set<Promise<void>>();
  #waiting: PendingQuestion<Q, A>[] = [];
  #suspects: PendingQuestion<Q, A>[] = [];
  readonly #inFlight = new Map<number, PendingQuestion<Q, A>>();
  #lastId = 0;
  #endings = 0;
  #neverAnswered = true;
  #lastEnding: ProcessEnding | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastAnswerAt = 0;
  #closed = false;

  constructor(options: ConversationOptions<Q, A>) {
    this.#options = options;
  }

  /** Whether the program has crashed so often without an answer that waiting questions no longer restart it. */
  get broken(): boolean {
    return this.#endings >= MAX_ENDINGS;
  }

  /** How the program ended, if it never answered. */
  get stillborn(): ProcessEnding | undefined {
    return this.#neverAnswered ? this.#lastEnding : undefined;
  }

  get idle(): boolean {
    return this.#inFlight.size + this.#waiting.length + this.#suspects.length === 0;
  }

  /**
   * @param alone ask while nothing else is in flight, and do not repeat it after a crash
   * @throws DragomanError `interrupted` if `signal` aborts
   */
  ask(question: Q, signal: AbortSignal, alone = false): Promise<Reply<A>> {
    if (this.#closed || signal.aborted) return Promise.reject(interrupted());
    return new Promise((resolve, reject) => {
      const pending = { question, signal, sentAt: 0, resolve, reject, alone, abandoned: false };
      (alone ? this.#suspects : this.#waiting).push(pending);
      this.#pump();
    });
  }

  /** Rejects waiting questions that use this signal. */
  withdraw(signal: AbortSignal): void {
    this.#waiting = this.#waiting.filter((pending) => !drop(pending, signal));
    this.#suspects = this.#suspects.filter((pending) => !drop(pending, signal));
  }

  /** Rejects all questions that use this signal. Ends the program if nothing else is in flight. */
  abandon(signal: AbortSignal): void {
    this.withdraw(signal);
    for (const pending of this.#inFlight.values()) drop(pending, signal);
    if (this.#inFlight.size > 0 && [...this.#inFlight.values()].every((pending) => pending.abandoned)) {
      this.#endProgram(undefined);
    }
  }

  /** Ends the program, and rejects open questions as interrupted. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#waiting, ...this.#suspects, ...this.#inFlight.values()];
    const busy = this.#inFlight.size > 0;
    this.#waiting = [];
    this.#suspects = [];
    this.#inFlight.clear();
    clearTimeout(this.#timer);
    for (const pending of open) pending.reject(interrupted());
    const group = this.#group;
    this.#group = undefined;
    if (group) await (busy ? group.terminate() : group.finish(GRACE_MS));
    await Promise.all(this.#ending);
  }

  #pump(): void {
    if (this.#closed || this.#ending.size > 0) return;
    while (this.#inFlight.size < this.#options.window) {
      const alone = this.#inFlight.values().next().value?.alone ?? false;
      if (alone || (this.#suspects.length > 0 && this.#inFlight.size > 0)) break;
      const next = this.#suspects.shift() ?? this.#waiting.shift();
      if (!next) break;
      this.#send(next);
    }
    this.#watch();
  }

  #send(pending: PendingQuestion<Q, A>): void {
    this.#group ??= this.#start();
    const id = ++this.#lastId;
    if (this.#inFlight.size === 0) this.#lastAnswerAt = performance.now();
    this.#inFlight.set(id, { ...pending, sentAt: performance.now() });
    this.#group.write(this.#options.wire.encode(id, pending.question));
  }

  #start(): ProcessGroup {
    const { wire, program } = this.#options;
    const reader = new FrameReader(wire.delimiter, wire.maxFrameBytes);
    const group = new ProcessGroup(program, (chunk) => {
      if (this.#group !== group) return;
      const frames = reader.push(chunk);
      if (!frames) return this.#endProgram(`answered more than ${wire.maxFrameBytes} bytes at once`);
      for (const frame of frames) {
        if (this.#group !== group) return;
        this.#read(frame);
      }
      this.#pump();
    });
    void this.#awaitEnd(group);
    return group;
  }

  async #awaitEnd(group: ProcessGroup): Promise<void> {
    const ending = await group.ended;
    if (this.#group !== group) return;
    this.#group = undefined;
    // An idle program may end at any time without counting as a crash.
    if (this.#inFlight.size > 0) this.#endings++;
    this.#recover(ending);
  }

  #read(frame: Buffer): void {
    const { wire } = this.#options;
    const message = wire.decode(frame, (id) => this.#inFlight.get(id)?.question);
    if ('garbage' in message) return this.#endProgram(message.garbage);
    const pending = this.#inFlight.get(message.id);
    if (!pending) return this.#endProgram(`answered an unknown request (id ${message.id})`);
    if (wire.ordered && this.#inFlight.keys().next().value !== message.id) {
      return this.#endProgram('answered out of order');
    }
    this.#inFlight.delete(message.id);
    this.#endings = 0;
    this.#neverAnswered = false;
    this.#lastAnswerAt = performance.now();
    pending.resolve({ answer: message.answer });
  }

  /** Ends an unusable program. Without a reason, this does not count as a failure. */
  #endProgram(reason: string | undefined): void {
    const group = this.#group;
    if (!group) return;
    this.#group = undefined;
    if (reason !== undefined) this.#endings++;
    const gone = group.terminate();
    this.#ending.add(gone);
    void this.#goOnAfter(gone, reason, group);
  }

  async #goOnAfter(gone: Promise<void>, reason: string | undefined, group: ProcessGroup): Promise<void> {
    await gone;
    this.#ending.delete(gone);
    if (reason === undefined) this.#inFlight.clear();
    else this.#recover({ exitCode: undefined, reason: group.withStderr(reason) });
    this.#pump();
  }

  #recover(ending: ProcessEnding): void {
    if (this.#closed) return;
    const lost = [...this.#inFlight.values()].filter((pending) => !pending.abandoned);
    this.#inFlight.clear();
    this.#lastEnding = ending;
    const again: PendingQuestion<Q, A>[] = [];
    for (const pending of lost) {
      if (pending.signal.aborted) drop(pending, pending.signal);
      else if (pending.alone) pending.resolve(this.#failed(ending.reason));
      else again.push({ ...pending, alone: true });
    }
    this.#suspects = [...again, ...this.#suspects];
    if (this.broken) this.#giveUp(ending.reason);
    this.#pump();
  }

  #giveUp(reason: string): void {
    const all = [...this.#suspects, ...this.#waiting];
    this.#suspects = [];
    this.#waiting = [];
    for (const pending of all) pending.resolve(this.#failed(reason));
  }

  #failed(reason: string, hung = false): Reply<A> {
    return { failure: `${this.#options.name} ${reason}`, hung };
  }

  #watch(): void {
    clearTimeout(this.#timer);
    const oldest = this.#inFlight.values().next().value;
    if (!oldest) return;
    const { timeoutMs } = this.#options;
    const due = Math.min(this.#lastAnswerAt + timeoutMs, oldest.sentAt + timeoutMs * OLDEST_FACTOR);
    this.#timer = setTimeout(() => this.#timeOut(), Math.max(1, due - performance.now()));
  }

  /** The oldest question is considered the cause, and does not get the same time again. */
  #timeOut(): void {
    const first = this.#inFlight.entries().next().value;
    if (!first) return;
    const [id, oldest] = first;
    const reason = `gave no answer within ${this.#options.timeoutMs / 1000} s`;
    this.#inFlight.delete(id);
    oldest.resolve(this.#failed(reason, true));
    this.#endProgram(reason);
  }
}

/** Rejects a question if it uses this signal. */
function drop<Q, A>(pending: PendingQuestion<Q, A>, signal: AbortSignal): boolean {
  if (pending.signal !== signal) return false;
  pending.abandoned = true;
  pending.reject(interrupted());
  return true;
}

/** Splits a byte stream into frames that end with a delimiter byte. */
export class FrameReader {
  readonly #delimiter: number;
  readonly #limit: number;
  #parts: Buffer[] = [];
  #size = 0;

  /** @param limit maximum bytes of a frame */
  constructor(delimiter: number, limit: number) {
    this.#delimiter = delimiter;
    this.#limit = limit;
  }

  /** The frames that `chunk` completes, without delimiters. Undefined if one exceeds the limit. */
  push(chunk: Buffer): Buffer[] | undefined {
    const frames: Buffer[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(this.#delimiter, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      this.#size += part.length;
      if (this.#size > this.#limit) return undefined;
      this.#parts.push(part);
      if (end < 0) return frames;
      frames.push(this.#parts.length === 1 ? part : Buffer.concat(this.#parts));
      this.#parts = [];
      this.#size = 0;
      start = end + 1;
    }
  }
}
