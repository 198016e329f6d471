import type { Position } from '../base/span.ts';
import type { RowAnswer } from '../project/review/save.ts';
import type { TextRow } from '../project/review/row.ts';
import { noteOf } from '../project/state/decision.ts';
import { fingerprint } from '../project/state/lock-line.ts';
import type { Verdict } from '../review/protocol.ts';
import { readUnitId, type ReturnedUnit } from './unit.ts';

/** The position of a text in the returned file. */
export interface ReturnedPlace {
  readonly at?: Position | undefined;
  /** For formats without lines: the name of a cell or the number of an answer. */
  readonly name?: string | undefined;
}

/** The forms of a returned row, in file order. */
export interface ReturnedRow {
  /** The position of its first form. */
  readonly place: ReturnedPlace;
  readonly project: string;
  /** Canonical, if the file states it. */
  readonly locale?: string | undefined;
  readonly id: string;
  readonly forms: readonly ReturnedForm[];
  readonly verdict?: Verdict | undefined;
  readonly note?: string | undefined;
}

export interface ReturnedForm {
  readonly form: number;
  /** Fingerprints of source and translation, as the translator saw them. */
  readonly source: string;
  readonly base: string;
  /** Undefined or empty if not translated. */
  readonly value?: string | undefined;
  readonly isDraft?: boolean | undefined;
  readonly fault?: string | undefined;
}

/** A text that cannot be assigned to a row, with the reason. */
export interface LostText {
  readonly place: ReturnedPlace;
  readonly reason: string;
}

export interface ReturnedFile {
  readonly rows: readonly ReturnedRow[];
  readonly lost: readonly LostText[];
}

/** A row to which forms are added. */
interface OpenRow {
  readonly row: ReturnedRow;
  readonly forms: ReturnedForm[];
  readonly verdicts: (Verdict | undefined)[];
}

/** Groups the forms of plurals. A repeated form starts a new row. */
export function groupUnits(units: readonly ReturnedUnit[]): ReturnedFile {
  const rows = new Map<string, OpenRow>();
  const lost: LostText[] = [];
  const done: ReturnedRow[] = [];
  const finish = ({ row, verdicts }: OpenRow): void => void done.push({ ...row, verdict: leastOf(verdicts) });
  for (const { id: name, at, cell, value, verdict, isDraft, fault, note } of units) {
    const id = readUnitId(name);
    const place = cell === undefined ? { at } : { at, name: cell };
    if (!id) {
      lost.push({ place, reason: fault ?? 'its id does not belong to a text that dragoman exported' });
      continue;
    }
    const { project, locale, row, form, source, base } = id;
    const group = `${project} ${row}`;
    const made: ReturnedForm = { form, source, base, value, isDraft, fault };
    const open = rows.get(group);
    if (open && !open.forms.some((other) => other.form === form)) {
      open.forms.push(made);
      open.verdicts.push(verdict);
      continue;
    }
    if (open) finish(open);
    const forms = [made];
    rows.set(group, { row: { place, project, locale, id: row, forms, note }, forms, verdicts: [verdict] });
  }
  for (const open of rows.values()) finish(open);
  return { rows: done, lost };
}

/** A decision applies to all forms of a plural, so the least favourable one counts. */
function leastOf(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  for (const verdict of ['rejected', 'needs-review'] as const) if (verdicts.includes(verdict)) return verdict;
  if (verdicts.includes(undefined)) return undefined;
  return verdicts.every((verdict) => verdict === 'final') ? 'final' : 'reviewed';
}

interface Trust {
  /** Whether the row has an approval that does not count, because the file is not trusted. */
  readonly isUntrusted: boolean;
}

export type JudgedRow =
  | ({ readonly kind: 'answer'; readonly answer: RowAnswer } & Trust)
  /** Text and decision equal those of the project. */
  | ({ readonly kind: 'unchanged' | 'untranslated' } & Trust)
  | { readonly kind: 'refused'; readonly reasons: readonly string[] };

