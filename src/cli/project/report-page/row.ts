import { missingTermText } from '../../../pipeline/terms/terms.ts';
import { findSyntax } from '../../../text/parse.ts';
import type { Syntax } from '../../../text/syntax.ts';
import type { KeyStatus } from '../../../project/plan/key-status.ts';
import type { KeyResult, ListedKey } from '../../../project/plan/key-list.ts';

/** A key on the page. Common values are omitted, because a page may have half a million keys. */
export interface ReportRow {
  readonly key: string;
  readonly source?: string | undefined;
  readonly value?: string | undefined;
  /** Absent: translated. */
  readonly status?: KeyStatus | undefined;
  /** Undefined if nothing was done. */
  readonly done?: KeyResult['action'] | undefined;
  readonly by?: string | undefined;
  readonly memory?: KeyResult['memory'];
  /** The key that had this value before. */
  readonly from?: string | undefined;
  /** Line and column in the source file, such as `3:8`. */
  readonly at?: string | undefined;
  /** Line and column in the target file. */
  readonly to?: string | undefined;
  /** The developer's note. */
  readonly note?: string | undefined;
  readonly problems?: readonly string[] | undefined;
  /** The ranges of syntax in source and value: start, end, start, end, … */
  readonly code?: readonly (readonly number[])[] | undefined;
  /** How many UTF-16 code units of source and value were omitted. */
  readonly cut?: readonly number[] | undefined;
}

/** Longer values are cut: they slow the page down, and are too long to compare side by side. */
const MAX_VALUE = 5000;
const MAX_NOTE = 500;

/** @param redact removes secrets from the messages of engines and services */
export function rowOf(listed: ListedKey, redact: (text: string) => string): ReportRow {
  const { key, status, source, value, sourcePlace, targetPlace, comment, result, syntax } = listed;
  const [shownSource, shownValue] = [shorten(source, MAX_VALUE), shorten(value, MAX_VALUE)];
  const cut = [lengthOf(source) - lengthOf(shownSource), lengthOf(value) - lengthOf(shownValue)];
  const code = [codeIn(shownSource, source, syntax), codeIn(shownValue, value, syntax)];
  const problems = problemsOf(listed, redact);
  return {
    key: shorten(joined(key), MAX_NOTE) ?? '',
    source: shownSource,
    value: shownValue,
    status: status === 'translated' ? undefined : status,
    done: result?.action,
    by: result?.engine,
    memory: result?.memory,
    from: result?.from && shorten(joined(result.from), MAX_NOTE),
    at: sourcePlace && `${sourcePlace.line}:${sourcePlace.column}`,
    to: targetPlace && `${targetPlace.line}:${targetPlace.column}`,
    note: shorten(comment, MAX_NOTE),
    problems: problems.length > 0 ? problems : undefined,
    code: code.some((spans) => spans.length > 0) ? code : undefined,
    cut: cut.some((length) => length > 0) ? cut : undefined,
  };
}

const NO_PROBLEMS: ReadonlySet<KeyStatus> = new Set(['edited', 'unknown', 'review']);

/** Whether the key needs attention. */
export function isProblem({ status, problems }: ReportRow): boolean {
  return problems !== undefined || (status !== undefined && !NO_PROBLEMS.has(status));
}

function problemsOf({ faults, result }: ListedKey, redact: (text: string) => string): readonly string[] {
  const terms = (result?.missingTerms ?? []).map(missingTermText);
  const reason = result?.reason === undefined ? [] : [redact(result.reason)];
  return [...reason, ...faults, ...terms].map((problem) => shorten(problem, MAX_NOTE) ?? '');
}

/** PO entries without a context have an empty first segment. */
function joined(key: readonly string[]): string {
  return key.filter((segment) => segment !== '').join('.');
}

function lengthOf(text: string | undefined): number {
  return text?.length ?? 0;
}

/** Cuts a text without splitting a character. */
function shorten(text: string | undefined, length: number): string | undefined {
  if (text === undefined || text.length <= length) return text;
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** The ranges of syntax in a value. None if it was cut, because a part may parse differently. */
function codeIn(shown: string | undefined, whole: string | undefined, syntax: Syntax): readonly number[] {
  if (shown === undefined || shown !== whole) return [];
  return findSyntax(shown, syntax).flatMap(({ start, end }) => [start, end]);
}
