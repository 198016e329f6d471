import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DragomanError } from '../base/errors.ts';
import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { MemoryEntry, MemoryMessage, MemoryTranslation } from '../pipeline/memory.ts';
import { openConnection } from '../sqlite/connection.ts';
import { entryOf, readEntries } from './entries.ts';
import { findExact } from './exact-lookup.ts';
import { memoryError } from './failure.ts';
import { Ids } from './ids.ts';
import { MemoryFile } from './memory-file.ts';
import { pruneEntries } from './pruning.ts';
import { checkFile, migrate } from './schema.ts';
import { SimilarIndex } from './similar-index.ts';
import { findAlike } from './similar-lookup.ts';
import { countEntries } from './statistics.ts';
import { NOTHING_STORED, storeEntries } from './storage.ts';
import type {
  Entries,
  EntryChoice,
  MemoryStats,
  NewEntry,
  PruneChoice,
  StoreCounts,
  StoredEntry,
  StoredMemory,
} from './stored-memory.ts';
import { Terms } from './terms.ts';
import { Uses } from './uses.ts';

export interface MemoryOptions {
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: (() => number) | undefined;
  /** How long to wait for another process that writes, in milliseconds; default 5,000. */
  readonly busyMs?: number | undefined;
}

/**
 * Opens the translation memory in a file, and makes it where there is none. Whoever opens it closes it.
 *
 * @throws DragomanError `unreadable_input` for a file that is damaged or something else, which stays as it is;
 *   `configuration` for one of a newer version; `unwritable_output` where the place cannot be used.
 */
export async function openTranslationMemory(
  path: string,
  { now = Date.now, busyMs }: MemoryOptions = {},
): Promise<StoredMemory> {
  const absolute = resolve(path);
  try {
    const connection = await openConnection(absolute, { busyMs, check: checkFile });
    try {
      // A kill of the process loses nothing; what a power cut undoes is in the journal of the run, or asked for again.
      connection.exec('pragma synchronous = normal');
      // A file out of a repository may be anybody's.
      connection.exec('pragma trusted_schema = off');
      connection.exec(`pragma cache_size = -${CACHE_KB}`);
      migrate(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
    return new FileMemory(new MemoryFile(absolute, connection), now);
  } catch (error) {
    throw memoryError(error, absolute);
  }
}

/** At most: what was read stays in the process. A million entries have 320 MB. */
const CACHE_KB = 131_072;

const LOOKED_UP_AT_ONCE = 1_000;
const STORED_AT_ONCE = 10_000;
const MOST_SIMILAR = 5;

class FileMemory implements StoredMemory {
  readonly path: string;
  readonly #file: MemoryFile;
  readonly #now: () => number;
  readonly #ids: Ids;
  readonly #index: SimilarIndex;
  readonly #uses: Uses;
  #stored = 0;
  /** One after the other. */
  #pruned: Promise<unknown> = Promise.resolve();

  constructor(file: MemoryFile, now: () => number) {
    this.path = file.path;
    this.#file = file;
    this.#now = now;
    this.#ids = new Ids(file);
    this.#index = new SimilarIndex(file, new Terms(file));
    this.#uses = new Uses(file, now);
  }

  async find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
  ): Promise<readonly (MemoryTranslation | undefined)[]> {
    const found: (MemoryTranslation | undefined)[] = [];
    for (let i = 0; i < messages.length; i += LOOKED_UP_AT_ONCE) {
      if (i > 0) await nextTurn();
      const some = messages.slice(i, i + LOOKED_UP_AT_ONCE);
      found.push(...this.#use(() => findExact(some, pair, this.#reading)));
      if (this.#uses.isUrgent) this.#uses.tryToWrite();
    }
    return found;
  }

  async findSimilar(
    message: MemoryMessage,
    pair: LanguagePair,
    { most = MOST_SIMILAR }: { readonly most?: number } = {},
  ): Promise<readonly SimilarTranslation[]> {
    return this.#use(() => findAlike(message, pair, most, this.#reading));
  }

  async store(entries: readonly MemoryEntry[], pair: LanguagePair): Promise<void> {
    await this.storeAll(entries.map((entry) => ({ ...entry, pair })));
  }

  async storeAll(
    entries: Entries,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<StoreCounts> {
    let counts = NOTHING_STORED;
    let waiting: NewEntry[] = [];
    const flush = async (): Promise<void> => {
      if (signal?.aborted) throw new DragomanError('interrupted', 'storing translations was interrupted');
      const some = waiting;
      waiting = [];
      counts = add(
        counts,
        this.#use(() => storeEntries(some, this.#writing)),
      );
      await nextTurn();
    };
    for await (const entry of entries) {
      waiting.push(entry);
      if (waiting.length >= STORED_AT_ONCE) await flush();
    }
    if (waiting.length > 0) await flush();
    return counts;
  }

  async *entries(choice: EntryChoice = {}): AsyncIterable<StoredEntry> {
    let after: readonly [number, number, string] = [0, 0, ''];
    for (;;) {
      const rows = this.#use(() => readEntries(this.#file, choice, after));
      for (const row of rows) yield entryOf(row);
      const last = rows.at(-1);
      if (!last) return;
      after = [last[0], last[1], last[2]];
      await nextTurn();
    }
  }

  async stats(): Promise<MemoryStats> {
    return this.#work(async () => {
      this.#uses.tryToWrite();
      return countEntries(this.#file);
    });
  }

  async prune(choice: PruneChoice): Promise<number> {
    const pruning = this.#pruned.then(() =>
      this.#work(async () => {
        // What was used stays: without this, it would go.
        this.#uses.write();
        return pruneEntries(choice, this.#file, this.#index);
      }),
    );
    this.#pruned = pruning.catch(() => undefined);
    return pruning;
  }

  async close(): Promise<void> {
    this.#uses.tryToWrite();
    this.#use(() => this.#file.close());
  }

  get #reading() {
    return { file: this.#file, ids: this.#ids, index: this.#index, uses: this.#uses };
  }

  get #writing() {
    // What is stored twice within a millisecond is newer the second time.
    this.#stored = Math.max(this.#now(), this.#stored + 1);
    return { ...this.#reading, now: this.#stored };
  }

  #use<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw memoryError(error, this.path);
    }
  }

  async #work<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw memoryError(error, this.path);
    }
  }
}

function add(a: StoreCounts, b: StoreCounts): StoreCounts {
  return {
    added: a.added + b.added,
    replaced: a.replaced + b.replaced,
    unchanged: a.unchanged + b.unchanged,
    outranked: a.outranked + b.outranked,
    unstorable: a.unstorable + b.unstorable,
  };
}
