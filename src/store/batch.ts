import type { Database, Sql } from './database.ts';
import type { WriteOptions } from './write-queue.ts';

interface Waiting<Call, Answer> {
  readonly call: Call;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Does many small calls as one work of the database: all that arrive until the transaction begins, which is at least
 * the current tick. Sixty-four requests at once then cost little more than one.
 */
export class Batch<Call, Answer> {
  readonly #database: Database;
  readonly #perform: (sql: Sql, calls: readonly Call[]) => Promise<readonly Answer[]>;
  readonly #options: WriteOptions;
  #waiting: Waiting<Call, Answer>[] = [];

  /** @param perform gives one answer per call, in their order; when it throws, all of its calls fail */
  constructor(
    database: Database,
    perform: (sql: Sql, calls: readonly Call[]) => Promise<readonly Answer[]>,
    options: WriteOptions,
  ) {
    this.#database = database;
    this.#perform = perform;
    this.#options = options;
  }

  /** Resolves when the transaction that `call` was part of is committed. */
  add(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      if (this.#waiting.length === 1) void this.#write();
    });
  }

  async #write(): Promise<void> {
    let taken: Waiting<Call, Answer>[] = [];
    try {
      const answers = await this.#database.write((sql) => {
        taken = this.#take();
        return this.#perform(
          sql,
          taken.map(({ call }) => call),
        );
      }, this.#options);
      if (answers.length !== taken.length) throw new Error('a batch has an answer for each call');
      for (const [i, answer] of answers.entries()) taken[i]?.resolve(answer);
    } catch (error) {
      // If the transaction could not even begin, the calls are still unanswered.
      if (taken.length === 0) taken = this.#take();
      for (const waiting of taken) waiting.reject(error);
    }
  }

  #take(): Waiting<Call, Answer>[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
