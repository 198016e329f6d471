import type { Span } from '../../base/span.ts';
import type { Entry } from '../format.ts';
import { BINARY_PROPERTY_LIST, binaryPropertyList } from '../property-list.ts';
import { countBreaks } from '../lines.ts';
import { refuse } from '../refusal.ts';
import { StringsLexer, type StringToken } from './lexer.ts';

/** An entry `key = value;`. */
export interface StringsEntry {
  readonly key: StringToken;
  /** Undefined if the value is not a string, or if the entry is only a key, which is then also its value. */
  readonly value: StringToken | undefined;
  readonly keyOnly: boolean;
  /** The offset after the value, before the semicolon. */
  readonly end: number;
  /** Whether the entry has a semicolon, which only the last one may lack. */
  readonly terminated: boolean;
  /** The place of the entry, including its comments. */
  readonly span: Span;
  /** The comments directly above the entry, otherwise those after it on its line; with their markers. */
  readonly comments: readonly Span[];
}

export interface StringsFile {
  readonly text: string;
  readonly entries: readonly StringsEntry[];
  /** Where to insert the first entry: the end of the text, or before the closing brace. */
  readonly bodyEnd: number;
}

/** @throws DragomanError `unreadable_input` or `limit_exceeded` with the place */
export function readStrings(text: string): StringsFile {
  const entries: StringsEntry[] = [];
  refusePropertyList(text);
  const lexer = new StringsLexer(text);
  const opening = lexer.skipGap();
  const brace = lexer.at;
  const braced = lexer.accept('{');
  let gap = braced ? lexer.skipGap() : opening;
  const closer = braced ? '}' : '';
  while (lexer.next !== '' && lexer.next !== closer) {
    const draft = readEntry(lexer, gap);
    gap = lexer.skipGap();
    attributeTrailing(text, draft, gap, lexer.at);
    entries.push(finish(text, draft));
    if (draft.trailing.length > 0) gap = gap.slice(draft.trailing.length);
  }
  const bodyEnd = lexer.at;
  if (braced) {
    if (!lexer.accept('}')) refuse(text, brace, 'this brace is not closed');
    lexer.skipGap();
    if (lexer.next !== '') refuse(text, lexer.at, 'unexpected text after the closing brace');
  }
  return { text, entries, bodyEnd };
}

/** A file, and its entries in the form that documents use. */
export interface StringsTree {
  readonly file: StringsFile;
  readonly entries: readonly Entry[];
}

export function readTree(text: string): StringsTree {
  const file = readStrings(text);
  return { file, entries: file.entries.map(({ key, span }) => ({ key: [key.value], span })) };
}

/** Rejects the other notations of property lists. */
function refusePropertyList(text: string): void {
  // Checked only for UTF-16: in other encodings such bytes are rejected before decoding.
  if (text.startsWith(BINARY_PROPERTY_LIST)) throw binaryPropertyList();
  const start = text.search(/[^\s\ufeff]/);
  if (start >= 0 && /^<(?:\?xml|!DOCTYPE|plist)/.test(text.slice(start, start + 20))) {
    const hint = 'Write it as "key" = "value"; lines, as Xcode does.';
    refuse(text, start, 'this is a property list in XML', hint);
  }
}

const NONE: readonly Span[] = [];

interface StringDraft {
  readonly key: StringToken;
  readonly value: StringToken | undefined;
  readonly keyOnly: boolean;
  readonly end: number;
  readonly terminated: boolean;
  /** The offset after the semicolon. */
  readonly stop: number;
  readonly gap: readonly Span[];
  trailing: readonly Span[];
}

function readEntry(lexer: StringsLexer, gap: readonly Span[]): StringDraft {
  const { text } = lexer;
  const start = lexer.at;
  const key = lexer.readString();
  if (!key) refuse(text, start, `unexpected ${JSON.stringify(lexer.next)} where a key should be`);
  let end = lexer.at;
  let value: StringToken | undefined;
  lexer.skipGap();
  const keyOnly = lexer.next === ';';
  if (!keyOnly) {
    if (!lexer.accept('=')) refuse(text, end, 'expected = and a value after the key');
    lexer.skipGap();
    const place = lexer.at;
    value = lexer.readString();
    if (!value && !lexer.skipCollection()) refuse(text, place, 'a value is missing');
    end = lexer.at;
    lexer.skipGap();
  }
  const terminated = lexer.accept(';');
  // The last entry may lack its semicolon.
  if (!terminated && lexer.next !== '' && lexer.next !== '}') {
    const isLineEnd = countBreaks(text, end, lexer.at) > 0;
    const hint = isLineEnd ? 'End the entry with a semicolon.' : 'Quotes inside a value need a backslash.';
    refuse(text, end, 'a semicolon is missing here', hint);
  }
  const stop = terminated ? lexer.at : end;
  if (!terminated) lexer.at = end;
  return { key, value, keyOnly, end, terminated, stop, gap, trailing: NONE };
}

/** Comments after an entry belong to it if they end its line. */
function attributeTrailing(text: string, draft: StringDraft, gap: readonly Span[], next: number): void {
  if (gap.length === 0) return;
  let count = 0;
  let end = draft.stop;
  for (const comment of gap) {
    if (countBreaks(text, end, comment.start) > 0) break;
    count++;
    end = comment.end;
  }
  const lineEnds = gap[count]?.start ?? next;
  if (lineEnds >= text.length || countBreaks(text, end, lineEnds) > 0)
    draft.trailing = count === 0 ? NONE : gap.slice(0, count);
}

function finish(text: string, draft: StringDraft): StringsEntry {
  const { key, value, keyOnly, end, terminated, stop, gap, trailing } = draft;
  let first = gap.length;
  let start = key.span.start;
  for (let i = gap.length - 1; i >= 0; i--) {
    const comment = gap[i];
    if (!comment || countBreaks(text, comment.end, start) > 1) break;
    start = comment.start;
    first = i;
  }
  const leading = first === 0 ? gap : gap.slice(first);
  return {
    key,
    value,
    keyOnly,
    end,
    terminated,
    span: { start, end: trailing.at(-1)?.end ?? stop },
    comments: leading.length > 0 ? leading : trailing,
  };
}