/**
 * Compares a returned row with its current state. Forms that the translator did not change keep the project's text,
 * even if it has been changed since then.
 *
 * @param trustsStates whether the file's approvals count
 */
export function judgeReturned(returned: ReturnedRow, row: TextRow, trustsStates: boolean): JudgedRow {
  const faults = returned.forms.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) return { kind: 'refused', reasons: [...new Set(faults)] };
  const count = Math.max(row.forms.length, ...returned.forms.map(({ form }) => form + 1));
  const all = Array.from({ length: count }, (_, form) => {
    const now = row.forms[form];
    const back = returned.forms.find((one) => one.form === form);
    const value = back?.value ?? '';
    const isTouched =
      back !== undefined && value !== '' && value !== now?.translation && !isAsSeen(back, value);
    return { now, back, value, isTouched };
  });
  const touched = all.filter(({ isTouched }) => isTouched);
  const verdict = verdictOf(returned, row, { trustsStates, isTouched: touched.length > 0 });
  const isUntrusted =
    !trustsStates &&
    isApproved(returned.verdict) &&
    (touched.length > 0 || isNewApproval(returned.verdict, row));
  if (touched.length === 0 && verdict === undefined) {
    const isWhole = row.forms.every(({ translation }) => translation !== undefined);
    return { kind: isWhole ? 'unchanged' : 'untranslated', isUntrusted };
  }
  const missing = all.filter(({ isTouched, now }) => !isTouched && now?.translation === undefined);
  if (touched.length > 0 && missing.length > 0) {
    const names = missing.map(({ now }) => now?.category ?? 'other').join(', ');
    return { kind: 'refused', reasons: [`plural forms without a translation: ${names}`] };
  }
  const answer: RowAnswer = {
    id: returned.id,
    sourceHashes: all.map(({ now, back }) => back?.source ?? now?.sourceHash ?? ''),
    bases: all.map(({ now, back, isTouched }) =>
      isTouched || verdict !== undefined ? (back?.base ?? now?.base ?? '') : (now?.base ?? ''),
    ),
    ...(touched.length > 0 && {
      values: all.map(({ now, value, isTouched }) => (isTouched ? value : (now?.translation ?? ''))),
    }),
    ...(verdict !== undefined && { verdict }),
    ...(returned.note !== undefined && { note: returned.note }),
  };
  return { kind: 'answer', answer, isUntrusted };
}

function isAsSeen({ base }: ReturnedForm, value: string): boolean {
  return base !== '' && fingerprint(value) === base;
}

/** If the file is not trusted, its approvals do not count, and its rejections ask for a review. */
function verdictOf(
  { verdict, note, forms }: ReturnedRow,
  row: TextRow,
  { trustsStates, isTouched }: { readonly trustsStates: boolean; readonly isTouched: boolean },
): Verdict | undefined {
  if (isApproved(verdict))
    return trustsStates && (isTouched || isNewApproval(verdict, row)) ? verdict : undefined;
  const doubt = verdict === 'rejected' && !trustsStates ? 'needs-review' : verdict;
  if (isTouched)
    return doubt === undefined && forms.some(({ isDraft }) => isDraft === true) ? 'needs-review' : doubt;
  const isKnown =
    doubt === row.decision?.verdict || (doubt === 'needs-review' && row.needsReview !== undefined);
  const isSameNote = note === undefined || noteOf(note) === row.decision?.note;
  return isKnown && isSameNote ? undefined : doubt;
}

function isApproved(verdict: Verdict | undefined): boolean {
  return verdict === 'reviewed' || verdict === 'final';
}

function isNewApproval(verdict: Verdict | undefined, { state, needsReview }: TextRow): boolean {
  if (!isApproved(verdict)) return false;
  return needsReview !== undefined || (state !== verdict && state !== 'final');
}
