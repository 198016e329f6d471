import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfAborted } from '../base/interruption.ts';
import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { MemoryEntry, MemoryMessage, MemoryTranslation } from '../pipeline/memory.ts';
import { openConnection } from '../sqlite/connection.ts';
import { BEFORE_ALL, readEntries, countEntries } from './entries.ts';
import { findExact, findAlike } from './lookup.ts';
import { memoryError } from './failure.ts';
import { MemoryIds } from './ids.ts';
import { MemoryFile } from './memory-file.ts';
import { MessageNumbers } from './messages.ts';
import {
  chooseUnwanted,
  removeEntries,
  chooseNonsense,
  chooseWrong,
  readSelectedEntries,
} from './removal.ts';
import { SHARED } from './found.ts';
import { checkFile, migrate } from './schema.ts';
import { SimilarIndex } from './similar-index.ts';
import { NOTHING_STORED, storeEntries } from './storage.ts';
import type {
  EntrySource,
  EntryChoice,
  MemoryStats,
  NewEntry,
  PruneChoice,
  RepairOptions,
  StoreCounts,
  StoredEntry,
  StoredMemory,
} from './stored-memory.ts';
import { TermNumbers } from './terms.ts';
import { Uses } from './uses.ts';

export interface MemoryOptions {
  /** The project's root, absolute, with links resolved. Without a project, no learned entries are found. */
  readonly project?: string | undefined;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** How long to wait for another writing process, in milliseconds; default 5,000. */
  readonly busyMs?: number | undefined;
  /** Whether the file is only read, in which case lookups do not count as use. */
  readonly isReading?: boolean | undefined;
}

/**
 * Opens the translation memory in a file, or creates it. The code that opens it closes it.
 *
 * @throws DragomanError `unreadable_input` for a damaged file or another program's, which stays unchanged;
 * `configuration` for one of a newer version; `unwritable_output` if the location is unusable
 */
