import { Refusal } from './refusal.ts';

/** The other processes of a server, whose requests count as well. */
export interface OthersInFlight {
  /** How many processes there are, including this one. */
  readonly processes: number;
  /** Whether a key's requests are counted centrally, because one process exceeds its share of them. */
  isShared(keyId: string): boolean;
  /** Counts one more request until {@link leave}, and returns true; returns false at the limit. */
  enter(keyId: string, limit: number): Promise<boolean>;
  leave(keyId: string): void;
  /** The requests in progress in all processes. */
  inWork(keyId: string): Promise<number>;
  /** Sets the function that tells the other processes the count of this one. */
  countBy(inWork: (keyId: string) => number): void;
}

/** Requests in progress by key (`concurrency` and `effective_concurrency` of the account summary). */
export class InFlight {
  readonly limit: number;
  readonly #others: OthersInFlight | undefined;
  readonly #counts = new Map<string, number>();
  #onIdle: (() => void) | undefined;

  constructor(limit: number, others?: OthersInFlight) {
    this.limit = limit;
    this.#others = others;
    others?.countBy((keyId) => this.#of(keyId));
  }

  /** The requests of a key in all processes of the server. */
  async of(keyId: string): Promise<number> {
    return this.#others?.inWork(keyId) ?? this.#of(keyId);
  }

  #of(keyId: string): number {
    return this.#counts.get(keyId) ?? 0;
  }

  /**
   * Counts a request whose body has arrived: slow senders do not count. Call the result once to leave. Returns a
   * promise only if the other processes must be asked.
   *
   * @param limit of the key's account, if that is lower
   *
   * @throws Refusal 429 if the key has reached its limit
   */
  enter(keyId: string, limit = this.limit): (() => void) | Promise<() => void> {
    const most = Math.min(limit, this.limit);
    const others = this.#others;
    if (!others) return this.#admit(keyId, this.#of(keyId) < most);
    // A process admits its own share without asking. No await separates the check from the count.
    if (!others.isShared(keyId) && this.#of(keyId) < Math.floor(most / others.processes))
      return this.#admit(keyId, true);
    return others.enter(keyId, most).then((mayEnter) => this.#admit(keyId, mayEnter));
  }

  #admit(keyId: string, mayEnter: boolean): () => void {
    if (!mayEnter) {
      throw new Refusal(429, 'too many requests of this key are in progress; try again later', {
        'retry-after': '1',
      });
    }
    this.#counts.set(keyId, this.#of(keyId) + 1);
    return () => {
      if (this.#others?.isShared(keyId)) this.#others.leave(keyId);
      const left = this.#of(keyId) - 1;
      if (left > 0) this.#counts.set(keyId, left);
      else this.#counts.delete(keyId);
      if (this.#counts.size === 0) this.#onIdle?.();
    };
  }

  /** Resolves when no request is in progress, even for departed clients; after `limitMs` at the latest. */
  async idle(limitMs: number): Promise<void> {
    if (this.#counts.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
