import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { positionAt } from '../../base/span.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { type SlotId, slotIds } from '../../documents/localization/pairing.ts';
import { followLinks, type LinkTags } from '../../documents/markdown/links.ts';
import type { Document, LinkTo, Slot } from '../../formats/format.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import { render } from '../../formats/render.ts';
import type { Resource } from '../discover/resource.ts';
import { fingerprint, isOwnMark, type LockKey, lockKeys, type LockRecord } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import { alignTarget } from './aligned-target.ts';
import { pairTexts } from './pair-texts.ts';
import type { Records } from './plan.ts';
import type { Note } from './report.ts';
import {
  type StructureGap,
  gapNotation,
  gapsOf,
  isByPerson,
  outdatedNote,
  withoutMissingTexts,
  readGaps,
  splitRecords,
  stateOfGap,
  withGaps,
  withNumbersOf,
} from './structure.ts';

/** A translation of running text with the structure of the current source. */
export interface FollowedTarget {
  readonly existing: OpenFile;
  /** The records of texts, under their current keys. */
  readonly records: Records;
  /** Whether `existing` differs from the file. */
  readonly isFollowed: boolean;
  /** The records of a person's changes to the parts between texts, by number. */
  readonly kept: ReadonlyMap<number, LockRecord>;
  /** Parts that are kept although their source has changed. */
  readonly notes: readonly Note[];
  /** Set if the translation's blocks differ from its source's: texts that it may or may not have. */
  readonly unmatched?: ReadonlySet<SlotId> | undefined;
}

/** The source whose structure a translation follows. */
interface FollowedSource {
  readonly source: Document;
  /** The source with the links for the translation. */
  readonly skeleton: Document;
  readonly tags: LinkTags | undefined;
}

/** The error for a file that matches neither its source nor a translation in the lock. */
export class ForeignStructure extends DragomanError {
  /** The number of texts in the source. */
  texts = 0;
}

/**
 * The keys of running text are positions: a new paragraph in the source changes all later ones. The translation still
 * has the structure of the earlier source, which the lock records text by text. Each text that the source still has
 * keeps its translation at its new position; a text between two unchanged ones counts as a change of the earlier text
 * there. The others need a translation. The parts between the texts follow the source, unless a person changed them.
 *
 * @throws ForeignStructure, and DragomanError `unreadable_input` for a translation with records in the lock
 */
export function followSource(
  { source, skeleton, tags }: FollowedSource,
  standingFile: OpenFile,
  all: Records,
): FollowedTarget {
  const { records: recorded, structure } = splitRecords(all);
  const { existing, records } = tags
    ? linkTarget(standingFile, recorded, tags)
    : { existing: standingFile, records: recorded };
  const wanted = lockKeys(skeleton);
  const standing = lockKeys(existing.document);
  const known = standing.map((key) => records.get(key)?.[0]);
  const gaps = readGaps(existing.document, structure);
  const unmoved = (): FollowedTarget => {
    const followed = followInPlace(skeleton, existing, gaps, records);
    return { ...followed, isFollowed: followed.isFollowed || existing !== standingFile };
  };
  const isKnown = isRecorded(standing, records);
  if (!(isKnown || isSame(wanted, standing)) || isShifted(existing.document, standing, records))
    return followAligned({ source, skeleton, tags }, standingFile, recorded, structure);
  if (!isKnown) return unmoved();

  const pairs = pairTexts(source, existing.document, known, gaps);
  if (isSame(wanted, standing) && pairs.every((from, at) => from === at)) return unmoved();
  const { frame, ...structureOfPersons } = keepGaps(skeleton, existing, gaps, pairs);
  const values = new Map<number, string>();
  for (const [at, from] of pairs.entries()) {
    const value = from === undefined ? undefined : existing.document.slots[from]?.value;
    if (from !== undefined && value !== undefined && known[from]?.mark !== 'pending') values.set(at, value);
  }
  const { document, rejected } = render(existing.format, frame, values, existing.scanOptions);
  for (const at of rejected.keys()) values.delete(at);
  const slots = document.slots.map((slot, at) => (values.has(at) ? slot : provisional(slot)));
  const moved = new Map<LockKey, readonly LockRecord[]>();
  for (const [at, from] of pairs.entries()) {
    const own = from === undefined || !values.has(at) ? undefined : records.get(standing[from] ?? '');
    if (own) moved.set(wanted[at] ?? '', own);
  }
  return {
    existing: { ...existing, document: { ...document, entries: [], slots } },
    records: moved,
    isFollowed: true,
    ...structureOfPersons,
  };
}

