import type { DragomanError, ErrorCode } from '../../base/errors.ts';
import type { RequiredTerm, SimilarTranslation } from '../../engines/engine.ts';
import type { Money } from '../../engines/price.ts';
import type { RemovedSource } from '../state/removed-sources.ts';
import type { AttributesResult } from '../state/lock-attributes.ts';
import type { Key } from '../../formats/format.ts';
import { addTexts, NO_TEXTS, type TextCounts } from '../state/text-counts.ts';

/** A position for a message: a path relative to the project's root, with line and column starting at 1. */
export interface FilePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * The coverage of a file in a language before the sync, in keys: the forms of a plural count as one. Every translated
 * key is ours, stale, edited, unknown or outdated.
 */
export interface Coverage extends TextCounts {
  /** Keys that the file should have. */
  readonly keys: number;
  /** Keys with a translation, including stale ones. */
  readonly translated: number;
  /** Keys without a translation, including renamed keys and earlier failures. */
  readonly missing: number;
  /**
   * Keys whose value the file marks for review: they are neither translated nor missing, and a value is only
   * overwritten if dragoman wrote it.
   */
  readonly review: number;
  /** Texts of a page whose translation cannot be identified: neither translated nor missing. */
  readonly unmatched: number;
  readonly stale: number;
  /** Keys whose translation a person changed. */
  readonly edited: number;
  /** Keys translated before the first sync, whose writer is unknown. */
  readonly unknown: number;
  /** Translations of an earlier source, by people or unknown writers. */
  readonly outdated: number;
  readonly extra: number;
  /** Translations by anyone that fail verification. */
  readonly invalid: number;
  /** Missing keys for which an earlier run got no usable answer. */
  readonly failed: number;
  /**
   * The length of the texts that a sync would translate, in Unicode code points. Each distinct text of a language is
   * counted once.
   */
  readonly characters: number;
}

/** The changes of a sync, in keys. */
export interface ChangeCounts {
  readonly translated: number;
  /** Values taken from a renamed key. */
  readonly reused: number;
  /** Keys left unchanged. */
  readonly kept: number;
  readonly failed: number;
  /** Keys removed with `--prune`. */
  readonly pruned: number;
}

export type DriftKind = 'missing' | 'stale' | 'extra' | 'outdated' | 'review' | 'no-text' | 'rare-form';

/** A key that does not match its source. The position is in the target if it has the key, otherwise in the source. */
export interface Drift extends FilePosition {
  readonly kind: DriftKind;
  readonly key: Key;
  /** A text that identifies the key for people, if the format generates keys. */
  readonly text?: string | undefined;
}

export interface KeyFailure extends FilePosition {
  readonly key: Key;
  /** A text that identifies the key for people, if the format generates keys. */
  readonly text?: string | undefined;
  /** Whether the run should have removed the key rather than translated it. */
  readonly isExtra?: boolean;
  readonly reason: string;
  /** Set if the whole request failed rather than just this key. */
  readonly code?: ErrorCode | undefined;
}

/** A glossary term that a new translation lacks. The position is that of the key in the source. */
export interface TermFinding extends FilePosition, RequiredTerm {
  readonly key: Key;
  /** See {@link KeyFailure}. */
  readonly text?: string | undefined;
}

/** A key whose text is similar to one in the translation memory. */
export interface SimilarKey extends FilePosition, SimilarTranslation {
  readonly key: Key;
  readonly text: string;
}

/** The translation memory's share of the keys that a sync would translate. */
export interface MemoryCoverage {
  /** Keys with a translation in the memory. */
  readonly exact: number;
  /** Only set if requested. */
  readonly similar?: readonly SimilarKey[] | undefined;
}

/** A fact about a file that people may want to know. */
export interface Note {
  /** Lines, or a file with a line; undefined if the text contains everything. */
  readonly place?: string | undefined;
  /** Identical for all files with the same finding, so that they can be counted. */
  readonly text: string;
}

/** For example `line 7: code or markup that a person changed is kept`. */
export function describeNote({ place, text }: Note): string {
  return place === undefined ? text : `${place}: ${text}`;
}

export interface FileReport {
  /** Relative to the root. */
  readonly source: string;
  /** See `Resource.sourceName`. */
  readonly sourceName?: string | undefined;
  readonly target: string;
  /** Whether the file is running text rather than texts of an application. */
  readonly isDocument: boolean;
  readonly coverage: Coverage;
  readonly changes: ChangeCounts;
  readonly written: boolean;
  /** Whether the sync created it. */
  readonly created?: boolean | undefined;
  /** Keys that need work (for `sync`, afterwards). */
  readonly drift: readonly Drift[];
  readonly failures: readonly KeyFailure[];
  /** Terms that the values translated in this run lack. */
  readonly terms: readonly TermFinding[];
  /** The charset that the file had before `--to-utf8` converted it. */
  readonly convertedFrom?: string | undefined;
  /** The list to which the language of a new file was added, relative to the root. */
  readonly listedIn?: string | undefined;
  /**
   * Whether the structure differs from the source's: code, markup, or the order of texts. Also true for a missing page
   * without texts.
   */
  readonly isBehind?: boolean | undefined;
  /** Parts that stay unchanged, with the reason. */
  readonly notes?: readonly Note[] | undefined;
  /** Why the file could not be read or written. */
  readonly error?: DragomanError | undefined;
}

