import { digestOf } from '../../base/digest.ts';
import { type Edit, positionsIn, type Span, splice } from '../../base/span.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { type SlotId, slotIds } from '../../documents/localization/pairing.ts';
import type { Document, Format, Key, Slot } from '../../formats/format.ts';
import { sameKey } from '../../formats/render.ts';
import { alignTexts, type TextAlignment } from './align-texts.ts';
import { compareTimes } from './cue-times.ts';
import { KnownTexts } from './known-texts.ts';
import type { Records } from './plan.ts';
import type { Note } from './report.ts';
import { gapsOf } from './structure.ts';

/** A translation whose blocks differ from its source's, with its texts under the keys of the source. */
export interface AlignedTarget {
  /** The translation with all texts of the source, including inserted ones. */
  readonly existing: OpenFile;
  readonly records: Records;
  /** The inserted texts: source words in place of a missing translation. */
  readonly added: ReadonlySet<SlotId>;
  /** Source texts that may or may not have a translation. */
  readonly unmatched: ReadonlySet<SlotId>;
  /** Whether the part before a text, or after the last one, contains texts without a counterpart. */
  readonly isHeld: (gap: number) => boolean;
  readonly notes: readonly Note[];
}

/** With a smaller share of texts that have a counterpart, a file is not a translation of its source. */
const LEAST_SHARE = 0.4;
/** Limited, because each attempt parses the file again. */
const MAX_TRIES = 40;

/** The alignments of a translation by its records: the copies of a page in a site's versions share their documents. */
const alignments = new WeakMap<Document, Map<string, Alignment>>();

interface Alignment {
  readonly skeleton: Document;
  readonly aligned: AlignedTarget | undefined;
}

/** @returns undefined if too few texts correspond */
export function alignTarget(
  source: Document,
  skeleton: Document,
  existing: OpenFile,
  recorded: Records,
): AlignedTarget | undefined {
  const known = alignments.get(existing.document) ?? new Map<string, Alignment>();
  alignments.set(existing.document, known);
  const id = digestOf(JSON.stringify([...recorded]));
  const found = known.get(id);
  const aligned = found?.skeleton === skeleton ? found.aligned : align(source, skeleton, existing, recorded);
  known.set(id, { skeleton, aligned });
  return aligned && { ...aligned, existing: { ...aligned.existing, path: existing.path } };
}

function align(
  source: Document,
  skeleton: Document,
  existing: OpenFile,
  recorded: Records,
): AlignedTarget | undefined {
  const lock = new KnownTexts(source, skeleton, existing.document, recorded);
  const times = compareTimes(skeleton, existing.document);
  const evidence = (i: number, j: number): number => lock.evidence(i, j);
  const pairAll = (): TextAlignment => alignTexts(skeleton, existing.document, evidence, times?.pairs);
  const first = pairAll();
  const aligned = lock.learn(first.pairs) ? pairAll() : first;
  const { pairs: inOrder } = aligned;
  const missing = new Set([...aligned.missing].filter((i) => times?.isCovered(i) !== true));
  const sure = lock.withMoved(inOrder);
  const texts = skeleton.slots.length + existing.document.slots.length;
  if (sure.size < 2 || 2 * sure.size < LEAST_SHARE * texts) return undefined;
  const inserted = insertTexts(skeleton, existing, sure, missing);
  const { document } = inserted;
  const { pairs, sources } = pairByPlace(skeleton, inserted, sure);
  const keys = sources.map((i) => (i === undefined ? undefined : skeleton.slots[i]?.key));
  const format = viewThrough(existing.format, document, keys);
  const slots = document.slots.flatMap((slot, at) => rename(slot, keys[at]));
  const ids = slotIds(skeleton);
  const seen = [...sources.entries()].filter(([, i]) => i !== undefined);
  const end = [sources.length, skeleton.slots.length] as const;
  return {
    existing: { ...existing, format, document: { ...document, slots } },
    records: lock.recordsOf(pairs),
    added: new Set(ids.filter((_, i) => sources.includes(i) && !pairs.has(i))),
    unmatched: new Set(ids.filter((_, i) => !sources.includes(i))),
    isHeld(gap) {
      const [[at, i], [before, from]] = [seen[gap] ?? end, seen[gap - 1] ?? [-1, -1]];
      return before + 1 !== at || (from ?? 0) + 1 !== i;
    },
    notes: notesOn(skeleton, existing.document, { pairs, sources }),
  };
}

