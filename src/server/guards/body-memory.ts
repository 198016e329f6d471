import { Refusal } from './refusal.ts';

/** So many bytes of bodies may be in memory at once: 32 of the largest, or thousands of common ones. */
const TOTAL_BYTES = 256 * 1024 * 1024;

/** What one request holds of it. Whoever holds releases. */
export interface HeldMemory {
  /** @throws Refusal 503 when all together have too much. */
  take(bytes: number): void;
  release(): void;
}

/** Bounds what the bodies of all requests take together, so that many large ones cannot end the process. */
export class BodyMemory {
  readonly #total: number;
  #taken = 0;

  constructor(total = TOTAL_BYTES) {
    this.#total = total;
  }

  hold(): HeldMemory {
    let held = 0;
    return {
      take: (bytes) => {
        if (this.#taken + bytes > this.#total) {
          throw new Refusal(503, 'the service is overloaded; try again later', {
            'retry-after': '1',
          });
        }
        this.#taken += bytes;
        held += bytes;
      },
      release: () => {
        this.#taken -= held;
        held = 0;
      },
    };
  }
}