export interface LanguageReport {
  /** Canonical. */
  readonly locale: string;
  readonly coverage: Coverage;
  readonly changes: ChangeCounts;
  /** Files with something to report; empty if the language has no problems. */
  readonly files: readonly FileReport[];
  /** All files, in the order of the project's resources; created on each call. */
  readonly allFiles: () => readonly FileReport[];
  /** Keys that a sync would have translated; only if nothing was done. */
  readonly wanted?: number | undefined;
  /** The price of a sync for the language, if requested. */
  readonly credits?: number | undefined;
  readonly cost?: Money | undefined;
  /** Only if nothing was done and a memory exists. */
  readonly memory?: MemoryCoverage | undefined;
  /**
   * The number of values by engine; `memory` for those from the translation memory. Undefined unless a
   * sync translated values.
   */
  readonly engines?: ReadonlyMap<string, number> | undefined;
  /** Why the language could not be translated at all. */
  readonly error?: DragomanError | undefined;
}

export interface SyncReport {
  /** Absolute. */
  readonly root: string;
  /** Canonical. */
  readonly source: string;
  readonly languages: readonly LanguageReport[];
  /** Translations whose sources are gone. */
  readonly removedSources?: readonly RemovedSource[] | undefined;
  /** Translations removed by pruning, relative to the root. */
  readonly prunedFiles?: readonly string[] | undefined;
  /** For a project without languages: the keys of its sources, by file, or the error of an unreadable one. */
  readonly sources?: ReadonlyMap<string, number | DragomanError> | undefined;
  /** Whether the lock was written. */
  readonly lockWritten?: boolean | undefined;
  /** The result of adding git's rule for the lock, if it was missing. */
  readonly attributes?: AttributesResult;
  /** Whether the signal stopped the run. Finished work is saved. */
  readonly interrupted: boolean;
  /** Why the run stopped early, such as used-up credits or a lost connection. Finished work is saved. */
  readonly stopped?: DragomanError | undefined;
  /**
   * The keys that the run was to translate in all of its projects, and this project's keys that have a translation now.
   * Unknown for jobs.
   */
  readonly work?: { readonly kept: number; readonly wanted: number } | undefined;
}

export const NO_COVERAGE = {
  keys: 0,
  translated: 0,
  missing: 0,
  review: 0,
  unmatched: 0,
  stale: 0,
  edited: 0,
  unknown: 0,
  outdated: 0,
  extra: 0,
  invalid: 0,
  failed: 0,
  characters: 0,
  ...NO_TEXTS,
} satisfies Coverage;

export const NO_CHANGES = { translated: 0, reused: 0, kept: 0, failed: 0, pruned: 0 } satisfies ChangeCounts;

/**
 * The share of translated keys in percent, rounded down: 100 means that all files were read and no key is missing.
 * Undefined if no key is known.
 */
export function percentDone({ keys, translated }: Coverage, unreadable: number): number | undefined {
  if (keys === 0) return undefined;
  return Math.min(Math.floor((100 * translated) / keys), unreadable > 0 ? 99 : 100);
}

/** The number of files that could not be read or written. */
export function countUnreadable(files: readonly { readonly error?: DragomanError | undefined }[]): number {
  return files.filter(({ error }) => error).length;
}

export function sumCoverage(all: readonly Coverage[]): Coverage {
  const total = { ...NO_COVERAGE };
  for (const coverage of all) {
    total.keys += coverage.keys;
    total.translated += coverage.translated;
    total.missing += coverage.missing;
    total.review += coverage.review;
    total.unmatched += coverage.unmatched;
    total.stale += coverage.stale;
    total.edited += coverage.edited;
    total.unknown += coverage.unknown;
    total.outdated += coverage.outdated;
    total.extra += coverage.extra;
    total.invalid += coverage.invalid;
    total.failed += coverage.failed;
    total.characters += coverage.characters;
    Object.assign(total, addTexts(total, coverage));
  }
  return total;
}

export function sumChanges(all: readonly ChangeCounts[]): ChangeCounts {
  const total = { ...NO_CHANGES };
  for (const changes of all) {
    total.translated += changes.translated;
    total.reused += changes.reused;
    total.kept += changes.kept;
    total.failed += changes.failed;
    total.pruned += changes.pruned;
  }
  return total;
}
