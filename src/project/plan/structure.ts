import { positionAt, splice, type Edit, type Span } from '../../base/span.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { keyId } from '../../documents/localization/pairing.ts';
import type { Document } from '../../formats/format.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import { sameKey } from '../../formats/render.ts';
import {
  fingerprint,
  type Fingerprint,
  type LockKey,
  lockKeys,
  type LockRecord,
} from '../state/lock-line.ts';
import type { LockChanges } from '../state/lock.ts';
import type { Records } from './plan.ts';
import type { Note } from './report.ts';

/**
 * The structure of a document consists of the parts between its texts: code, markup, setting names. They follow the
 * source unless a person changed them in the translation. The lock has a record for each part with words, under the key
 * of the preceding text.
 */
const MARK = '~=';

/** Separates the records of texts from those of the parts between them. */
export function splitRecords(all: Records): { readonly records: Records; readonly structure: Records } {
  const [records, structure] = [new Map(all), new Map(all)];
  for (const key of all.keys()) (key.startsWith(MARK) ? records : structure).delete(key);
  return { records, structure };
}

/** The parts before the first text and after each text. */
export function gapsOf({ text, slots }: Document): readonly Span[] {
  const ends = [0, ...slots.map(({ span }) => span.end)];
  return ends.map((start, i) => ({ start, end: slots[i]?.span.start ?? text.length }));
}

/** The source without the texts that a translation lacks. The texts around them become neighbours. */
export function withoutMissingTexts(skeleton: Document, { slots }: Document): Document {
  if (slots.length === skeleton.slots.length) return skeleton;
  const keys = new Set(slots.map(({ key }) => keyId(key)));
  return { ...skeleton, slots: skeleton.slots.filter(({ key }) => keys.has(keyId(key))) };
}

/** Whether both have the same keys in the same order, in which case the parts between them correspond. */
function hasOrderOf(a: Document, b: Document): boolean {
  return (
    a.slots.length === b.slots.length && a.slots.every(({ key }, i) => sameKey(key, b.slots[i]?.key ?? []))
  );
}

function gapKeys(document: Document): readonly LockKey[] {
  return [MARK, ...lockKeys(document).map((key) => MARK + key)];
}

/** How parts of a structure are compared. */
interface GapNotation {
  /** Whether a part contains anything that a person may have changed on purpose. */
  readonly hasContent: (text: string) => boolean;
  readonly print: (text: string) => Fingerprint;
}

const OF_PAGES: GapNotation = { hasContent: (text) => /\p{L}/u.test(text), print: fingerprint };

/** A cue's number, above its times. It is ignored, because it is only a counter. */
const NUMBER = /^[ \t]*\d+[ \t]*(?=\r?\n[^\n]*-->)/gm;

/** For subtitles, the parts between texts are times. */
const OF_CUES: GapNotation = {
  hasContent: (text) => /[\p{L}\d]/u.test(text),
  print: (text) => fingerprint(text.replace(NUMBER, '').replaceAll('\r', '')),
};

export function gapNotation(document: Document): GapNotation {
  return hasCues(document) ? OF_CUES : OF_PAGES;
}

/** Replaces the cue numbers in a part with those of its source. */
export function withNumbersOf(source: string, part: string): string {
  const numbers = source.match(NUMBER) ?? [];
  return part.match(NUMBER)?.length === numbers.length
    ? part.replace(NUMBER, () => numbers.shift() ?? '')
    : part;
}

/** A part of the structure: its position and its record. */
export interface StructureGap extends Span {
  readonly text: string;
  readonly record: LockRecord | undefined;
  readonly notation: GapNotation;
}

/** The parts of a structure, with their records. */
export function readGaps(document: Document, structure: Records): readonly StructureGap[] {
  const keys = gapKeys(document);
  const notation = gapNotation(document);
  return gapsOf(document).map((span, i) => ({
    ...span,
    notation,
    text: document.text.slice(span.start, span.end),
    record: structure.get(keys[i] ?? '')?.[0],
  }));
}

