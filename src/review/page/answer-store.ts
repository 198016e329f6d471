import type { Answer } from '../protocol.ts';

export interface KeptAnswer {
  /** Milliseconds since 1970. If there are two answers about a row, the later one is valid. */
  readonly at: number;
  readonly answer: Answer;
}

/** Keeps answers when the page is closed. */
export interface UnsavedAnswerStore {
  load(project: string): Promise<readonly KeptAnswer[]>;
  /** Saves answers; undefined removes one. Resolves when the answers are on disk. */
  save(
    project: string,
    kept: readonly { readonly id: string; readonly answer: KeptAnswer | undefined }[],
  ): Promise<void>;
}

const NAME = 'dragoman-review';
const ANSWERS = 'answers';

/** @returns undefined if the browser stores nothing, as in some private windows */
export async function openAnswerStore(): Promise<UnsavedAnswerStore | undefined> {
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.addEventListener('upgradeneeded', () => {
      opening.result.createObjectStore(ANSWERS);
    });
    const database = await resultOf(opening);
    return new BrowserAnswerStore(database);
  } catch {
    return undefined;
  }
}

/** Keeps nothing. */
export const NO_ANSWER_STORE: UnsavedAnswerStore = { load: async () => [], save: async () => {} };

class BrowserAnswerStore implements UnsavedAnswerStore {
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  async load(project: string): Promise<readonly KeptAnswer[]> {
    const answers = this.#database.transaction(ANSWERS).objectStore(ANSWERS);
    const found: IDBRequest<KeptAnswer[]> = answers.getAll(IDBKeyRange.bound([project], [project, []]));
    return resultOf(found);
  }

  save(project: string, kept: Parameters<UnsavedAnswerStore['save']>[1]): Promise<void> {
    const transaction = this.#database.transaction(ANSWERS, 'readwrite', { durability: 'strict' });
    const answers = transaction.objectStore(ANSWERS);
    for (const { id, answer } of kept) {
      if (answer) answers.put(answer, [project, id]);
      else answers.delete([project, id]);
    }
    return new Promise((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not saved')));
    });
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')));
  });
}
