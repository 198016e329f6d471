import type { LanguagePair } from '../engines/engine.ts';
import type { MemoryEntry, MemoryOrigin, TranslationMemory } from '../pipeline/memory.ts';

/**
 * A translation memory in a file. Several processes may have it open at once.
 *
 * Only the 2,000 texts that may be most similar are compared, so similar ones can be missed among thousands of nearly
 * equal texts. Texts of more than 250 words and punctuation marks are never similar to others.
 *
 * Translations learned from a project's files (`store` of human translations) serve only that project: only a memory
 * opened for it finds them. All others serve every project.
 *
 * Pairs are exact: `es-MX` does not use entries of `es`, nor `en` those of `en-US`. Texts are compared and returned in
 * Unicode's composed form (NFC). Stored entries survive if the process is killed.
 *
 * All methods reject with a DragomanError: `unreadable_input` for a damaged file, `unwritable_output` if the disk is
 * full or another process locks the file for too long.
 */
export interface StoredMemory extends TranslationMemory {
  /** Absolute. */
  readonly path: string;
  /**
   * Stores any number of entries in transactions of thousands. If it rejects, earlier transactions remain stored. The
   * signal stops it between two transactions.
   */
  storeAll(
    entries: EntrySource,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<StoreCounts>;
  /** The selected entries, always in the same order, read on demand. */
  entries(choice?: EntryChoice): AsyncIterable<StoredEntry>;
  /** Counts the selected entries; messages and bytes are those of the whole file. */
  stats(choice?: EntryChoice): Promise<MemoryStats>;
  /** Removes the selected entries and frees their space. Resolves to the number of removed entries. */
  prune(choice: PruneChoice): Promise<number>;
  /**
   * Removes human entries that were learned wrongly: the same translation was stored earlier, with the same context,
   * for another text, so only the text has changed since. Resolves to the number of removed entries.
   */
  repair(options?: RepairOptions): Promise<number>;
  /** Records when entries were used, and closes the file. */
  close(): Promise<void>;
}

export type EntrySource = Iterable<NewEntry> | AsyncIterable<NewEntry>;

/** An entry to be stored. */
export interface NewEntry extends MemoryEntry {
  readonly pair: LanguagePair;
  /** The root of the only project that uses the entry, because it was learned there. Default: all projects. */
  readonly project?: string | undefined;
  /** When the text was translated. Default: now. */
  readonly changed?: Date | undefined;
}

/** A stored entry. */
export interface StoredEntry extends NewEntry {
  readonly changed: Date;
  /** The day when it was last found or, if never, stored. */
  readonly used: Date;
}

/** The results of storing entries. */
export interface StoreCounts {
  readonly added: number;
  /** New entries that replaced others with the same message and context. */
  readonly replaced: number;
  /** Entries that were already stored. */
  readonly unchanged: number;
  /** Machine translations that did not replace a human one. */
  readonly outranked: number;
  /** Texts that the file cannot hold unchanged: lone surrogates, or U+0000. */
  readonly unstorable: number;
}

/** Selects entries that meet all conditions. */
export interface EntryChoice {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly origin?: MemoryOrigin | undefined;
  readonly engine?: string | undefined;
  /** The root of the project where they were learned; null for those that serve all projects. */
  readonly project?: string | null | undefined;
}

/** Selects the entries to prune: machine entries only, unless the origin is `human` or a project is given. */
export interface PruneChoice extends EntryChoice {
  /** Only entries last used before this time. */
  readonly unusedSince?: Date | undefined;
  /** Keeps this many of the chosen entries, the most recently used first. */
  readonly mostEntries?: number | undefined;
  /** Counts without removing. */
  readonly dryRun?: boolean | undefined;
}

export interface RepairOptions {
  /** Counts without removing. */
  readonly dryRun?: boolean | undefined;
  /** Called for each entry, before anything is removed. */
  readonly onFound?: ((entry: WrongEntry) => void) | undefined;
}

/** An entry whose text has changed while its translation has not. */
export interface WrongEntry extends Pick<
  StoredEntry,
  'pair' | 'context' | 'project' | 'segments' | 'translations'
> {
  /** The text for which the translation was made. */
  readonly earlier: StoredEntry['segments'];
  /** For a machine entry: why it is not a valid translation of its text. */
  readonly reason?: string | undefined;
}

export interface MemoryStats {
  readonly entries: number;
  /** Distinct messages in their source languages. */
  readonly messages: number;
  /** The size of the file and SQLite's files next to it. */
  readonly bytes: number;
  /** The earliest and the latest use; undefined without entries. */
  readonly oldestUse?: Date | undefined;
  readonly newestUse?: Date | undefined;
  /** The largest pair first. */
  readonly pairs: readonly PairStats[];
  /** Projects with learned entries, by root; the largest first. */
  readonly projects: readonly { readonly root: string; readonly entries: number }[];
}

export interface PairStats extends LanguagePair {
  readonly entries: number;
  readonly human: number;
  readonly machine: number;
  /** Entries by engine, the largest number first, without those of unknown engines. */
  readonly engines: readonly { readonly engine: string; readonly entries: number }[];
}
