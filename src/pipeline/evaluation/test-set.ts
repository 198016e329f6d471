import { DragomanError } from '../../base/errors.ts';
import { nearest, withSuggestion } from '../../base/nearest.ts';
import { parseMessage } from '../../text/message.ts';
import { FORMAT_STRINGS, type FormatString } from '../../text/directives.ts';
import type { Syntax } from '../../text/syntax.ts';

/** A message with its reference translation. */
export interface TestRow {
  /** The line number in the file, from 1. */
  readonly line: number;
  readonly source: string;
  readonly reference: string;
  readonly syntax: Syntax;
}

/** Syntaxes allowed in the third column, in addition to format strings. */
const SYNTAXES: readonly Syntax[] = [
  ...Object.values({
    plain: 'plain',
    icu: 'icu',
    i18next: 'i18next',
    vue: 'vue',
    chrome: 'chrome',
    ruby: 'ruby',
    laravel: 'laravel',
    java: 'java',
    apple: 'apple',
    android: 'android',
    angular: 'angular',
    symfony: 'symfony',
    vscode: 'vscode',
    patchouli: 'patchouli',
    markup: 'markup',
    xliff: 'xliff',
  } satisfies { readonly [S in Exclude<Syntax, FormatString>]: S }),
  ...FORMAT_STRINGS,
];

const HEADER = ['source', 'reference', 'syntax'];
/** The limit for a text, in UTF-16 code units. Longer texts are not messages, and comparing them takes memory. */
const MAX_CELL = 100_000;

const ROW_HINT = 'A row is source, tab, reference; the syntax of the message may follow in a third column.';

/**
 * The rows of a test set: `source<TAB>reference`, and optionally the syntax of the message in a third column; default
 * `plain`. Tabs, line breaks and backslashes inside a cell are written `\t`, `\n` and `\\`; quotes are literal. The
 * first line may name the columns; empty lines are skipped.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded`, with line and column
 */
export function parseTestSet(text: string): readonly TestRow[] {
  const rows: TestRow[] = [];
  for (const [i, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line === '' || (i === 0 && isHeader(line))) continue;
    rows.push(parseRow(line, i + 1));
  }
  if (rows.length > 0) return rows;
  throw new DragomanError('unreadable_input', 'the test set has no rows', {
    at: { line: 1, column: 1 },
    hint: ROW_HINT,
  });
}

/** A data row cannot look like this: "reference" is not a translation of "source" in any language. */
function isHeader(line: string): boolean {
  const names = line.split('\t').map((name) => name.trim().toLowerCase());
  return names.length >= 2 && names.length <= 3 && names.every((name, i) => name === HEADER[i]);
}

interface TestCell {
  readonly value: string;
  readonly column: number;
}

function parseRow(text: string, line: number): TestRow {
  const cells = cellsOf(text, line);
  const [source, reference, syntaxCell, surplus] = cells;
  if (!source || !reference) throw wrong('the row has no tab', line, text.length + 1, ROW_HINT);
  if (surplus) {
    const hint = `${ROW_HINT} A tab inside a cell is \\t.`;
    throw wrong(`the row has ${cells.length} cells`, line, surplus.column, hint);
  }
  for (const [name, { value, column }] of Object.entries({ source, reference })) {
    if (value.trim() === '')
      throw wrong(`the ${name} is empty`, line, column, 'Fill it in, or remove the row.');
  }
  const syntax = syntaxOf(syntaxCell, line);
  const { problem } = parseMessage(source.value, syntax);
  if (problem !== undefined) {
    const hint = 'Correct it, or name its syntax in the third column.';
    throw wrong(`the source is not a message in the syntax ${syntax}: ${problem}`, line, source.column, hint);
  }
  return { line, source: source.value, reference: reference.value, syntax };
}

function cellsOf(text: string, line: number): readonly TestCell[] {
  let column = 1;
  return text.split('\t').map((raw) => {
    const cell = { value: unescape(raw, line, column), column };
    column += raw.length + 1;
    return cell;
  });
}

const ESCAPES: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\' };

function unescape(raw: string, line: number, column: number): string {
  if (raw.length > MAX_CELL) {
    throw new DragomanError('limit_exceeded', `the cell has more than ${MAX_CELL} characters`, {
      at: { line, column },
      hint: 'Divide it into several rows.',
    });
  }
  return raw.replace(/\\.?/gsu, (escape, at: number) => {
    const character = ESCAPES[escape];
    if (character !== undefined) return character;
    const hint = 'A backslash is \\\\, a tab \\t, a line break \\n.';
    throw wrong(`${escape} is not an escape`, line, column + at, hint);
  });
}

function syntaxOf(cell: TestCell | undefined, line: number): Syntax {
  const name = cell?.value.trim() ?? '';
  if (!cell || name === '') return 'plain';
  const known = SYNTAXES.find((syntax) => syntax === name);
  if (known) return known;
  const hint = withSuggestion(nearest(name, SYNTAXES), `Syntaxes: ${SYNTAXES.join(', ')}.`);
  throw wrong(`unknown syntax ${JSON.stringify(name)}`, line, cell.column, hint);
}

function wrong(message: string, line: number, column: number, hint: string): DragomanError {
  return new DragomanError('unreadable_input', message, { at: { line, column }, hint });
}
