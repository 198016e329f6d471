import type { LanguagePair } from '../engines/engine.ts';
import type { MemoryEntry, MemoryOrigin, TranslationMemory } from '../pipeline/memory.ts';

/**
 * A translation memory in a file. Several processes may have it open at once.
 *
 * Similar texts are missed only where more than 2,000 may be that similar. Texts of more than 250 words and signs are
 * never similar to others.
 *
 * Translations learned from a project's files (`store` of a human's translations) serve that project alone: only a
 * memory opened for the same project finds them. All others serve every project.
 *
 * Pairs are exact: `es-MX` takes nothing of `es`, and `en` nothing of `en-US`. Texts are compared in Unicode's
 * composed form (NFC), and given back in it. What was stored survives a kill of the process.
 *
 * All of it rejects with a DragomanError: `unreadable_input` where the file is damaged, `unwritable_output` where the
 * disk is full or another process has it locked for too long.
 */
export interface StoredMemory extends TranslationMemory {
  /** Absolute. */
  readonly path: string;
  /**
   * Stores any number of entries, thousands in a transaction: those of a transaction are stored together. When it
   * rejects, those of earlier transactions are stored. The signal ends it between two of them.
   */
  storeAll(
    entries: EntrySource,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<StoreCounts>;
  /** All that is chosen, always in the same order; read while it is asked for. */
  entries(choice?: EntryChoice): AsyncIterable<StoredEntry>;
  /** Counts the chosen entries; messages and bytes are those of the whole file. */
  stats(choice?: EntryChoice): Promise<MemoryStats>;
  /** Removes the chosen entries, and frees their space. Resolves with the number of entries. */
  prune(choice: PruneChoice): Promise<number>;
  /**
   * Removes humans' entries that were learned wrongly: their translation had been stored earlier, with the same context,
   * for another text. So the text has changed since, and its translation has not. Resolves with their number.
   */
  repair(options?: RepairOptions): Promise<number>;
  /** Records when entries were used, and closes the file. */
  close(): Promise<void>;
}

export type EntrySource = Iterable<NewEntry> | AsyncIterable<NewEntry>;

/** An entry on its way in. */
export interface NewEntry extends MemoryEntry {
  readonly pair: LanguagePair;
  /** The root of the project that it was learned from, and that it serves alone. Default: it serves all of them. */
  readonly project?: string | undefined;
  /** When it was translated; default now. */
  readonly changed?: Date | undefined;
}

/** An entry as it is kept. */
export interface StoredEntry extends NewEntry {
  readonly changed: Date;
  /** When it was last found, to the day; when it was stored, if it never was. */
  readonly used: Date;
}

/** What became of entries that were to be stored. */
export interface StoreCounts {
  readonly added: number;
  /** Others stood under the same message and context. */
  readonly replaced: number;
  /** It was stored already. */
  readonly unchanged: number;
  /** An engine's translations that did not replace a human's. */
  readonly outranked: number;
  /** Texts that the file cannot hold as they are: half of a character, or U+0000. */
  readonly unstorable: number;
}

/** Which entries; all conditions hold together. */
export interface EntryChoice {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly origin?: MemoryOrigin | undefined;
  readonly engine?: string | undefined;
  /** The root of the project that they were learned from; null for those that serve all projects. */
  readonly project?: string | null | undefined;
}

/**
 * Humans' entries are removed only where the origin says `human`, or a project is named: without either, it is engines'
 * that are meant.
 */
export interface PruneChoice extends EntryChoice {
  /** Only entries last used before this time. */
  readonly unusedSince?: Date | undefined;
  /** As many of those that are chosen stay, the last used first. */
  readonly mostEntries?: number | undefined;
  /** Counts, and removes nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface RepairOptions {
  /** Counts, and removes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Called for each entry, before anything is removed. */
  readonly onFound?: ((entry: WrongEntry) => void) | undefined;
}

/** An entry whose text has changed under its translation. */
export interface WrongEntry extends Pick<
  StoredEntry,
  'pair' | 'context' | 'project' | 'segments' | 'translations'
> {
  /** The text that the translation was made for. */
  readonly earlier: StoredEntry['segments'];
  /** Of an engine's entry: why it is not a valid translation of its text. */
  readonly reason?: string | undefined;
}

export interface MemoryStats {
  readonly entries: number;
  /** Distinct messages in their source languages. */
  readonly messages: number;
  /** Of the file and those beside it. */
  readonly bytes: number;
  /** The earliest and the latest use; undefined without entries. */
  readonly oldestUse?: Date | undefined;
  readonly newestUse?: Date | undefined;
  /** The largest first. */
  readonly pairs: readonly PairStats[];
  /** From which something was learned, by their roots; the largest first. */
  readonly projects: readonly { readonly root: string; readonly entries: number }[];
}

export interface PairStats extends LanguagePair {
  readonly entries: number;
  readonly human: number;
  readonly machine: number;
  /** Entries by engine, the most first. Those of no known engine are not among them. */
  readonly engines: readonly { readonly engine: string; readonly entries: number }[];
}
