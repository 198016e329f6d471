import type { SyncReport } from '../../project/plan/report.ts';
import { oneLine, type Terminal } from '../terminal.ts';
import { workspacePath, type Annotation } from './annotation.ts';
import type { CommandOutcome } from './outcome.ts';

/** A summary has at most 1 MiB, and more rows are unreadable. */
const MAX_ROWS = 100;

/** The summary of a job as GitHub's Markdown. */
export function summaryOf(
  { title, passed, reports = [], isGate }: CommandOutcome,
  annotations: readonly Annotation[],
  terminal: Terminal,
): string {
  const parts = [`### ${passed ? '✅' : '❌'} ${title}`];
  for (const report of reports) parts.push((isGate ? coverageTable : changesTable)(report));
  if (annotations.length > 0) parts.push(problemTable(annotations, terminal));
  else if (reports.length === 0) parts.push('No findings.');
  return `${parts.join('\n\n')}\n\n`;
}

function coverageTable({ languages }: SyncReport): string {
  const head = ['language', 'done', 'keys', 'missing', 'stale', 'edited', 'unknown', 'outdated', 'extra'];
  const rows = languages.map(({ locale, coverage }) => {
    const { keys, translated, missing, stale, edited, unknown, outdated, extra } = coverage;
    const percent = keys === 0 ? 100 : Math.floor((100 * translated) / keys);
    return [locale, `${percent} %`, keys, missing, stale, edited, unknown, outdated, extra];
  });
  return table(head, rows);
}

function changesTable({ languages }: SyncReport): string {
  const head = ['language', 'translated', 'reused', 'kept', 'failed', 'removed'];
  const rows = languages.map(({ locale, changes }) => {
    const { translated, reused, kept, failed, pruned } = changes;
    return [locale, translated, reused, kept, failed, pruned];
  });
  return table(head, rows);
}

function problemTable(annotations: readonly Annotation[], terminal: Terminal): string {
  const rows = annotations.slice(0, MAX_ROWS).map(({ file, line, title, message }) => {
    const place = file === undefined ? '' : workspacePath(file, terminal);
    return [line === undefined ? place : `${place}:${line}`, title, message];
  });
  const more = annotations.length - rows.length;
  return table(['where', 'what', ''], rows) + (more > 0 ? `\n\nand ${more} more` : '');
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text of files in a cell: neither Markdown nor HTML, and one line. */
function cell(value: string | number): string {
  if (typeof value === 'number' || value === '---') return String(value);
  return oneLine(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]()#+!|~@]/g, (character) => `&#${character.charCodeAt(0)};`);
}
