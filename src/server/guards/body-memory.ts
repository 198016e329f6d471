import { Refusal } from './refusal.ts';

/** The total size of bodies that may be in memory: 32 of the largest, or thousands of common ones. */
const TOTAL_BYTES = 256 * 1024 * 1024;
/** The largest body. An account may always have one body of this size in memory, unless the memory is full. */
const LARGEST_BYTES = 8 * 1024 * 1024;
/** An account may use 1/4 of the memory that the others leave: 64 MiB if it is alone, which is 64 requests of 1 MiB. */
const SHARE = 4;

const LATER = { 'retry-after': '1' };

/** The memory held by one request. The code that takes it releases it. */
export interface HeldMemory {
  /** @throws Refusal 429 if the account's bodies use up its share, 503 if all bodies together take too much */
  take(bytes: number): void;
  release(): void;
}

/**
 * Limits the memory of all request bodies, so that many large ones cannot crash the process. An account always leaves
 * others more than it takes.
 */
export class BodyMemory {
  readonly #total: number;
  readonly #largest: number;
  readonly #byAccount = new Map<string, number>();
  #taken = 0;

  constructor(total = TOTAL_BYTES, largest = LARGEST_BYTES) {
    this.#total = total;
    this.#largest = largest;
  }

  /**
   * The limit for one of several processes: they share the total, as long as each has room for some of the largest
   * bodies.
   */
  static ofProcesses(count: number): BodyMemory {
    return new BodyMemory(Math.max(TOTAL_BYTES / count, SHARE * LARGEST_BYTES));
  }

  hold(accountId: string): HeldMemory {
    let held = 0;
    return {
      take: (bytes) => {
        const own = this.#byAccount.get(accountId) ?? 0;
        const left = this.#total - (this.#taken - own);
        if (own + bytes > Math.max(left / SHARE, this.#largest))
          throw new Refusal(
            429,
            'the requests of this account have too much data in progress; try again later',
            LATER,
          );
        if (own + bytes > left) throw new Refusal(503, 'the service is overloaded; try again later', LATER);
        this.#add(accountId, bytes);
        held += bytes;
      },
      release: () => {
        this.#add(accountId, -held);
        held = 0;
      },
    };
  }

  #add(accountId: string, bytes: number): void {
    this.#taken += bytes;
    const own = (this.#byAccount.get(accountId) ?? 0) + bytes;
    if (own > 0) this.#byAccount.set(accountId, own);
    else this.#byAccount.delete(accountId);
  }
}
