import { Refusal } from './refusal.ts';

/** The number of bytes of bodies that may be in memory at once: 32 of the largest, or thousands of common ones. */
const TOTAL_BYTES = 256 * 1024 * 1024;
/** The largest body, which an account may always have where there is room at all. */
const LARGEST_BYTES = 8 * 1024 * 1024;
/** An account has at most this part of what the others leave: alone 64 MiB, which is 64 requests of 1 MiB. */
const SHARE = 4;

const LATER = { 'retry-after': '1' };

/** The share of one request. The holder releases it. */
export interface HeldMemory {
  /**
   * @throws Refusal 429 when the bodies of the account have its share, 503 when all together have too much.
   */
  take(bytes: number): void;
  release(): void;
}

/**
 * Bounds what the bodies of all requests take together, so that many large ones cannot end the process. Each account
 * leaves others more than it takes, however many large bodies it sends.
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

  /** Of one of several processes: they have the same together, as long as each can have some of the largest bodies. */
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
