import { type RowBefore, sizeOfBefore, revisionOf } from '../project/review/undo.ts';
import type { TextRow } from '../project/review/row.ts';
import type { Result } from './protocol.ts';

/** How many results of undone answers are kept for repeated requests: as many as a request can contain. */
const MOST_UNDONE = 1_000;

interface SavedRow {
  readonly before: RowBefore;
  /** The number of the previous answer about the same row. */
  readonly previous: number | undefined;
}

/** Saved answers by number, starting at 1, with the data to undo them. */
export class AnswerHistory {
  readonly #maxBytes: number;
  /** In ascending order of number. */
  readonly #saved = new Map<number, SavedRow>();
  /** The number of the last answer, by row. */
  readonly #last = new Map<string, number>();
  readonly #undone = new Map<number, Result>();
  #bytes = 0;
  #next = 1;

  /** @param maxBytes the size above which the oldest answers are forgotten and can no longer be undone */
  constructor(maxBytes = 64_000_000) {
    this.#maxBytes = maxBytes;
  }

  add(before: RowBefore): void {
    const number = this.#next++;
    this.#saved.set(number, { before, previous: this.#last.get(before.id) });
    this.#last.set(before.id, number);
    this.#bytes += sizeOfBefore(before);
    for (const oldest of this.#saved.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#forget(oldest);
    }
  }

  /** The data to undo this answer about this row, if it is known. */
  find(number: number, id: string): RowBefore | undefined {
    const before = this.#saved.get(number)?.before;
    return before?.id === id ? before : undefined;
  }

  /** The number of the last answer about the row, if the row has not changed since. */
  numberOf(row: TextRow): number | undefined {
    let number = this.#last.get(row.id);
    if (number === undefined) return undefined;
    const stand = revisionOf(row);
    for (; number !== undefined; number = this.#saved.get(number)?.previous)
      if (this.#saved.get(number)?.before.saved === stand) return number;
    return undefined;
  }

  /** Call this after an answer was undone. */
  finish(number: number, resultOf: () => Result): void {
    this.#forget(number);
    this.#undone.set(number, resultOf());
    const [oldest] = this.#undone.keys();
    if (oldest !== undefined && this.#undone.size > MOST_UNDONE) this.#undone.delete(oldest);
  }

  /** The result of undoing this answer about this row. */
  resultOf(number: number, id: string): Result | undefined {
    const result = this.#undone.get(number);
    return result?.id === id ? result : undefined;
  }

  #forget(number: number): void {
    const saved = this.#saved.get(number);
    if (!saved) return;
    const { before, previous } = saved;
    this.#saved.delete(number);
    this.#bytes -= sizeOfBefore(before);
    if (this.#last.get(before.id) !== number) return;
    if (previous !== undefined && this.#saved.has(previous)) this.#last.set(before.id, previous);
    else this.#last.delete(before.id);
  }
}
