import { chooseSyntax } from '../../text/message.ts';
import type { Syntax } from '../../text/syntax.ts';
import { DuplicateKeys, makeDocument } from '../document.ts';
import type { Document, DocumentWarning, ScanOptions, Slot } from '../format.ts';
import { findStrayBytes, readStrayBytes } from '../stray-bytes.ts';
import { TextSlot, type TextWriter } from '../text-slot.ts';
import { encodeValue, styleOf, SAMPLE, type FileStyle } from './encode.ts';
import { startOfText } from '../lines.ts';
import { eachLine, readLine, type LogicalLine } from './lines.ts';
import { readPair, type Pair } from './pairs.ts';
import { noteOf, readTable, readTree, withoutLicence, type Table, type Tree } from './table.ts';

/** Projects apply MessageFormat, with its apostrophes, only to messages with arguments. */
const JAVA_ARGUMENT = /\{\s*\d+\s*[,}]/;
const ICU_ARGUMENT = /\{\s*\w+\s*,\s*(?:plural|selectordinal|select)\s*,/;

/** How a pair's value is written. */
interface PropertyPlace {
  readonly separator: Pair['separator'];
  readonly continued: boolean;
}

function writerOf(text: string, encodable: ScanOptions['encodable']): TextWriter<PropertyPlace> {
  // Computed on first use: most scans never encode.
  let style: FileStyle | undefined;
  return {
    text,
    write: (value, raw, place) => {
      style ??= styleOf(text, readSample(text));
      const broken = place.continued ? brokenIndent(raw) : undefined;
      return encodeValue(value, { ...place, style, broken, encodable });
    },
  };
}

function slotOf(
  writer: TextWriter<PropertyPlace>,
  { key, value, span, separator, line }: Pair,
  comment: string | undefined,
): Slot {
  const found = { key: [key], value, span, syntax: syntaxOf(value), comment };
  return new TextSlot(writer, found, { separator, continued: line.pieces.length > 1 });
}

export function scan(text: string, options: ScanOptions = {}): Document<Tree> {
  const writer = writerOf(text, options.encodable);
  const readable = readStrayBytes(text);
  const slots: Slot[] = [];
  let comments: LogicalLine[] = [];
  let isTop = true;
  for (let at = startOfText(text); at < text.length;) {
    const line = readLine(text, at);
    at = line.next;
    if (line.kind === 'comment') {
      comments.push(line);
      continue;
    }
    if (line.kind === 'pair') {
      const note = noteOf(text, withoutLicence(text, comments, isTop));
      slots.push(slotOf(writer, readPair(readable, line), note));
    }
    if (comments.length > 0) comments = [];
    isTop = false;
  }
  return makeDocument({ text, slots, dialect: dialectOf(slots), warnings: findWarnings }, readTree);
}

function readSample(text: string): readonly Pair[] {
  const readable = readStrayBytes(text);
  const sample: Pair[] = [];
  for (const line of eachLine(text)) {
    if (line.kind === 'pair' && sample.push(readPair(readable, line)) === SAMPLE) break;
  }
  return sample;
}

function findWarnings(text: string): readonly DocumentWarning[] {
  const table = readTable(text);
  return [...duplicatesOf(table.pairs), ...strayBytesIn(table)];
}

function syntaxOf(value: string): Syntax {
  if (!value.includes('{')) return 'plain';
  const syntax = JAVA_ARGUMENT.test(value) ? 'java' : 'plain';
  return ICU_ARGUMENT.test(value) ? chooseSyntax(value, 'icu', syntax) : syntax;
}

function dialectOf(slots: readonly Slot[]): string {
  if (slots.some(({ syntax }) => syntax === 'icu')) return 'ICU';
  return slots.some(({ syntax }) => syntax === 'java') ? 'MessageFormat' : 'plain';
}

/** The indentation of the line after a `\n\`, if the value has such a line break. */
function brokenIndent(raw: string): string | undefined {
  return /(?<!\\)(?:\\\\)*\\n\\(?:\r\n|\n|\r)([ \t\f]*)/.exec(raw)?.[1];
}

function duplicatesOf(pairs: readonly Pair[]): readonly DocumentWarning[] {
  const keys = new DuplicateKeys();
  for (const { key, line } of pairs) keys.add([key], line.pieces[0]?.start ?? line.start);
  return keys.warnings;
}

/** Warns once per line, at its first byte that is not UTF-8. */
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
