import type { Socket } from 'node:net';
import { within } from '../../base/within.ts';

/** A channel for messages to or from another process. */
export interface LineEnd {
  /** Messages to an ended process are dropped. */
  send(message: object): void;
  onMessage(receive: (message: unknown, socket?: Socket) => void): void;
}

/** One side's handlers by name. A synchronous answer is sent before anything that the side sends later. */
type Calls<C> = { readonly [K in keyof C]: (argument: never) => unknown };
type Name<C> = keyof C & string;
type Argument<C extends Calls<C>, K extends keyof C> = Parameters<C[K]>[0];
type Answer<C extends Calls<C>, K extends keyof C> = Awaited<ReturnType<C[K]>>;

interface Message {
  readonly call?: string;
  readonly argument?: unknown;
  /** The id of a question, repeated in its answer. */
  readonly id?: number;
  readonly answer?: unknown;
  readonly isFailed?: boolean;
}

interface WaitingAnswer {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Questions and answers between two processes, in both directions. Other messages are ignored. */
export class ProcessChannel<Theirs extends Calls<Theirs>> {
  readonly #end: LineEnd;
  readonly #waiting = new Map<number, WaitingAnswer>();
  #last = 0;
  #isClosed = false;

  constructor(end: LineEnd, own: Readonly<Record<string, (argument: never) => unknown>>) {
    this.#end = end;
    const handlers = new Map(Object.entries(own));
    end.onMessage((message) => {
      if (this.#isClosed || !isMessage(message)) return;
      const { call, argument, id } = message.dragoman;
      if (call === undefined) return this.#settle(message.dragoman);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both sides are of one version of the program
      const answer = handlers.get(call)?.(argument as never);
      if (id === undefined) return;
      if (answer instanceof Promise) {
        answer.then(
          (value: unknown) => this.#send({ id, answer: value }),
          () => this.#send({ id, isFailed: true }),
        );
      } else this.#send({ id, answer });
    });
  }

  /** Waits as long as the other side lives; set a time limit in the caller. */
  ask<K extends Name<Theirs>>(call: K, argument: Argument<Theirs, K>): Promise<Answer<Theirs, K>> {
    const id = ++this.#last;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer is that of the call
    return new Promise<unknown>((resolve, reject) => {
      if (this.#isClosed) return reject(gone());
      this.#waiting.set(id, { resolve, reject });
      this.#send({ call, argument, id });
    }) as Promise<Answer<Theirs, K>>;
  }

  /** Sends a message that has no answer. */
  tell<K extends Name<Theirs>>(call: K, argument: Argument<Theirs, K>): void {
    this.#send({ call, argument });
  }

  /** Call this when the other side has ended: open questions fail. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(gone());
    this.#waiting.clear();
  }

  #settle({ id = 0, answer, isFailed }: Message): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (isFailed) waiting?.reject(new Error('another process of the server could not answer'));
    else waiting?.resolve(answer);
  }

  #send(message: Message): void {
    if (!this.#isClosed) this.#end.send({ dragoman: message });
  }
}

function gone(): Error {
  return new Error('another process of the server has ended');
}

function isMessage(message: unknown): message is { readonly dragoman: Message } {
  return typeof message === 'object' && message !== null && 'dragoman' in message;
}

/** Resolves to the answer, or to `otherwise` if the answer takes longer than `ms`. */
export function answerWithin<T>(answer: Promise<T>, ms: number, otherwise: T): Promise<T> {
  return within(
    answer.catch(() => otherwise),
    ms,
    () => otherwise,
  );
}
