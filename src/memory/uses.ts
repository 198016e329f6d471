import type { MemoryFile } from './memory-file.ts';

export interface Use {
  readonly message: number;
  readonly pair: number;
  readonly context: string;
  /** When it was used before. */
  readonly used: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_WAITING = 10_000;

/** Which translations were found: written down now and then, and once a day for each. */
export class Uses {
  readonly #file: MemoryFile;
  readonly #now: () => number;
  #waiting = new Map<string, Use>();

  constructor(file: MemoryFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  note(use: Use): void {
    if (this.#now() - use.used < DAY_MS) return;
    this.#waiting.set(`${use.message} ${use.pair} ${use.context}`, use);
  }

  get isUrgent(): boolean {
    return this.#waiting.size >= MOST_WAITING;
  }

  /** Writes down what was used. It is taken out only when that is done. */
  write(): void {
    if (this.#waiting.size === 0) return;
    const writing = this.#waiting;
    this.#waiting = new Map();
    const now = this.#now();
    try {
      this.#file.transaction(() => {
        for (const { message, pair, context } of writing.values()) {
          this.#file.run('update translations set used = ? where message = ? and pair = ? and context = ?', [
            ...[now, message, pair],
            context,
          ]);
        }
      });
    } catch (error) {
      for (const [key, use] of this.#waiting) writing.set(key, use);
      this.#waiting = writing;
      throw error;
    }
  }
}
