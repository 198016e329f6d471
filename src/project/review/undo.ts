import type { DragomanError } from '../../base/errors.ts';
import { type Edit, splice } from '../../base/span.ts';
import { slotFinder, slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import type { Document } from '../../formats/format.ts';
import type { Survey } from '../plan/survey.ts';
import type { LockChanges } from '../state/lock.ts';
import { type LockKey, type LockRecord, sameRecords } from '../state/lock-line.ts';
import { type Project, resourcesOf } from '../state/project.ts';
import { ReviewRun, type ReviewRunOptions } from './review-run.ts';
import type { TextRow } from './row.ts';
import { type RowKeys, rowKeys, rowMaker } from './text-row.ts';

/** A row before an answer was saved. */
export interface RowBefore {
  readonly id: string;
  /** The source file, relative to the root. */
  readonly file: string;
  readonly locale: string;
  readonly keys: ReadonlySet<SlotId>;
  /** Undefined if the answer created the file. */
  readonly passage: Passage | undefined;
  /** The row after the answer, from {@link revisionOf}. */
  readonly saved: string;
  readonly records: LockChanges;
  /** The lock's records after the answer. */
  readonly recorded: LockChanges;
}

/** The result of undoing an answer. */
export type UndoneAnswer = { readonly id: string } & (
  | { readonly kind: 'saved' | 'conflict'; readonly row: TextRow }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  | { readonly kind: 'foreign' }
);

/** The part of a file between two texts that the answer did not change. */
interface Passage {
  /** Undefined for the start of the file. */
  readonly after: SlotId | undefined;
  /** Undefined for the end of the file. */
  readonly upTo: SlotId | undefined;
  readonly before: string;
  readonly now: string;
}

interface SavedFile {
  readonly before: Survey;
  readonly after: Survey;
  /** The lock's records before the answers. */
  readonly records: LockChanges;
  /** The lock's records after the answers. */
  readonly recorded: LockChanges;
}

/** Identifies a row's texts and decision, to show whether they changed after an answer. */
export function revisionOf({ forms, decision }: TextRow): string {
  return JSON.stringify([forms.map(({ base }) => base), decision]);
}

/** The approximate memory use of a remembered row, in bytes. */
export function sizeOfBefore({ passage }: RowBefore): number {
  return 1_000 + 2 * ((passage?.before.length ?? 0) + (passage?.now.length ?? 0));
}

/** The data needed to undo an answer about a row. */
export function rememberRow(
  { before, after, records, recorded }: SavedFile,
  { id, keys }: RowKeys,
  saved: TextRow,
): RowBefore {
  return {
    id,
    file: before.sourcePath,
    locale: before.locale,
    keys: new Set(keys.map((key) => key.id)),
    passage:
      before.existing && after.existing
        ? passageOf(
            before.existing.document,
            after.existing.document,
            keys.map((key) => key.id),
          )
        : undefined,
    saved: revisionOf(saved),
    records: ofKeys(keys, records),
    recorded: ofKeys(keys, recorded),
  };
}

function ofKeys(keys: RowKeys['keys'], records: LockChanges): LockChanges {
  return new Map(keys.map(({ lockKey }) => [lockKey, records.get(lockKey) ?? []]));
}

function passageOf(before: Document, now: Document, keys: readonly SlotId[]): Passage | undefined {
  const inBefore = slotFinder(before);
  const find = slotFinder(now);
  const ids = slotIds(now);
  const places = keys.flatMap((id) => find(id) ?? []);
  if (places.length === 0) return undefined;
  let first = Math.min(...places) - 1;
  while (first >= 0 && inBefore(ids[first] ?? '') === undefined) first--;
  let last = Math.max(...places) + 1;
  while (last < ids.length && inBefore(ids[last] ?? '') === undefined) last++;
  const ends = { after: ids[first], upTo: ids[last] };
  const [was, is] = [spanOf(before, ends), spanOf(now, ends)];
  if (!was || !is) return undefined;
  return {
    ...ends,
    before: copyOf(before.text, was),
    now: copyOf(now.text, is),
  };
}

/** Copied, because a slice would keep the whole text in memory. */
function copyOf(text: string, { start, end }: Edit['span']): string {
  return Buffer.from(text.slice(start, end), 'utf16le').toString('utf16le');
}

/** Undefined if a neighbour is gone, or their order changed. */
function spanOf(
  document: Document,
  { after, upTo }: Pick<Passage, 'after' | 'upTo'>,
): Edit['span'] | undefined {
  const find = slotFinder(document);
  const slotOf = (id: SlotId) => document.slots[find(id) ?? -1];
  const start = after === undefined ? 0 : slotOf(after)?.span.end;
  const end = upTo === undefined ? document.text.length : slotOf(upTo)?.span.start;
  return start === undefined || end === undefined || start > end ? undefined : { start, end };
}

/**
 * Undoes saved answers: restores the bytes of the files and the records of the lock. A row that was changed since is a
 * conflict.
 *
 * @returns one result per row, in order
 * @throws DragomanError like {@link ReviewRun.do}
 */
export async function undoAnswers(
  project: Project,
  rows: readonly RowBefore[],
  options: ReviewRunOptions,
): Promise<readonly UndoneAnswer[]> {
  const results = new Map<string, UndoneAnswer>();
  await ReviewRun.do(project, options, async (run) => {
    for (const locale of project.targets) {
      for (const resource of resourcesOf(project, locale)) {
        const own = rows.filter((row) => row.file === resource.source && row.locale === locale);
        const compared = own.length > 0 ? await run.workspace.compare(resource, locale) : undefined;
        if (compared?.kind === 'compared')
          for (const result of await undoInFile(run, compared.survey, own)) results.set(result.id, result);
        if (compared?.kind === 'unreadable')
          for (const { id } of own) results.set(id, unreadable(id, compared.error));
      }
      run.workspace.release(locale);
    }
  });
  return rows.map(({ id }) => results.get(id) ?? { id, kind: 'foreign' });
}

/** The result for a row whose file is currently unreadable. */
export function unreadable(id: string, error: DragomanError) {
  return { id, kind: 'refused', reasons: [`the file cannot be read: ${error.message}`] } as const;
}

async function undoInFile(
  run: ReviewRun,
  survey: Survey,
  rows: readonly RowBefore[],
): Promise<readonly UndoneAnswer[]> {
  const { existing } = survey;
  const undone = new Set<string>();
  const edits: Edit[] = [];
  const records = new Map<LockKey, readonly LockRecord[]>();
  const recorded = run.lock.section(survey.recordedAs, survey.locale);
  const isRecorded = (row: RowBefore): boolean =>
    [...row.recorded].every(([key, made]) => sameRecords(made, recorded.get(key)));
  // Determined before any row is restored.
  const changed = new Set(rows.flatMap((row) => (isRecorded(row) ? [] : row.id)));
  for (const { id, passage, records: own } of rows) {
    if (changed.has(id)) continue;
    const span = passage && existing && spanOf(existing.document, passage);
    if (!span || existing.document.text.slice(span.start, span.end) !== passage.now) continue;
    const edit = differenceOf(passage, span.start);
    // Adjacent added texts share a passage.
    const isShared = edit && edits.some((other) => isSameEdit(other, edit));
    if (edit && !isShared && edits.some((other) => overlap(other, edit))) continue;
    if (edit && !isShared) edits.push(edit);
    for (const [key, made] of own) records.set(key, made);
    undone.add(id);
  }
  let now = survey;
  if (existing && undone.size > 0) {
    const text = splice(existing.document.text, edits);
    const keys = new Set(rows.flatMap((row) => (undone.has(row.id) ? [...row.keys] : [])));
    if (hasSameOthers(existing.document, existing.format.scan(text, existing.scanOptions), keys))
      now = await run.restore(survey, existing.encode(text), records);
    else undone.clear();
  }
  const known = new Map(rowKeys(now).map((row) => [row.id, row]));
  const rowOf = rowMaker(now);
  return rows.map(({ id, passage, saved }): UndoneAnswer => {
    const keys = known.get(id);
    if (!keys) return { id, kind: 'foreign' };
    const row = rowOf(keys);
    if (undone.has(id)) return { id, kind: 'saved', row };
    if (changed.has(id) || revisionOf(row) !== saved) return { id, kind: 'conflict', row };
    const reason = passage
      ? 'its neighbours in the file have changed since: undo later answers first'
      : `${survey.targetPath} was created with this answer: edit the text instead`;
    return { id, kind: 'refused', reasons: [reason] };
  });
}

function isSameEdit(one: Edit, other: Edit): boolean {
  return one.span.start === other.span.start && one.span.end === other.span.end && one.text === other.text;
}

/**
 * The smallest edit that restores a passage. Without the common start and end, edits of neighbouring passages that are
 * undone together do not touch each other.
 */
function differenceOf({ before, now }: Passage, offset: number): Edit | undefined {
  if (before === now) return undefined;
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && before[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end++;
  return {
    span: { start: offset + start, end: offset + now.length - end },
    text: before.slice(start, before.length - end),
  };
}

function overlap(one: Edit, other: Edit): boolean {
  return one.span.start <= other.span.end && other.span.start <= one.span.end;
}

/** Whether two documents differ only in the given texts. */
function hasSameOthers(before: Document, after: Document, keys: ReadonlySet<SlotId>): boolean {
  const others = (document: Document): readonly string[] => {
    const ids = slotIds(document);
    return document.slots.flatMap(({ value }, i) => {
      const id = ids[i] ?? '';
      return keys.has(id) ? [] : [`${id}\0${value}`];
    });
  };
  const [one, other] = [others(before), others(after)];
  return one.length === other.length && one.every((text, i) => text === other[i]);
}