interface Inserted {
  readonly document: Document;
  /** By text of the document: the index of its source text. */
  readonly sources: readonly (number | undefined)[];
}

/** Consecutive source texts, and the text that replaces a part of the translation to include them. */
interface Insertion {
  readonly from: number;
  readonly to: number;
  /** The index of the translation's text before which they are inserted. */
  readonly at: number;
  readonly edit: Edit;
}

/** The translation with source words for missing texts, if the result still parses like both. */
function insertTexts(
  skeleton: Document,
  { document, format, scanOptions }: OpenFile,
  pairs: ReadonlyMap<number, number>,
  missing: ReadonlySet<number>,
): Inserted {
  const all = findInsertions(skeleton, document, pairs, missing);
  const back = new Map([...pairs].map(([i, j]) => [j, i]));
  const tryWith = (insertions: readonly Insertion[]): Inserted | undefined => {
    const text = splice(
      document.text,
      insertions.map(({ edit }) => edit),
    );
    const made = format.scan(text, scanOptions);
    const expected: { readonly slot: Slot | undefined; readonly from: number | undefined }[] = [];
    for (let j = 0; j <= document.slots.length; j++) {
      for (const { from, to } of insertions.filter(({ at }) => at === j))
        for (let i = from; i < to; i++) expected.push({ slot: skeleton.slots[i], from: i });
      if (j < document.slots.length) expected.push({ slot: document.slots[j], from: back.get(j) });
    }
    const isSame =
      made.slots.length === expected.length &&
      made.slots.every(({ key, value }, at) => {
        const slot = expected[at]?.slot;
        return slot?.value === value && kindOf(slot.key) === kindOf(key);
      });
    return isSame ? { document: made, sources: expected.map(({ from }) => from) } : undefined;
  };
  if (all.length > 0) {
    const made = tryWith(all) ?? tryWith(all.slice(0, MAX_TRIES).filter((one) => tryWith([one])));
    if (made) return made;
  }
  return { document, sources: document.slots.map((_, j) => back.get(j)) };
}

/**
 * If the inserted texts complete the structure of the source, the remaining texts correspond by their place, as in a
 * file that had this structure before: the next run must not find more than this one.
 */
function pairByPlace(
  skeleton: Document,
  { document, sources }: Inserted,
  sure: ReadonlyMap<number, number>,
): Pick<Inserted, 'sources'> & { readonly pairs: ReadonlyMap<number, number> } {
  const isSame =
    document.slots.length === skeleton.slots.length &&
    document.slots.every(({ key }, at) => {
      const from = sources[at] ?? at;
      return from === at && sameKey(key, skeleton.slots[at]?.key ?? []);
    });
  if (!isSame) return { pairs: sure, sources };
  const kept = [...sources.keys()].filter((at) => sources[at] === undefined || sure.has(at));
  return { pairs: new Map(kept.map((at, j) => [at, j])), sources: [...sources.keys()] };
}

/** Keys end with a number and the kind of the text; those of cues are numbers. */
function kindOf(key: Key): string {
  return (key.at(-1) ?? '').replace(/^\d+-?/, '');
}

function findInsertions(
  skeleton: Document,
  target: Document,
  pairs: ReadonlyMap<number, number>,
  missing: ReadonlySet<number>,
): readonly Insertion[] {
  const found: Insertion[] = [];
  const [from, into] = [gapsOf(skeleton), gapsOf(target)];
  const eol = target.text.includes('\r\n') ? '\r\n' : '\n';
  const cut = (start: number | undefined, end: number | undefined): string =>
    skeleton.text.slice(start, end).replace(/\r?\n/g, eol);
  const depthOf = depthIn(skeleton.text);
  const { length } = skeleton.slots;
  for (let i = 0; i < length; i++) {
    if (!missing.has(i)) continue;
    const first = i;
    while (missing.has(i + 1)) i++;
    // Next to an extra text, a missing text may be a part of that text.
    const before = first === 0 ? -1 : pairs.get(first - 1);
    const after = i + 1 === length ? target.slots.length : pairs.get(i + 1);
    const span = after === undefined ? undefined : into[after];
    if (before === undefined || after !== before + 1 || !span) continue;
    const lead = from[first];
    const tail = from[i + 1];
    const replaced = target.text.slice(span.start, span.end);
    const gaps = from.slice(first, i + 2).map(({ start, end }) => cut(start, end));
    const values = skeleton.slots.slice(first, i + 1).map((slot) => cut(slot.span.start, slot.span.end));
    const text =
      fillCells(replaced, gaps, values) ??
      putBetween(replaced, {
        before: cut(lead?.start, lead?.end),
        texts: cut(lead?.end, tail?.start),
        after: cut(tail?.start, tail?.end),
      });
    if (text === undefined || depthOf(text) !== depthOf(replaced)) continue;
    if (addsToBegun(replaced, text) || !keepsColumns(target.text, span, text)) continue;
    found.push({ from: first, to: i + 1, at: after, edit: { span, text } });
  }
  return found;
}