/** Compares matching parts and inserts missing ones; everything else is kept. */
function followAligned(
  { source, skeleton, tags }: FollowedSource,
  standingFile: OpenFile,
  recorded: Records,
  structure: Records,
): FollowedTarget {
  const aligned = alignTarget(source, skeleton, standingFile, recorded);
  if (!aligned) throw foreignStructure(standingFile, skeleton, recorded);
  const { added, unmatched, notes } = aligned;
  const { existing, records } = tags ? linkTarget(aligned.existing, aligned.records, tags) : aligned;
  const gaps = readGaps(existing.document, structure);
  const present = withoutMissingTexts(skeleton, existing.document);
  const followed = followInPlace(present, existing, gaps, records, aligned.isHeld);
  const { document } = followed.existing;
  const ids = slotIds(document);
  const slots = document.slots.map((slot, i) => (added.has(ids[i] ?? '') ? provisional(slot) : slot));
  return {
    ...followed,
    existing: { ...followed.existing, document: { ...document, slots } },
    isFollowed: followed.isFollowed || added.size > 0 || existing !== aligned.existing,
    unmatched,
    notes: [...notes, ...followed.notes],
  };
}

/** The error's position is the first text whose kind or number differs from the source. */
function foreignStructure({ document, path }: OpenFile, skeleton: Document, records: Records): DragomanError {
  const { text, slots } = document;
  const wanted = lockKeys(skeleton);
  const differs = lockKeys(document).findIndex((key, i) => key !== wanted[i]);
  const at = positionAt(text, slots[differs]?.span.start ?? text.length);
  // Without records, only its name suggests that the file is a translation.
  const ErrorType = records.size === 0 ? ForeignStructure : DragomanError;
  const error = new ErrorType(
    'unreadable_input',
    hasCues(skeleton)
      ? 'from here on, its subtitles do not match its source: make them match, or remove the file'
      : 'from here on, its headings, paragraphs and cells do not match its source: make them match, or remove the file',
    { at: { ...at, file: path } },
  );
  if (error instanceof ForeignStructure) error.texts = skeleton.slots.length;
  return error;
}

/**
 * If all texts are unchanged, the parts between them follow the source one by one.
 *
 * @param held parts that must stay unchanged
 */
function followInPlace(
  skeleton: Document,
  existing: OpenFile,
  gaps: readonly StructureGap[],
  records: Records,
  held?: (gap: number) => boolean,
): FollowedTarget {
  const kept = new Map<number, LockRecord>();
  const notes: Note[] = [];
  const stale = new Map<number, string>();
  for (const [i, { start, end }] of gapsOf(skeleton).entries()) {
    const [gap, source] = [gaps[i], skeleton.text.slice(start, end)];
    const state = gap ? stateOfGap(gap, source) : 'ours';
    if (gap && held?.(i) === true)
      kept.set(i, {
        source: gap.notation.print(source),
        output: gap.notation.print(gap.text),
        mark: 'unknown',
      });
    else if (state === 'stale') stale.set(i, source);
    else if (state !== 'ours') {
      kept.set(i, state.record);
      if (gap && state.isOutdated) notes.push(outdatedNote(existing.document, gap));
    }
  }
  const { document } = existing;
  const inParts = withGaps(existing, document, stale);
  for (const i of inParts || !held ? [] : stale.keys()) {
    const record = gaps[i]?.record;
    if (record) kept.set(i, record);
  }
  const followed = inParts ?? (held ? document : renderAnew(skeleton, existing, gaps, kept));
  const isFollowed = stale.size > 0 && followed.text !== document.text;
  const file = isFollowed ? { ...existing, document: followed } : existing;
  return { existing: file, records, isFollowed, kept, notes };
}

/**
 * The source's structure with all values of the translation. Needed if the new parts require other notations of the
 * values.
 */
function renderAnew(
  skeleton: Document,
  existing: OpenFile,
  gaps: readonly StructureGap[],
  kept: ReadonlyMap<number, LockRecord>,
): Document {
  const { format, scanOptions, document } = existing;
  const frame = withGaps(existing, skeleton, new Map([...kept.keys()].map((i) => [i, gaps[i]?.text ?? ''])));
  if (!frame) return document;
  const values = new Map(document.slots.map(({ value }, i) => [i, value]));
  const rendering = render(format, frame, values, scanOptions);
  return rendering.rejected.size === 0 ? rendering.document : document;
}

interface FramedStructure extends Pick<FollowedTarget, 'kept' | 'notes'> {
  /** The source with a person's changes to the parts between texts. */
  readonly frame: Document;
}

