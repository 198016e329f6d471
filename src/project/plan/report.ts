import type { DragomanError, ErrorCode } from '../../base/errors.ts';
import type { RequiredTerm, SimilarTranslation } from '../../engines/engine.ts';
import type { Money } from '../../engines/price.ts';
import type { RemovedSource } from '../state/removed-sources.ts';
import type { AttributesResult } from '../state/lock-attributes.ts';
import type { Key } from '../../formats/format.ts';
import { addTexts, NO_TEXTS, type TextCounts } from '../state/text-counts.ts';

/** Where something is, for a message: a path relative to the project's root, line and column from 1. */
export interface FilePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * The coverage of a file in a language, before the sync. Counts are of keys: the forms of a plural are one. Every
 * translated key is ours, stale, edited, unknown or outdated.
 */
export interface Coverage extends TextCounts {
  /** Keys that the file should have. */
  readonly keys: number;
  /** With a value that is a translation, also a stale one. */
  readonly translated: number;
  /** Without one; renamed keys and those that failed before are among them. */
  readonly missing: number;
  /** With one that the file marks for review: neither translated nor missing, and never overwritten unless it is ours. */
  readonly review: number;
  /** Nothing shows which text of a page is the translation, if any is: neither translated nor missing. */
  readonly unmatched: number;
  readonly stale: number;
  /** A person's. */
  readonly edited: number;
  /** There before the first sync: nothing shows who wrote them. */
  readonly unknown: number;
  /** A person's, or unknown, of an older source. */
  readonly outdated: number;
  readonly extra: number;
  /** Translations that fail verification, by anyone. */
  readonly invalid: number;
  /** Missing, because no answer of an engine could be used in an earlier run. */
  readonly failed: number;
  /**
   * The length of the texts that a sync would translate, in Unicode code points. Each distinct text of a language
   * counts once.
   */
  readonly characters: number;
}

/** The changes of a sync, in keys. */
export interface Changes {
  readonly translated: number;
  /** Taken over from a renamed key. */
  readonly reused: number;
  /** Left as they were. */
  readonly kept: number;
  readonly failed: number;
  /** Removed with `--prune`. */
  readonly pruned: number;
}

export type DriftKind = 'missing' | 'stale' | 'extra' | 'outdated' | 'review' | 'no-text' | 'rare-form';

/** A key that disagrees with its source. The position is in the target if it has the key, else in the source. */
export interface Drift extends FilePosition {
  readonly kind: DriftKind;
  readonly key: Key;
  /** The text that identifies it for people, if the format generates the key. */
  readonly text?: string | undefined;
}

export interface KeyFailure extends FilePosition {
  readonly key: Key;
  /** The text that identifies it for people, if the format generates the key. */
  readonly text?: string | undefined;
  /** It was to be removed from the translation, not translated. */
  readonly isExtra?: boolean;
  readonly reason: string;
  /** Set if the whole request failed, rather than this key. */
  readonly code?: ErrorCode | undefined;
}

/** A term of the glossary that a new translation lacks. The position is the key's in the source. */
export interface TermFinding extends FilePosition, RequiredTerm {
  readonly key: Key;
  /** As in {@link KeyFailure}. */
  readonly text?: string | undefined;
}

/** A key for whose text the translation memory has that of a similar one. */
export interface SimilarKey extends FilePosition, SimilarTranslation {
  readonly key: Key;
  readonly text: string;
}

/** The translation memory's share of the keys that a sync would translate. */
export interface MemoryCoverage {
  /** Keys that it has a translation of. */
  readonly exact: number;
  /** Only if it was requested. */
  readonly similar?: readonly SimilarKey[] | undefined;
}

/** Something about a file that a person may want to know. */
export interface Note {
  /** Lines, or a file with a line; undefined if the text has everything. */
  readonly place?: string | undefined;
  /** The same for all files with the same finding, which are counted then. */
  readonly text: string;
}

/** `line 7: code or markup that a person changed is kept` */
export function describeNote({ place, text }: Note): string {
  return place === undefined ? text : `${place}: ${text}`;
}

export interface FileReport {
  /** Relative to the root. */
  readonly source: string;
  /** See `Resource.sourceName`. */
  readonly sourceName?: string | undefined;
  readonly target: string;
  /** For running text, not an application's texts. */
  readonly isDocument: boolean;
  readonly coverage: Coverage;
  readonly changes: Changes;
  readonly written: boolean;
  /** Keys that need work (`sync`: after it). */
  readonly drift: readonly Drift[];
  readonly failures: readonly KeyFailure[];
  /** For the values translated in this run. */
  readonly terms: readonly TermFinding[];
  /** The charset that the file had before `--to-utf8` converted it. */
  readonly convertedFrom?: string | undefined;
  /** The list of languages, relative to the root, to which that of a new file was added. */
  readonly listedIn?: string | undefined;
  /** Its structure is not that of its source: code and markup, or the order of texts. A page without texts may lack. */
  readonly isBehind?: boolean | undefined;
  /** Parts that stay unchanged, with the reason. */
  readonly notes?: readonly Note[] | undefined;
  /** The file could not be read or written at all. */
  readonly error?: DragomanError | undefined;
}

export interface LanguageReport {
  /** Canonical. */
  readonly locale: string;
  readonly coverage: Coverage;
  readonly changes: Changes;
  /** Files with something to report; empty if a language has no problems. */
  readonly files: readonly FileReport[];
  /** All of them, in the order of the project's resources; created on each call. */
  readonly allFiles: () => readonly FileReport[];
  /** Keys that a sync would have translated; only if nothing was done. */
  readonly wanted?: number | undefined;
  /** The price of a sync of the language, if requested: at a service, and of engines that have one. */
  readonly credits?: number | undefined;
  readonly cost?: Money | undefined;
  /** Only if nothing was done and there is a memory. */
  readonly memory?: MemoryCoverage | undefined;
  /**
   * Who translated, with the number of values; `memory` for those that the translation memory had. Only after a sync
   * that translated.
   */
  readonly engines?: ReadonlyMap<string, number> | undefined;
  /** The language could not be translated at all. */
  readonly error?: DragomanError | undefined;
}

export interface SyncReport {
  /** Absolute. */
  readonly root: string;
  /** Canonical. */
  readonly source: string;
  readonly languages: readonly LanguageReport[];
  /** Remaining translations whose sources are gone. */
  readonly removedSources?: readonly RemovedSource[] | undefined;
  /** Translations that pruning removed, relative to the root. */
  readonly prunedFiles?: readonly string[] | undefined;
  /** For a project without languages: the keys of its sources, by file, or the error of an unreadable one. */
  readonly sources?: ReadonlyMap<string, number | DragomanError> | undefined;
  /** Whether the lock was written. */
  readonly lockWritten?: boolean | undefined;
  /** The result of adding git's rule for the lock, if it was new. */
  readonly attributes?: AttributesResult;
  /** Stopped by the signal. Finished work is saved. */
  readonly interrupted: boolean;
  /** Why the run stopped early: account, budget or connection did not allow more. Finished work is saved. */
  readonly stopped?: DragomanError | undefined;
  /**
   * Keys that the run was to translate in all of its projects, and those of this one that have a translation now; of jobs
   * it is not known.
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

export const NO_CHANGES = { translated: 0, reused: 0, kept: 0, failed: 0, pruned: 0 } satisfies Changes;

/** The share of translated keys, rounded down: 100 means that none is missing. */
export function percentDone({ keys, translated }: Coverage): number {
  return keys === 0 ? 100 : Math.floor((100 * translated) / keys);
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

export function sumChanges(all: readonly Changes[]): Changes {
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
