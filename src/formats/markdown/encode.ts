import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import type { Document, Key, Slot } from '../format.ts';
import type { Block, BlockKind } from './block.ts';
import { locateBlocks, type Dialect } from './document.ts';
import { LONGEST_FORMULA, maskExtensions } from './mask.ts';
import type { Labels } from './parts.ts';
import { readInline, writeInline, type InlinePart, type WritingPlace } from './inline.ts';
import { decodeShown, plainRaw, writeShown, type ReadableKind } from './notation.ts';
import { writeValue, type InlineValue } from './value.ts';

/** Facts about the document that a slot's encoding needs. */
export interface EncodingContext {
  readonly text: string;
  readonly dialect: Dialect;
  readonly labels: Labels;
  /** The document that this one translates: it has the bytes of long notations. */
  readonly source: Document | undefined;
}

/** Inline Markdown. A written value is parsed alone, in a block of its kind, before it goes into the document. */
export class InlineSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly syntax = 'markup';
  readonly raws: ReadonlyMap<string, string>;
  readonly #block: Block;
  readonly #around: EncodingContext;

  constructor(key: Key, block: Block, { value, raws }: InlineValue, around: EncodingContext) {
    this.key = key;
    this.value = value;
    this.span = block.span;
    this.raws = raws;
    this.#block = block;
    this.#around = around;
  }

  encode(value: string): string {
    const parts = readInline(value);
    const place = this.#place();
    const [first, ...rest] = parts ?? [];
    const rule = this.#block.kind === 'paragraph' ? ruleBehind(this.span, this.#around) : undefined;
    const old = place.text.slice(this.span.start, this.span.end);
    const isFree = rule === undefined && this.#block.kind !== 'caption' && !mayReach(old);
    if (first && isFree && isPlain([first, ...rest])) return writeInline([first], place, 'as it is').text;
    for (const escapes of ['as it is', 'escaped'] as const) {
      const written = parts && writeInline(parts, place, escapes);
      // After a term, such a text would be its definition.
      if (escapes === 'as it is' && written && /^:[ \t]/.test(written.alone)) continue;
      if (
        written &&
        this.#readsBack(written.alone, value) &&
        (rule === undefined || isAboveRule(written.alone, rule, this.#around)) &&
        !reachesOut(written.text, this.span, this.#around)
      )
        return written.text;
    }
    throw this.#unencodable();
  }

  #place(): WritingPlace {
    const { text, source } = this.#around;
    const { kind, pieces, span } = this.#block;
    return {
      kind,
      text,
      span,
      pieces,
      rawOf: (attribute) => {
        const own = this.raws.get(attribute);
        if (own !== undefined) return { raw: own, isOwn: true };
        if (!/^#[0-9a-f]{16}$/.test(attribute)) return { raw: attribute, isOwn: false };
        for (const slot of source?.slots ?? []) {
          const raw = slot instanceof InlineSlot ? slot.raws.get(attribute) : undefined;
          if (raw !== undefined) return { raw: plainRaw(raw), isOwn: false };
        }
        throw this.#unencodable();
      },
    };
  }

  /** Whether a text alone, in a block of the same kind, parses to the value. */
  #readsBack(alone: string, value: string): boolean {
    const { kind, depth, span, tail } = this.#block;
    const { text } = this.#around;
    const below = tail ? plainRaw(text.slice(tail.start, tail.end)).trimEnd() : '';
    const box =
      depth > 0 ? /\[[ xX]\][ \t]+$/.exec(text.slice(Math.max(0, span.start - 9), span.start)) : null;
    const own = kind === 'caption' ? 'paragraph' : kind;
    if (kind === 'caption' && !isCaption(alone, span, this.#around)) return false;
    if (kind === 'cell' && !isCell(alone, span, this.#around)) return false;
    const document = wrap(alone + below, own, depth > 0 ? `- ${box?.[0] ?? ''}` : undefined);
    const located = document === undefined ? undefined : tryLocate(document, this.#around);
    const [block, ...others] = located?.blocks ?? [];
    if (block?.kind !== own || others.length > 0 || located?.titles.length !== 0) return false;
    const read = writeValue(block.pieces, document ?? '');
    return read.hasWords && read.value === value;
  }

  #unencodable(): DragomanError {
    return unencodable(this.#block.kind, this.#around.text, this.span);
  }
}

/** Whether the value is only words, without a character that is special to Markdown or a site generator. */
function isPlain([{ kind, text }, ...others]: readonly [InlinePart, ...InlinePart[]]): boolean {
  if (kind !== 'words' || others.length > 0 || !/\p{L}/u.test(text)) return false;
  if (/^\s|\s$|\s\s|[\t\n\f\r\0\u0085\u2028\u2029]/.test(text)) return false;
  return !/[\\*_`[\]<>&~$|{}@#]|:\S|\/\/|www\.|^[-+#=!:>%/\d]|^(?:import|export)\b/i.test(text);
}

/** @param marker the list marker before the text, if it is in a list item */
function wrap(alone: string, kind: BlockKind, marker: string | undefined): string | undefined {
  if (kind === 'paragraph')
    return marker === undefined ? `${alone}\n` : `${marker}${alone.replaceAll('\n', '\n  ')}\n`;
  if (kind === 'underlined') return `${alone}\n===\n`;
  if (/[\n\r]/.test(alone)) return undefined;
  return kind === 'heading' ? `# ${alone}\n` : `| ${alone} |\n| - |\n`;
}

export function tryLocate(
  text: string,
  { dialect, labels }: EncodingContext,
): ReturnType<typeof locateBlocks> | undefined {
  try {
    return locateBlocks(text, 0, dialect, labels);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

/** Plain text: the title of a definition, a component attribute, a shortcode parameter. */
export class PlainSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly syntax = 'plain';
  readonly #kind: ReadableKind;
  readonly #around: EncodingContext;

  constructor(key: Key, span: Span, kind: ReadableKind, around: EncodingContext) {
    this.key = key;
    this.span = span;
    this.#kind = kind;
    this.#around = around;
    this.value = decodeShown(this.#kind, around.text.slice(span.start, span.end));
  }

  encode(value: string): string {
    const { text } = this.#around;
    const written = writeShown(this.#kind, value, this.#quote);
    const isSound = /\p{L}/u.test(value) && value.trim() === value && !/[\n\r\0]/.test(value);
    const isWhole = decodeShown(this.#kind, written) === value && this.#staysOne(written);
    if (isSound && isWhole && !reachesOut(written, this.span, this.#around)) return written;
    throw unencodable(this.#kind, text, this.span);
  }

  /** The character that closes the text, after optional white space. */
  get #quote(): string {
    const { text } = this.#around;
    let end = this.span.end;
    while (/\s/.test(text[end] ?? '')) end++;
    return text[end] ?? '';
  }

  /** Whether the place ends exactly at the end of the text. */
  #staysOne(written: string): boolean {
    if (this.#kind === 'attribute') return true;
    if (this.#kind === 'parameter') return !/\{\{|\}\}|\{%|%\}/.test(written);
    const quote = this.#quote;
    const opening = quote === ')' ? '(' : quote;
    const document = `[x]: y ${opening}${written}${quote}\n`;
    const [found] = tryLocate(document, this.#around)?.blocks ?? [];
    return found?.kind === 'title' && document.slice(found.span.start, found.span.end) === written;
  }
}

/** Whether the title of a container ends exactly at the end of its replacement. */
function isCaption(written: string, { start, end }: Span, around: EncodingContext): boolean {
  const { text } = around;
  if (/[\n\r]/.test(written)) return false;
  const found = text.slice(end).search(/[\r\n]|$/);
  // On its own, an indented line would be code.
  const before = text
    .slice(text.lastIndexOf('\n', start - 1) + 1, start)
    .replace(/^[\ufeff \t>]+/, (marks) => (marks.includes('>') ? '> ' : ''));
  const line = `${before}${written}${text.slice(end, end + found)}\n`;
  const [title] = tryLocate(line, around)?.titles ?? [];
  return title?.start === before.length && title.end === before.length + written.length;
}

/** Whether a cell ends at its pipe and, if no pipe precedes it, does not start another kind of block. */
function isCell(written: string, { start, end }: Span, around: EncodingContext): boolean {
  const { text } = around;
  let escapes = 0;
  while (written.charAt(written.length - 1 - escapes) === '\\') escapes++;
  if (text.charAt(end) === '|' && escapes % 2 === 1) return false;
  const line = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1;
  if (text.slice(line, start).includes('|')) return true;
  const { blocks = [] } = tryLocate(`x|y\n-|-\n${written}|z\n`, around) ?? {};
  return blocks.length === 4 && blocks.every(({ kind }) => kind === 'cell');
}

/** The line below a paragraph that would make it a table's head if it had the same number of cells. */
function ruleBehind({ end }: Span, { text }: EncodingContext): string | undefined {
  const below = text.slice(end, end + LONGEST_RULE);
  const [, prefix = '', rule] = /^[ \t]*(?:\r\n|\n|\r)([ \t>]*)([|:-][-:| \t]*)(?![^\r\n])/.exec(below) ?? [];
  const line = text.slice(Math.max(0, end - LONGEST_RULE), end).replace(/^[^]*[\r\n]/, '');
  const quotes = (start: string): number => (/^[ \t>]*/.exec(start)?.[0] ?? '').split('>').length;
  // Without a pipe or colon, the line is a heading underline or a list item.
  return rule !== undefined && /[|:]/.test(rule) && quotes(prefix) === quotes(line) ? rule : undefined;
}

const LONGEST_RULE = 1_000;

function isAboveRule(alone: string, rule: string, around: EncodingContext): boolean {
  const [first] = tryLocate(`${alone}\n${rule}\n`, around)?.blocks ?? [];
  return first?.kind === 'paragraph';
}

/** Whether a text may contain part of a notation that its neighbours complete. */
function mayReach(text: string): boolean {
  // A backslash escapes the character after it.
  return /[\]}$[{]|\\$/.test(text);
}

/**
 * Whether a text, or the text that it replaces, would start a comment or another masked notation, or close one that
 * starts in a neighbour.
 */
export function reachesOut(
  written: string,
  { start, end }: Span,
  { text, dialect }: EncodingContext,
): boolean {
  const all = text.slice(0, start);
  if (written.includes('-->') && all.lastIndexOf('<!--') > all.lastIndexOf('-->')) return true;
  const old = text.slice(start, end);
  if (!mayReach(written) && !mayReach(old)) return false;
  // Only formulas between `$$` lines, and comments, which a backslash can turn into text, may contain an empty line.
  const isFar = [old, written].some((one) => one.includes('$$') || one.endsWith('\\'));
  const near = isFar ? LONGEST_FORMULA : NEAR;
  const [head, tail] = [text.slice(Math.max(0, start - near), start), text.slice(end, end + near)];
  const before = isFar ? head : head.slice(head.lastIndexOf('\n\n') + 1);
  const after = isFar ? tail : tail.slice(0, /\n\n|$/.exec(tail)?.index);
  const was = maskExtensions(before + old + after, dialect).text;
  const is = maskExtensions(before + written + after, dialect).text;
  return (
    is.slice(0, before.length) !== was.slice(0, before.length) ||
    is.slice(before.length + written.length) !== was.slice(before.length + old.length)
  );
}

const NEAR = 2_000;

export function unencodable(kind: string, text: string, span: Span): DragomanError {
  return new DragomanError('unencodable_value', `Markdown cannot express the text as a ${kind}`, {
    at: positionAt(text, span.start),
  });
}
