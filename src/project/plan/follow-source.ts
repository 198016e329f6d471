import { DragomanError } from '../../base/errors.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import type { Document, Slot } from '../../formats/format.ts';
import { render } from '../../formats/render.ts';
import { sourceFingerprint } from '../state/fingerprint.ts';
import { lockKeys, type LockKey } from '../state/lock-key.ts';
import type { LockRecord } from '../state/lock-line.ts';

type Records = ReadonlyMap<LockKey, readonly LockRecord[]>;

/** A translation of running text, brought into the structure that its source has now. */
export interface FollowedTarget {
  readonly existing: OpenFile;
  /** The records, under the keys that their texts have now. */
  readonly records: Records;
}

/** The error of a translation that corresponds neither to its source nor to the lock. */
export class ForeignStructure extends DragomanError {}

/**
 * The keys of running text are places: a new paragraph in the source changes those behind it. The translation still has
 * the structure of the source that it was made of, which the lock knows text by text. Each text that the source still
 * has keeps its translation, wherever it stands now; a text between two that stayed is taken for a change of the one that
 * stood there. The others are to be translated.
 *
 * @returns undefined where source and translation correspond already
 * @throws ForeignStructure
 */
export function followSource(
  skeleton: Document,
  existing: OpenFile,
  records: Records,
): FollowedTarget | undefined {
  const wanted = lockKeys(skeleton);
  const standing = lockKeys(existing.document);
  const known = standing.map((key) => records.get(key)?.[0]);
  if (!isRecorded(standing, records)) {
    if (isSame(wanted, standing)) return undefined;
    throw new ForeignStructure(
      'unreadable_input',
      'its headings, paragraphs and cells are not those of its source',
      {
        at: { line: 1, column: 1, file: existing.path },
        hint: 'Make both correspond, or remove the translation: it is made anew then.',
      },
    );
  }
  const pairs = pairTexts(skeleton, wanted, standing, known);
  if (isSame(wanted, standing) && pairs.every((from, at) => from === at)) return undefined;
  const values = new Map<number, string>();
  for (const [at, from] of pairs.entries()) {
    const value = from === undefined ? undefined : existing.document.slots[from]?.value;
    if (from !== undefined && value !== undefined && known[from]?.mark !== 'pending') values.set(at, value);
  }
  const { document, rejected } = render(existing.format, skeleton, values, existing.scanOptions);
  for (const at of rejected.keys()) values.delete(at);
  const slots = document.slots.map((slot, at) => (values.has(at) ? slot : provisional(slot)));
  const moved = new Map<LockKey, readonly LockRecord[]>();
  for (const [at, from] of pairs.entries()) {
    const own = from === undefined || !values.has(at) ? undefined : records.get(standing[from] ?? '');
    if (own) moved.set(wanted[at] ?? '', own);
  }
  return { existing: { ...existing, document: { ...document, entries: [], slots } }, records: moved };
}

/** Whether the translation has the texts that the lock knows of it, and no others. */
function isRecorded(standing: readonly LockKey[], records: Records): boolean {
  return records.size > 0 && standing.length === records.size && standing.every((key) => records.has(key));
}

function isSame(a: readonly LockKey[], b: readonly LockKey[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}

/** By slot of the source: the slot of the translation that was made of the same text, or of the text that it was. */
function pairTexts(
  { slots }: Document,
  wanted: readonly LockKey[],
  standing: readonly LockKey[],
  known: readonly (LockRecord | undefined)[],
): readonly (number | undefined)[] {
  const open = new Map<string, number[]>();
  for (const [at, record] of known.entries()) {
    if (!record) continue;
    const list = open.get(record.source);
    if (list) list.push(at);
    else open.set(record.source, [at]);
  }
  for (const list of open.values()) list.reverse();
  const pairs = slots.map(({ value, comment }) =>
    open.get(sourceFingerprint({ text: value, comment }))?.pop(),
  );
  const taken = new Set(pairs);
  for (const [at, pair] of pairs.entries()) {
    if (pair !== undefined) continue;
    const from = at === 0 ? 0 : (pairs[at - 1] ?? -2) + 1;
    if (from < 0 || from >= standing.length || taken.has(from)) continue;
    if (kindOf(wanted[at]) !== kindOf(standing[from])) continue;
    pairs[at] = from;
    taken.add(from);
  }
  return pairs;
}

/** Keys end with a number and what the text is. */
function kindOf(key: LockKey | undefined): string | undefined {
  return key?.slice(key.lastIndexOf('/') + 1).replace(/^\d+/, '');
}

/** The text of the source, which stands in the place of its translation until there is one. */
function provisional(slot: Slot): Slot {
  const { key, value, span, syntax } = slot;
  return { key, value, span, syntax, provisional: true, encode: (text, other) => slot.encode(text, other) };
}
