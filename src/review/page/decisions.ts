import type { Answer, Result, Row, Verdict } from '../protocol.ts';
import { checkForm } from './checks.ts';
import { isMissing } from './filter.ts';
import { RefusedRequest } from './sources.ts';
import type { Draft, ReviewStore } from './store.ts';
import { wording } from './wording.ts';

interface Waiting {
  readonly answer: Answer;
  readonly draft: Draft | undefined;
  readonly done: (result: Result) => void;
}

/** The maximum number of answers per request. */
const MAX_BATCH = 500;
/** Milliseconds before an unsent request is tried again. */
const RETRY_AFTER = 3_000;

interface SavedAnswer {
  readonly id: string;
  readonly number: number;
}

export interface RowDecision {
  readonly verdict?: Verdict;
  readonly values?: readonly string[];
  readonly note?: string;
}

/** A decision that waits for its note. */
export interface NoteRequest {
  readonly verdict: 'rejected' | 'needs-review';
  /** The row when the dialog opened. */
  readonly row: Row;
}

/** Sends answers in order, one request at a time, and can undo them. */
export class Decisions {
  readonly #store: ReviewStore;
  /** Answers of rows that were decided together; the last group comes last. */
  readonly #history: (readonly SavedAnswer[])[] = [];
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;

  constructor(store: ReviewStore) {
    this.#store = store;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#sending === undefined;
  }

  get canUndo(): boolean {
    return this.#history.length > 0;
  }

  /** Decides about rows as the user saw them. Resolves when all answers are saved, refused or in conflict. */
  async decide(rows: readonly Row[], decisionOf: (row: Row) => RowDecision): Promise<readonly Result[]> {
    const results = await Promise.all(
      rows.map((row) => {
        const decision = decisionOf(row);
        const draft = decision.values && this.#store.drafts.get(row.id);
        return this.#send(
          { ...seenAs(draft?.row ?? row), ...decision, values: copyOf(decision.values) },
          draft,
        );
      }),
    );
    // An answer whose result was lost, and that was sent again, already has a number here.
    const known = new Set(this.#history.flat().map(({ number }) => number));
    const saved = results.flatMap((result) => {
      const number = result.kind === 'saved' ? result.number : undefined;
      return number === undefined || known.has(number) ? [] : { id: result.id, number };
    });
    if (saved.length > 0) this.#history.push(saved);
    return results;
  }

  /** Undoes the last group of decisions. @returns the restored rows */
  async undo(): Promise<readonly Row[]> {
    while (!this.isIdle) await this.#sending;
    const saved = this.#history.pop() ?? [];
    const results = await Promise.all(
      saved.flatMap(({ id, number }) => {
        const row = this.#store.rowOf(id);
        return row ? this.#send({ ...seenAs(row), undo: number }, undefined) : [];
      }),
    );
    return results.flatMap((result) => (result.kind === 'saved' ? [result.row] : []));
  }

  #send(answer: Answer, draft: Draft | undefined): Promise<Result> {
    const store = this.#store;
    store.outcomes.set(answer.id, { kind: 'saving' });
    store.touch();
    return new Promise((done) => {
      this.#waiting.push({ answer, draft, done });
      // Sent in the next turn of the event loop, so that a batch becomes one request.
      this.#sending ??= Promise.resolve().then(() => this.#sendAll());
    });
  }

  async #sendAll(): Promise<void> {
    const store = this.#store;
    let size = MAX_BATCH;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, size);
      let results: readonly Result[];
      try {
        results = await this.#save(batch);
        store.trouble.value = undefined;
        size = Math.min(2 * size, MAX_BATCH);
      } catch (error) {
        if (error instanceof RefusedRequest) {
          // The batch is too large, or one of its answers is invalid.
          size = Math.ceil(batch.length / 2);
          continue;
        }
        store.trouble.value = wording.notSaved(
          this.#waiting.length,
          error instanceof Error ? error.message : '',
        );
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
        continue;
      }
      this.#waiting = this.#waiting.slice(batch.length);
      batch.forEach(({ answer, draft, done }, i) => {
        const result = results[i] ?? { id: answer.id, kind: 'refused', reasons: [wording.noAnswer] };
        this.#take(result, draft, answer);
        done(result);
      });
      store.touch();
    }
    this.#sending = undefined;
  }

  /** @throws RefusedRequest if one of several answers is not accepted */
  async #save(batch: readonly Waiting[]): Promise<readonly Result[]> {
    try {
      return await this.#store.source.save(batch.map(({ answer }) => answer));
    } catch (error) {
      const [one, ...others] = batch;
      if (!(error instanceof RefusedRequest) || !one || others.length > 0) throw error;
      return [{ id: one.answer.id, kind: 'refused', reasons: [error.message] }];
    }
  }

  #take(result: Result, draft: Draft | undefined, answer: Answer): void {
    const { drafts, outcomes } = this.#store;
    const { id } = result;
    if ('row' in result) {
      // The row that the answer was about, read before it is replaced.
      const seen = draft?.row ?? this.#store.rowOf(id) ?? result.row;
      this.#store.replace([result.row]);
      if (result.kind === 'conflict') {
        const values = answer.values ?? seen.forms.map(({ translation }) => translation ?? '');
        outcomes.set(id, { kind: 'conflict', draft: { row: seen, values } });
        return;
      }
    }
    if (result.kind !== 'saved') {
      outcomes.set(
        id,
        result.kind === 'refused' ? result : { kind: result.kind === 'stale' ? 'stale' : 'foreign' },
      );
      return;
    }
    outcomes.delete(id);
    // Keeps what the user typed meanwhile.
    const now = drafts.get(id);
    if (now === draft) drafts.delete(id);
    else if (now) drafts.set(id, { row: result.row, values: now.values });
  }
}

function seenAs({ id, forms }: Row): Pick<Answer, 'id' | 'sourceHashes' | 'bases'> {
  return {
    id,
    sourceHashes: forms.map(({ sourceHash }) => sourceHash),
    bases: forms.map(({ base }) => base),
  };
}

function copyOf(values: readonly string[] | undefined): string[] | undefined {
  return values && [...values];
}

/** The values of a row as the user sees them: typed, or those in the file. */
export function valuesOf(store: ReviewStore, row: Row): readonly string[] {
  return store.draftOf(row.id)?.values ?? row.forms.map(({ translation }) => translation ?? '');
}

/** Whether all forms of a row can be approved unchanged, without anything that a person should check first. */
export function mayApprove(row: Row): boolean {
  return (
    !isMissing(row) && row.forms.every((form) => checkForm(row, form, form.translation ?? '').length === 0)
  );
}
