import type { Document, DocumentWarning, Format, ScanOptions, Slot } from '../format.ts';
import type { Syntax } from '../../text/syntax.ts';
import { commentLines, noteOf } from './comments.ts';
import { encodeValue } from './escapes.ts';
import { habitsOf, type Habits } from './habits.ts';
import { insert } from './insert.ts';
import type { Pair } from './pairs.ts';
import { remove } from './remove.ts';
import { entriesOf, readTable } from './table.ts';

/** Projects use MessageFormat, with its apostrophes, only for messages that have arguments. */
const JAVA_ARGUMENT = /\{\s*\d+\s*[,}]/;
const ICU_ARGUMENT = /\{\s*\w+\s*,\s*(?:plural|selectordinal|select)\s*,/;

function scan(text: string, options: ScanOptions = {}): Document {
  const table = readTable(text);
  const { lines, pairs, places } = table;
  let habits: Habits | undefined;
  const writer = (pair: Pair) => {
    return (value: string): string =>
      encodeValue(value, {
        habits: (habits ??= habitsOf(text, pairs)),
        separator: pair.separator,
        continued: pair.line.pieces.length > 1,
        broken: brokenIndent(text, pair),
        encodable: options.encodable,
      });
  };
  const slots = pairs.map((pair, i): Slot => ({
    key: [pair.key],
    value: pair.value,
    span: pair.span,
    syntax: syntaxOf(pair.value),
    comment: noteOf(text, commentLines(text, lines, places[i] ?? 0)),
    encode: writer(pair),
  }));
  return {
    text,
    slots,
    entries: entriesOf(table),
    dialect: dialectOf(slots),
    warnings: duplicatesOf(pairs),
  };
}

function syntaxOf(value: string): Syntax {
  if (!value.includes('{')) return 'plain';
  if (ICU_ARGUMENT.test(value)) return 'icu';
  return JAVA_ARGUMENT.test(value) ? 'java' : 'plain';
}

function dialectOf(slots: readonly Slot[]): string {
  if (slots.some(({ syntax }) => syntax === 'icu')) return 'ICU';
  return slots.some(({ syntax }) => syntax === 'java') ? 'MessageFormat' : 'plain';
}

/** The indentation of the line behind a `\n\`, when the value has such a line break. */
function brokenIndent(text: string, { span }: Pair): string | undefined {
  const raw = text.slice(span.start, span.end);
  return /(?<!\\)(?:\\\\)*\\n\\(?:\r\n|\n|\r)([ \t\f]*)/.exec(raw)?.[1];
}

function duplicatesOf(pairs: readonly Pair[]): readonly DocumentWarning[] {
  const seen = new Set<string>();
  const warnings: DocumentWarning[] = [];
  for (const { key, line } of pairs) {
    if (seen.has(key)) {
      warnings.push({ rule: 'duplicate-key', key: [key], offset: line.pieces[0]?.start ?? line.start });
    }
    seen.add(key);
  }
  return warnings;
}

/** Java .properties, read as java.util.Properties reads them. A file never names its own locale. */
export const properties: Format = { id: 'properties', scan, retarget: () => [], insert, remove };