/** Whether a person changed the part after it was recorded, or wrote it before the first record. */
export function isByPerson({ text, record, notation }: StructureGap): boolean {
  return record !== undefined && (record.mark !== undefined || record.output !== notation.print(text));
}

/** How a part of a translation relates to the current source. */
type GapState =
  | 'ours'
  /** The part is unchanged since it was written, but its source has changed. */
  | 'stale'
  | KeptGap;

/** A part that is kept. */
interface KeptGap {
  readonly record: LockRecord;
  /** Whether its source has changed since. */
  readonly isOutdated: boolean;
}

export function stateOfGap(gap: StructureGap, source: string): GapState {
  const { text, record, notation } = gap;
  if (text === source || !(notation.hasContent(text) || notation.hasContent(source))) return 'ours';
  const [own, output] = [notation.print(source), notation.print(text)];
  if (own === output) return 'ours';
  if (!record) return { record: { source: own, output, mark: 'unknown' }, isOutdated: false };
  const isSame = record.source === own;
  if (!isByPerson(gap)) return isSame ? 'ours' : 'stale';
  // A person who changed it again has seen the current source.
  if (record.mark !== undefined && record.output !== output)
    return { record: { source: own, output, mark: 'human' }, isOutdated: false };
  return {
    record: { source: record.source, output, mark: record.mark ?? 'human' },
    isOutdated: !isSame,
  };
}

/** A document with other parts; undefined if that would change its texts. */
export function withGaps(
  { format, scanOptions }: OpenFile,
  document: Document,
  parts: ReadonlyMap<number, string>,
): Document | undefined {
  if (parts.size === 0) return document;
  const gaps = gapsOf(document);
  const edits = [...parts].flatMap(([i, text]): Edit[] => {
    const span = gaps[i];
    return span ? [{ span, text }] : [];
  });
  const changed = format.scan(splice(document.text, edits), scanOptions);
  const keys = lockKeys(changed);
  const before = lockKeys(document);
  const isSame =
    keys.length === before.length &&
    keys.every((key, i) => key === before[i] && changed.slots[i]?.value === document.slots[i]?.value);
  return isSame ? changed : undefined;
}

/** The note about a part that is kept although its source has changed. */
export function outdatedNote(document: Document, gap: Span): Note {
  const { text } = document;
  const words = text.slice(gap.start, gap.end);
  // Skips the number of a cue.
  const [lead = ''] = /^\s*(?:\d+[ \t]*\r?\n(?=[^\n]*-->))?/.exec(words) ?? [];
  const { line } = positionAt(text, gap.start + lead.length);
  return {
    place: `line ${line}`,
    text: hasCues(document)
      ? 'times that a person changed are kept, although those of the source have changed'
      : 'code or markup that a person changed is kept, although its source has changed',
  };
}

/**
 * The lock's new records for the structure of a written file.
 *
 * @param kept the records of parts that a person changed, by number
 */
export function structureChanges(
  skeleton: Document,
  written: Document,
  kept: ReadonlyMap<number, LockRecord>,
  before: Records,
): LockChanges {
  const changes = new Map<LockKey, readonly LockRecord[]>([...before.keys()].map((key) => [key, []]));
  if (!hasOrderOf(skeleton, written)) return new Map();
  const keys = gapKeys(skeleton);
  const sources = readGaps(skeleton, before);
  for (const [i, { text, notation }] of readGaps(written, before).entries()) {
    const source = sources[i]?.text ?? '';
    if (!notation.hasContent(text) && !notation.hasContent(source)) continue;
    const record = kept.get(i) ?? { source: notation.print(source), output: notation.print(text) };
    changes.set(keys[i] ?? '', [record]);
  }
  for (const [key, [record]] of changes) {
    const old = before.get(key)?.[0];
    const isSame =
      old?.source === record?.source && old?.output === record?.output && old?.mark === record?.mark;
    if (isSame) changes.delete(key);
  }
  return changes;
}
