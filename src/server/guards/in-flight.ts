import { Refusal } from './refusal.ts';

/** Requests in work, by key (`concurrency` and `effective_concurrency` of the account summary). */
export class InFlight {
  readonly limit: number;
  readonly #counts = new Map<string, number>();
  #onIdle: (() => void) | undefined;

  constructor(limit: number) {
    this.limit = limit;
  }

  of(keyId: string): number {
    return this.#counts.get(keyId) ?? 0;
  }

  /**
   * Counts a request whose body is there: slow senders take no place. Whoever enters leaves, once.
   *
   * @param limit of the key's account, where that is lower
   *
   * @throws Refusal 429 when the key has as many in work as it may.
   */
  enter(keyId: string, limit = this.limit): () => void {
    const count = this.of(keyId);
    if (count >= Math.min(limit, this.limit)) {
      throw new Refusal(429, 'too many requests of this key are in work; try again later', {
        'retry-after': '1',
      });
    }
    this.#counts.set(keyId, count + 1);
    return () => {
      const left = this.of(keyId) - 1;
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
