import type { MemoryFile } from './memory-file.ts';

export interface Use {
  readonly message: number;
  readonly project: number;
  readonly context: string;
  /** The previous use. */
  readonly used: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_WAITING = 10_000;

/** Records the uses of translations at intervals, at most once a day for each translation. */
export class Uses {
  readonly #file: MemoryFile;
  readonly #now: () => number;
  readonly #isReading: boolean;
  readonly #waiting = new Map<
    string,
    readonly [message: number, pair: number, project: number, context: string]
  >();

  /** @param isReading whether the file is only read, in which case uses are not recorded */
  constructor(file: MemoryFile, now: () => number, isReading: boolean) {
    this.#file = file;
    this.#now = now;
    this.#isReading = isReading;
  }

  note({ message, project, context, used }: Use, pair: number): void {
    if (this.#isReading || this.#now() - used < DAY_MS) return;
    this.#waiting.set(`${message} ${pair} ${project} ${context}`, [message, pair, project, context]);
  }

  get isUrgent(): boolean {
    return this.#waiting.size >= MOST_WAITING;
  }

  /** Writes the collected uses. */
  write(): void {
    if (this.#waiting.size === 0) return;
    const now = this.#now();
    this.#file.transaction(() => {
      for (const place of this.#waiting.values()) {
        this.#file.run(
          `update translations set used = ?
           where message = ? and pair = ? and project = ? and context = ?`,
          [now, ...place],
        );
      }
    });
    this.#waiting.clear();
  }

  /** Like {@link write}, but drops uses that cannot be written. */
  tryToWrite(): void {
    try {
      this.write();
    } catch {
      this.#waiting.clear();
    }
  }
}