export async function openTranslationMemory(
  path: string,
  { now = Date.now, busyMs, ...options }: MemoryOptions = {},
): Promise<StoredMemory> {
  const absolute = resolve(path);
  try {
    const connection = await openConnection(absolute, { busyMs, check: checkFile });
    try {
      // Killing the process loses nothing. Entries lost in a power cut are in the run's journal, or requested again.
      connection.exec('pragma synchronous = normal');
      connection.exec(`pragma cache_size = -${CACHE_KB}`);
      connection.exec(`pragma wal_autocheckpoint = ${PAGES_IN_LOG}`);
      migrate(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
    return new FileMemory(new MemoryFile(absolute, connection), { ...options, now });
  } catch (error) {
    throw memoryError(error, absolute);
  }
}

/** Maximum size of the page cache. A million entries take 320 MB. */
const CACHE_KB = 131_072;

/** Pages of 4 KB. A run's entries are written to the file once, at the end, rather than with every transaction. */
const PAGES_IN_LOG = 8_192;

const LOOKED_UP_AT_ONCE = 1_000;
const STORED_AT_ONCE = 10_000;
const MOST_SIMILAR = 5;

class FileMemory implements StoredMemory {
  readonly path: string;
  readonly #options: MemoryOptions & { readonly now: () => number };
  readonly #parts: {
    readonly file: MemoryFile;
    readonly ids: MemoryIds;
    readonly messages: MessageNumbers;
    readonly index: SimilarIndex;
    readonly uses: Uses;
  };
  #stored = 0;
  /** Removals run one after another. */
  #removed: Promise<unknown> = Promise.resolve();

  constructor(file: MemoryFile, options: MemoryOptions & { readonly now: () => number }) {
    this.path = file.path;
    this.#options = options;
    this.#parts = {
      file,
      ids: new MemoryIds(file),
      messages: new MessageNumbers(file),
      index: new SimilarIndex(file, new TermNumbers(file)),
      uses: new Uses(file, options.now, options.isReading === true),
    };
  }

  async find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
  ): Promise<readonly (MemoryTranslation | undefined)[]> {
    this.#parts.ids.lookAgain();
    this.#parts.index.lookAgain();
    const found: (MemoryTranslation | undefined)[] = [];
    for (let i = 0; i < messages.length; i += LOOKED_UP_AT_ONCE) {
      if (i > 0) await nextTurn();
      const some = messages.slice(i, i + LOOKED_UP_AT_ONCE);
      found.push(...this.#use(() => findExact(some, pair, this.#lookup)));
      if (this.#parts.uses.isUrgent) this.#parts.uses.tryToWrite();
    }
    return found;
  }

  async hasSimilar(pair: LanguagePair): Promise<boolean> {
    return this.#use(() => this.#parts.ids.findPair(pair) !== undefined);
  }

  async findSimilar(
    message: MemoryMessage,
    pair: LanguagePair,
    { most = MOST_SIMILAR }: { readonly most?: number } = {},
  ): Promise<readonly SimilarTranslation[]> {
    return this.#use(() => findAlike(message, pair, most, this.#lookup));
  }

  async store(entries: readonly MemoryEntry[], pair: LanguagePair): Promise<void> {
    for (let i = 0; i < entries.length; i += STORED_AT_ONCE) {
      const some = entries.slice(i, i + STORED_AT_ONCE).map((entry): NewEntry => {
        const { segments, placeholders, category, context, translations, origin, engine } = entry;
        const project = origin === 'human' ? this.#options.project : undefined;
        // Lists the fields, because spreading takes ten times as long and a first run stores everything.
        return { segments, placeholders, category, context, translations, origin, engine, pair, project };
      });
      await this.#storeSome(some);
    }
  }

  async storeAll(
    entries: EntrySource,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<StoreCounts> {
    let counts = NOTHING_STORED;
    let waiting: NewEntry[] = [];
    const flush = async (): Promise<void> => {
      throwIfAborted(signal, 'storing translations was interrupted');
      const some = waiting;
      waiting = [];
      counts = add(counts, await this.#storeSome(some));
    };
    if (Symbol.asyncIterator in entries) {
      for await (const entry of entries) {
        waiting.push(entry);
        if (waiting.length >= STORED_AT_ONCE) await flush();
      }
    } else {
      // Awaiting each of these would take half as long as storing them.
      for (const entry of entries) {
        waiting.push(entry);
        if (waiting.length >= STORED_AT_ONCE) await flush();
      }
    }
    if (waiting.length > 0) await flush();
    return counts;
  }

  async #storeSome(entries: readonly NewEntry[]): Promise<StoreCounts> {
    this.#parts.index.lookAgain();
    const counts = this.#use(() => storeEntries(entries, this.#storage));
    await nextTurn();
    return counts;
  }

  async *entries(choice: EntryChoice = {}): AsyncIterable<StoredEntry> {
    for (let after = BEFORE_ALL; ;) {
      const { entries, last } = this.#use(() =>
        readEntries(this.#parts.file, this.#parts.ids, choice, after),
      );
      yield* entries;
      if (!last) return;
      after = last;
      await nextTurn();
    }
  }

  async stats(choice: EntryChoice = {}): Promise<MemoryStats> {
    return this.#work(async () => {
      this.#parts.uses.tryToWrite();
      return countEntries(choice, this.#parts.file, this.#parts.ids);
    });
  }

  async prune(choice: PruneChoice): Promise<number> {
    return this.#remove(choice.dryRun, () => chooseUnwanted(choice, this.#parts.file, this.#parts.ids));
  }

  async repair({ dryRun, onFound }: RepairOptions = {}): Promise<number> {
    return this.#remove(dryRun, () => {
      chooseWrong(this.#parts.file);
      chooseNonsense(this.#parts.file);
      if (onFound) for (const entry of readSelectedEntries(this.#parts.file, this.#parts.ids)) onFound(entry);
    });
  }

  async close(): Promise<void> {
    this.#parts.uses.tryToWrite();
    this.#use(() => this.#parts.file.close());
  }

  #remove(dryRun: boolean | undefined, choose: () => void): Promise<number> {
    const removing = this.#removed.then(() =>
      this.#work(async () => {
        // Recorded first, because entries that were just used must not be pruned.
        this.#parts.uses.write();
        return removeEntries({ ...this.#parts, choose, dryRun });
      }),
    );
    this.#removed = removing.catch(() => undefined);
    return removing;
  }

  get #lookup() {
    const own =
      this.#options.project === undefined ? undefined : this.#parts.ids.findProject(this.#options.project);
    const projects = own === undefined ? [SHARED] : [own, SHARED];
    return { ...this.#parts, projects };
  }

  get #storage() {
    // Of two entries stored within a millisecond, the later one must count as newer.
    this.#stored = Math.max(this.#options.now(), this.#stored + 1);
    return { ...this.#parts, now: this.#stored };
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
