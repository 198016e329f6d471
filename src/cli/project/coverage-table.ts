import { join } from 'node:path';
import { describe, DragomanError } from '../../base/errors.ts';
import { decimalOf } from '../../engines/price.ts';
import {
  countUnreadable,
  type Coverage,
  type FileReport,
  type LanguageReport,
  percentDone,
  sumCoverage,
  type SyncReport,
} from '../../project/plan/report.ts';
import type { ReviewReason } from '../../project/state/text-counts.ts';
import type { Output } from '../output/output.ts';
import { NAME_TARGETS } from '../options/project.ts';
import { printFileErrors, printNotes } from './sync-report.ts';
import { pluralize, countTable, type CountRow, percentText } from '../terminal/table.ts';

/** Prints counts per language: the work of a sync (`--dry-run`), or the progress (`status`). */
export function printCoverage(report: SyncReport, output: Output): void {
  if (!printBeforeCounts(report, output)) return;
  const parts = report.languages.flatMap(partsOf);
  const rows = parts.map(({ label, coverage, credits, cost, memory, unreadable, unserved }): CountRow => {
    if (unreadable > 0 && coverage.keys === 0) return { label, cells: [], note: 'not readable' };
    const counts = COUNTED.map((name) => coverage[name]);
    const { reviewed, final } = coverage.states;
    const cells: (number | string)[] = [
      percentText(percentDone(coverage, unreadable)),
      unreadable,
      ...counts,
      reviewed,
      final,
      ...DECIDED.map((reason) => coverage.flags[reason]),
      unserved ?? 0,
      memory?.exact ?? 0,
      credits ?? 0,
    ];
    if (cost) cells.push(decimalOf(cost));
    return { label, cells };
  });
  const titles = ['language', 'done', 'unreadable', ...COUNTED, 'reviewed', 'final', ...DECIDED];
  titles.push('no engine', 'in memory', 'credits', 'cost');
  for (const line of countTable(titles, rows, output.width)) output.result(line);
  if (parts.some(({ coverage }) => coverage.unknown > 0)) output.message(UNKNOWN);
}

/**
 * Prints errors and notes, and the amount of text if no target language is known. Returns whether counts by language
 * exist.
 */
export function printBeforeCounts(report: SyncReport, output: Output): boolean {
  if (report.sources) {
    printSources(report, report.sources, output);
    return false;
  }
  printFileErrors(report, output);
  printNotes(report, output);
  return true;
}

const UNKNOWN =
  'unknown: in the files before the first sync, and never overwritten. Empty a value to have it translated.';

/** The amount of text, if no target languages are known. */
function printSources(
  { root, source }: SyncReport,
  sources: NonNullable<SyncReport['sources']>,
  output: Output,
): void {
  for (const [path, keys] of sources) {
    const place = output.shown(join(root, path));
    if (keys instanceof DragomanError) output.problem(describe(keys));
    else output.result(`${place}: ${pluralize(keys, 'key')} in ${source}, and no translation`);
  }
  output.message(NAME_TARGETS);
}

const COUNTED = [
  'keys',
  'translated',
  'missing',
  'review',
  'unmatched',
  'failed',
  'stale',
  'edited',
  'unknown',
  'outdated',
  'invalid',
  'extra',
  'characters',
] as const satisfies readonly (keyof Coverage)[];

/** Reasons for a review that come from decisions. The other reasons apply to most texts of a table. */
const DECIDED = ['rejected', 'requested', 'agent', 'imported'] as const satisfies readonly ReviewReason[];

interface CoveragePart extends Pick<LanguageReport, 'coverage' | 'credits' | 'cost' | 'memory'> {
  readonly label: string;
  /** Files. */
  readonly unreadable: number;
  /** Keys in a language that no local engine supports. */
  readonly unserved?: number | undefined;
}

/** An application's texts and its documents get a row each, because their languages and translators differ. */
function partsOf({
  locale,
  allFiles,
  files,
  error,
  wanted,
  ...language
}: LanguageReport): readonly CoveragePart[] {
  const unserved = error?.code === 'engine_unavailable' ? wanted : undefined;
  const all = allFiles();
  const documents = all.filter(({ isDocument }) => isDocument);
  if (documents.length === 0 || documents.length === all.length)
    return [{ ...language, label: locale, unreadable: countUnreadable(files), unserved }];
  const texts = all.filter(({ isDocument }) => !isDocument);
  const coverageOf = (some: readonly FileReport[]): Coverage =>
    sumCoverage(some.map(({ coverage }) => coverage));
  return [
    // Prices, engines and the memory's share are per language.
    { ...language, label: locale, coverage: coverageOf(texts), unreadable: countUnreadable(texts), unserved },
    { label: `${locale} documents`, coverage: coverageOf(documents), unreadable: countUnreadable(documents) },
  ];
}