/** Finds the positions of a person's changes in the current source: by content, otherwise after the same text. */
function keepGaps(
  skeleton: Document,
  existing: OpenFile,
  gaps: readonly StructureGap[],
  pairs: readonly (number | undefined)[],
): FramedStructure {
  const open = new Set(gaps.flatMap((gap, i) => (isByPerson(gap) ? i : [])));
  const parts = new Map<number, string>();
  const kept = new Map<number, LockRecord>();
  const notes: Note[] = [];
  const take = (at: number, from: number, source: string): void => {
    const gap = gaps[from];
    const state = gap && stateOfGap(gap, source);
    if (!gap || typeof state !== 'object') return;
    open.delete(from);
    parts.set(at, withNumbersOf(source, gap.text));
    kept.set(at, state.record);
    if (state.isOutdated) notes.push(outdatedNote(existing.document, gap));
  };
  const sources = gapsOf(skeleton).map(({ start, end }) => skeleton.text.slice(start, end));
  for (const [at, source] of open.size > 0 ? sources.entries() : []) {
    const own = gapNotation(skeleton).print(source);
    const from = [...open].find((i) => gaps[i]?.record?.source === own);
    if (from !== undefined) take(at, from, source);
  }
  for (const [at, source] of open.size > 0 ? sources.entries() : []) {
    const before = at === 0 ? -1 : pairs[at - 1];
    if (!parts.has(at) && before !== undefined && open.has(before + 1)) take(at, before + 1, source);
  }
  const frame = withGaps(existing, skeleton, parts);
  return frame ? { frame, kept, notes } : { frame: skeleton, kept: new Map(), notes };
}

/** Whether the translation has exactly the texts that the lock records. */
function isRecorded(standing: readonly LockKey[], records: Records): boolean {
  return records.size > 0 && standing.length === records.size && standing.every((key) => records.has(key));
}

/** Whether a text is in another one's position, because a person removed and added texts or moved some. */
function isShifted({ slots }: Document, standing: readonly LockKey[], records: Records): boolean {
  const outputs = new Set([...records.values()].flatMap((own) => own.map(({ output }) => output)));
  return slots.some(({ value }, i) => {
    const own = records.get(standing[i] ?? '');
    const output = fingerprint(value);
    return own !== undefined && outputs.has(output) && !own.some((record) => record.output === output);
  });
}

function isSame(a: readonly LockKey[], b: readonly LockKey[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}

/** The source text, used in place of a missing translation. */
function provisional(slot: Slot): Slot {
  const { key, value, span, syntax } = slot;
  return { key, value, span, syntax, provisional: true, encode: (text, other) => slot.encode(text, other) };
}

/** By source: the existing translations into a language, and those that a run is going to write. */
export type Pages = ReadonlyMap<string, string>;

/** @returns undefined if links are not translated */
export function pagesOf(project: Project, locale: string): Pages | undefined {
  if (project.configuration.links !== true) return undefined;
  const { covers } = project;
  const selected = new Set(project.resources);
  const isThere = (resource: Resource): boolean =>
    (selected.has(resource) && project.targets.includes(locale) && covers?.(resource, locale) !== false) ||
    typeAt(join(project.root, resource.targetPath(locale))) !== undefined;
  return new Map(
    project.pages
      .filter((resource) => resource.format.isProse && isThere(resource))
      .map((resource) => [resource.source, resource.targetPath(locale)]),
  );
}

/** Where the links of a translation lead. */
export function linksBetween(pages: Pages, source: string, target: string): LinkTo {
  return followLinks({ source, target, translationOf: (path) => pages.get(path) });
}

interface Linked {
  readonly existing: OpenFile;
  readonly records: Records;
}

/**
 * A translation whose unchanged texts have current links, with their new records. Texts changed by a person keep their
 * links.
 */
function linkTarget(existing: OpenFile, records: Records, tags: LinkTags): Linked {
  if (tags.isEmpty) return { existing, records };
  const { document, format, scanOptions } = existing;
  const keys = lockKeys(document);
  const values = new Map<number, string>();
  const changed = new Map<LockKey, readonly LockRecord[]>(records);
  for (const [i, { value }] of document.slots.entries()) {
    const key = keys[i] ?? '';
    const record = records.get(key)?.[0];
    if (!record || !isOwnMark(record.mark) || record.output !== fingerprint(value)) continue;
    const linked = tags.link(value);
    if (linked === value) continue;
    values.set(i, linked);
    changed.set(key, [{ ...record, output: fingerprint(linked) }]);
  }
  if (values.size === 0) return { existing, records };
  const rendering = render(format, document, values, scanOptions);
  if (rendering.text === document.text) return { existing, records };
  for (const i of rendering.rejected.keys()) {
    const key = keys[i] ?? '';
    changed.set(key, records.get(key) ?? []);
  }
  return { existing: { ...existing, document: rendering.document }, records: changed };
}
