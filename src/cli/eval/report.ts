import { describe, type DragomanError } from '../../base/errors.ts';
import type { Evaluation } from '../../pipeline/evaluation/evaluate-engine.ts';
import { CHRF_SIGNATURE } from '../../text/chrf.ts';
import type { Output } from '../output.ts';
import { columns } from '../table.ts';
import { oneLine } from '../terminal.ts';

/** What became of one engine. */
export interface EngineResult {
  /** As the user named it. */
  readonly engine: string;
  readonly evaluation?: Evaluation;
  /** Why there are no figures. */
  readonly error?: DragomanError;
}

interface Test {
  readonly name: string;
  readonly rows: readonly unknown[];
  readonly source: string;
  readonly target: string;
}

/** The document of `--json`. Rates are from 0 to 1, null where nothing was to be counted. */
export function evaluationDocument(
  { name, rows, source, target }: Test,
  results: readonly EngineResult[],
): object {
  return {
    file: name,
    source_language: source,
    target_language: target,
    rows: rows.length,
    metric: CHRF_SIGNATURE,
    engines: results.map(({ engine, evaluation, error }) => ({
      engine,
      ...(evaluation ? figuresOf(evaluation) : noFigures(rows.length)),
      error: error ? { code: error.code, message: describe(error), hint: error.hint ?? null } : null,
    })),
  };
}

function figuresOf({ chrf, placeholders, failures, engines, wordsPerSecond }: Evaluation): object {
  const { rows, raw, final } = placeholders;
  return {
    chrf: Number(chrf.toFixed(4)),
    placeholders: {
      rows,
      exact: raw,
      exact_rate: rows === 0 ? null : raw / rows,
      translated: final,
      translated_rate: rows === 0 ? null : final / rows,
    },
    failed: failures.length,
    failures,
    translated_by: Object.fromEntries(engines),
    words_per_second: wordsPerSecond === undefined ? null : Number(wordsPerSecond.toPrecision(4)),
  };
}

/** The same fields, so that a program need not look which there are. */
function noFigures(rows: number): object {
  return {
    chrf: null,
    placeholders: null,
    failed: rows,
    failures: [],
    translated_by: {},
    words_per_second: null,
  };
}

const HEAD = ['engine', 'chrF', 'exact placeholders', 'after repair', 'failed', 'words/s', ''];
const NONE = '-';
/** More figures would say something of the moment only. */
const PRECISION = { maximumSignificantDigits: 3 };

/** The table on stdout; what failed, and how the figures are meant, on stderr. */
export function printEvaluations(
  { name, rows, source, target }: Test,
  results: readonly EngineResult[],
  output: Output,
): void {
  const [head, ...body] = alignRight([HEAD, ...results.map((result) => cellsOf(result, rows.length))]);
  for (const line of columns([head ?? HEAD, ...body])) output.result(line.trimEnd());
  for (const { engine, evaluation, error } of results) {
    if (error?.hint !== undefined) output.problem(`${oneLine(engine)}: ${error.hint}`);
    const [first] = evaluation?.failures ?? [];
    if (!evaluation || !first) continue;
    const count = evaluation.failures.length;
    output.problem(
      `${oneLine(engine)}: ${count} of ${rows.length} rows failed and count as empty translations; the first, ${name}:${first.line}: ${oneLine(first.reason)}`,
    );
    for (const { line, reason } of evaluation.failures)
      output.detail(`${oneLine(engine)}: ${name}:${line}: ${oneLine(reason)}`);
  }
  const counted = results.find(({ evaluation }) => evaluation)?.evaluation?.placeholders.rows ?? 0;
  output.message(`${source} → ${target}: ${rows.length} rows, ${counted} with placeholders`);
}

function cellsOf({ engine, evaluation, error }: EngineResult, rows: number): readonly string[] {
  if (!evaluation) {
    return [oneLine(engine), NONE, NONE, NONE, String(rows), NONE, oneLine(error?.message ?? '')];
  }
  const { chrf, placeholders, failures, wordsPerSecond } = evaluation;
  return [
    oneLine(engine),
    chrf.toFixed(1),
    percent(placeholders.raw, placeholders.rows),
    percent(placeholders.final, placeholders.rows),
    String(failures.length),
    wordsPerSecond === undefined ? NONE : wordsPerSecond.toLocaleString('en', PRECISION),
    translators(engine, evaluation),
  ];
}

/** Rounded down: 100 % are all. */
function percent(part: number, of: number): string {
  return of === 0 ? NONE : `${(Math.floor((1000 * part) / of) / 10).toFixed(1)} %`;
}

/** Who did it, where the name does not say it. */
function translators(name: string, { engines }: Evaluation): string {
  const ids = [...engines].sort(([, a], [, b]) => b - a);
  if (ids.every(([id]) => id === name)) return '';
  return ids.map(([id, count]) => `${oneLine(id)} ${count}`).join(', ');
}

/** All but the first and the last column are figures. */
function alignRight(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 || i === row.length - 1 ? cell : cell.padStart(widthOf(i)))),
  );
}