/** Whether a new line begins with all of an existing line. Prevents a heading with more words beside a code heading. */
function addsToBegun(replaced: string, text: string): boolean {
  const added = text.split('\n');
  const begun = replaced.split('\n').filter((line) => /[\p{L}\d]/u.test(line));
  return begun.some((line) => added.some((own) => own !== line && own.startsWith(line)));
}

const ROW = /^[ \t>]*\|/;

/** Whether rows that an edit touches or adds have as many cells as the rows beside them. */
function keepsColumns(page: string, { start, end }: Span, text: string): boolean {
  const from = page.lastIndexOf('\n', page.lastIndexOf('\n', start - 1) - 1) + 1;
  const behind = page.slice(end).split('\n', 2).join('\n');
  const lines = (page.slice(from, start) + text + behind).split('\n');
  const cells = lines.map((line) => (ROW.test(line) ? line.split(/(?<!\\)\|/).length : 0));
  const isSame = (count: number, i: number): boolean => {
    const before = cells[i - 1] ?? 0;
    return count === 0 || before === 0 || count === before;
  };
  return cells.every(isSame);
}

const CONTAINER = /^[ \t>]*(?::{3,}|\/{3,})[ \t]*(\S?)/gm;
const CLOSING = /(?:<\/|\{\{[<%]\s*\/|\{%-?\s*end)([\w.-]+)/g;
/** Attributes end at the next opening bracket, so that a page is scanned only once. */
const OPENING =
  /(?:<|\{\{[<%]\s*|\{%-?\s*)([A-Za-z][\w.-]*)(?:(?:"[^"<{]*"|'[^'<{]*'|\{[^{}<]*\}|[^<>{}"'])*?(\/)?>)?/g;
/** The end tags of these elements may be omitted. */
const WITHOUT_END: ReadonlySet<string> = new Set(['dd', 'dt', 'li', 'p', 'td', 'th', 'tr']);

interface Tags {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
}

function tagsIn(text: string): Tags {
  const isCounted = (name: string): boolean => !WITHOUT_END.has(name.toLowerCase());
  const closed = [...text.matchAll(CLOSING)].flatMap(([, name = '']) => (isCounted(name) ? name : []));
  const opened = [...text.matchAll(OPENING)].flatMap(([, name = '', ends]) =>
    ends === undefined && isCounted(name) ? name : [],
  );
  return { opened, closed };
}

/**
 * Counts how many containers, elements and shortcodes a part of a page opens without closing them: unclosed, they would
 * enclose the following text.
 *
 * @param page shows which of them have a start and an end
 */
function depthIn(page: string): (part: string) => number {
  const all = tagsIn(page);
  const [begun, ended] = [new Set(all.opened), new Set(all.closed)];
  return (part) => {
    const { opened, closed } = tagsIn(part);
    let depth = 0;
    for (const [, name] of part.matchAll(CONTAINER)) depth += name === '' ? -1 : 1;
    depth += opened.filter((name) => ended.has(name) || closed.includes(name)).length;
    return depth - closed.filter((name) => begun.has(name) || opened.includes(name)).length;
  };
}

/**
 * A part between two texts of a translation with texts in its empty cells; undefined if it differs from the source's
 * parts in more than blanks.
 *
 * @param gaps the source's parts before, between and after the texts
 */
function fillCells(gap: string, gaps: readonly string[], texts: readonly string[]): string | undefined {
  const withoutBlanks = (part: string): string => part.replace(/[ \t]/g, '');
  if (withoutBlanks(gap) !== withoutBlanks(gaps.join(''))) return undefined;
  const pieces = gap.split('|');
  let cell = 0;
  for (const [i, text] of texts.entries()) {
    cell += (gaps[i]?.split('|').length ?? 1) - 1;
    if (cell === 0 || !/^[ \t]*$/.test(pieces[cell] ?? '-')) return undefined;
    pieces[cell] = ` ${text} `;
  }
  return pieces.join('|');
}

interface MissingTexts {
  /** The parts of the source before, within and after its texts. */
  readonly before: string;
  readonly texts: string;
  readonly after: string;
}

/**
 * A part between two texts of a translation with the missing texts inserted; undefined if their position is unclear.
 */
function putBetween(gap: string, { before, texts, after }: MissingTexts): string | undefined {
  const lineOf = (part: string): number => part.lastIndexOf('\n') + 1;
  const line = gap.slice(lineOf(gap));
  const isSameLine = line === after.slice(lineOf(after));
  // The blank lines of the translation stay above the first of the texts.
  if (isSameLine && before.includes('\n') && gap.endsWith(before)) return gap + texts + after;
  let common = 0;
  while (common < gap.length && gap[common] === before[common]) common++;
  // The translation's content here also exists in the source. The text behind it keeps its marker and its level.
  if (after.endsWith(gap.slice(common))) {
    const own = after.slice(0, lineOf(after)) + line;
    if (withoutNumber(own) === withoutNumber(after)) return before + texts + after;
    if (lineOf(gap) > 0) return before + texts + own;
  }
  const [lead, tail] = [before, after].map((part) => !/\p{L}/u.test(part));
  const headOf = (part: string): string => /^[ \t]*(?:\r?\n[ \t]*(?=\r?\n))*\r?\n/.exec(part)?.[0] ?? '';
  if (lead && headOf(gap) !== '' && headOf(gap) === headOf(after)) return before + texts + gap;
  if (tail && lineOf(gap) > 0 && isSameLine)
    return gap.slice(0, lineOf(gap)) + before.slice(lineOf(before)) + texts + after;
  return undefined;
}

/** A part of a page without the numbers of list items. */
function withoutNumber(part: string): string {
  return part.replace(/\d+(?=[.)])/g, '');
}

/** Wraps a format: the texts of a document get these keys instead of their own. Texts without a key are ignored. */
function viewThrough<F extends Format>(
  format: F,
  { slots: seen }: Document,
  keys: readonly (Key | undefined)[],
): F {
  return {
    ...format,
    scan(text, options) {
      const document = format.scan(text, options);
      const { slots } = document;
      if (slots.length !== seen.length || slots.some(({ key }, i) => !sameKey(key, seen[i]?.key ?? [])))
        return document;
      return {
        ...document,
        slots: slots.flatMap((slot, i) => rename(slot, keys[i])),
      };
    },
  };
}

function rename(slot: Slot, key: Key | undefined): Slot | readonly [] {
  const { value, span, syntax } = slot;
  return key ? { key, value, span, syntax, encode: (text) => slot.encode(text) } : [];
}

/** Notes on texts without a counterpart, which stay unchanged. */
function notesOn(
  skeleton: Document,
  target: Document,
  { pairs, sources }: { readonly pairs: ReadonlyMap<number, number> } & Pick<Inserted, 'sources'>,
): readonly Note[] {
  const [there, paired] = [new Set(sources), new Set(pairs.values())];
  const unmatched = linesOf(skeleton, (i) => there.has(i));
  const extra = linesOf(target, (j) => paired.has(j));
  return [
    ...(unmatched === undefined
      ? []
      : [{ place: `${unmatched} of the source`, text: 'no clear counterpart, not compared' }]),
    ...(extra === undefined
      ? []
      : [{ place: extra, text: 'no clear counterpart in the source, left unchanged' }]),
  ];
}

/** The lines of texts without a counterpart, with neighbours as ranges; undefined if all have one. */
function linesOf({ text, slots }: Document, isKnown: (at: number) => boolean): string | undefined {
  const lineOf = positionsIn(text);
  const ranges: { readonly from: number; to: number }[] = [];
  for (const [at, { span }] of slots.entries()) {
    if (isKnown(at)) continue;
    const { line } = lineOf(span.start);
    const last = ranges.at(-1);
    if (last && at > 0 && !isKnown(at - 1)) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  if (ranges.length === 0) return undefined;
  const [{ from, to } = { from: 0, to: 0 }] = ranges;
  const shown = ranges.map((range) =>
    range.from === range.to ? `${range.from}` : `${range.from}-${range.to}`,
  );
  return `${ranges.length === 1 && from === to ? 'line' : 'lines'} ${shown.join(', ')}`;
}
