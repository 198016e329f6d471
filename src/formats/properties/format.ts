import type { Document, DocumentWarning, Entry, Format, ScanOptions, Slot } from '../format.ts';
import type { Syntax } from '../../text/syntax.ts';
import { commentLines, noteOf } from './comments.ts';
import { encodeValue } from './escapes.ts';
import { habitsOf, SAMPLE, type Habits } from './habits.ts';
import { insert } from './insert.ts';
import type { Pair } from './pairs.ts';
import { remove } from './remove.ts';
import { findStrayBytes } from '../stray-bytes.ts';
import { entriesOf, readTable, type Table } from './table.ts';

/** Projects use MessageFormat, with its apostrophes, only for messages that have arguments. */
const JAVA_ARGUMENT = /\{\s*\d+\s*[,}]/;
const ICU_ARGUMENT = /\{\s*\w+\s*,\s*(?:plural|selectordinal|select)\s*,/;

function scan(text: string, options: ScanOptions = {}): Document {
  const table = readTable(text);
  const { lines, pairs, places } = table;
  const sample = pairs.slice(0, SAMPLE);
  let habits: Habits | undefined;
  const slots = pairs.map(({ key, value, span, separator, line }, i): Slot => {
    const continued = line.pieces.length > 1;
    return {
      key: [key],
      value,
      span,
      syntax: syntaxOf(value),
      comment: noteOf(text, commentLines(text, lines, places[i] ?? 0)),
      encode: (wanted) =>
        encodeValue(wanted, {
          habits: (habits ??= habitsOf(text, sample)),
          separator,
          continued,
          broken: continued ? brokenIndent(text.slice(span.start, span.end)) : undefined,
          encodable: options.encodable,
        }),
    };
  });
  let entries: readonly Entry[] | undefined;
  return {
    text,
    slots,
    // Most scans are for values only: keeping the lines for entries would double what a document holds.
    get entries() {
      return (entries ??= entriesOf(readTable(text)));
    },
    dialect: dialectOf(slots),
    warnings: [...duplicatesOf(pairs), ...strayBytesIn(table)],
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
function brokenIndent(raw: string): string | undefined {
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

/** One warning for each line: its first byte that is not UTF-8. */
function strayBytesIn({ text, lines, pairs }: Table): readonly DocumentWarning[] {
  const warnings: DocumentWarning[] = [];
  const strays = findStrayBytes(text);
  if (strays.length === 0) return warnings;
  const keys = new Map(pairs.map(({ line, key }) => [line, [key]]));
  let next = 0;
  for (const line of lines) {
    const stray = strays[next];
    if (!stray) break;
    if (stray.index >= line.next) continue;
    warnings.push({ rule: 'invalid-byte', key: keys.get(line), offset: stray.index });
    while ((strays[next]?.index ?? Infinity) < line.next) next++;
  }
  return warnings;
}

/** Java .properties, read as java.util.Properties reads them. A file never names its own locale. */
export const properties: Format = { id: 'properties', scan, retarget: () => [], insert, remove };
