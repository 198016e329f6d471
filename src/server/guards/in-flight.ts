import { Refusal } from './refusal.ts';

/** The other processes of a server, whose requests count as well. */
export interface OthersInFlight {
  /** With this one. */
  readonly processes: number;
  /** Whether the requests of a key are counted in one place, because a process has more than its part of them. */
  isShared(keyId: string): boolean;
  /** Counts one more request until {@link leave}, unless the limit is reached; then false. */
  enter(keyId: string, limit: number): Promise<boolean>;
  leave(keyId: string): void;
  /** Of all processes. */
  inWork(keyId: string): Promise<number>;
  /** How they ask for what this one counts. */
  countBy(inWork: (keyId: string) => number): void;
}

/** Requests in work, by key (`concurrency` and `effective_concurrency` of the account summary). */
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

  /** Of all processes of the server. */
  async of(keyId: string): Promise<number> {
    return this.#others?.inWork(keyId) ?? this.#of(keyId);
  }

  #of(keyId: string): number {
    return this.#counts.get(keyId) ?? 0;
  }

  /**
   * Counts a request whose body has arrived: slow senders do not count. Each request that enters leaves once.
   *
   * @param limit of the key's account, where that is lower
   *
   * @throws Refusal 429 when the key has as many in work as it may.
   */
  async enter(keyId: string, limit = this.limit): Promise<() => void> {
    const most = Math.min(limit, this.limit);
    const others = this.#others;
    // A process admits its own share without asking. Counted before anything else happens.
    const isAlone =
      others && !others.isShared(keyId) && this.#of(keyId) < Math.floor(most / others.processes);
    const mayEnter = isAlone || (others ? await others.enter(keyId, most) : this.#of(keyId) < most);
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

  /** Resolves when none is in work, also none whose client is gone; after `limitMs` at the latest. */
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
