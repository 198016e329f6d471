import { firstFrom, type Span } from '../../base/span.ts';
import { rulesOf, TOP_RULES } from '../html/elements.ts';
import { decodeText } from '../html/references.ts';
import { decodeAt, hasReadableText, textsAmongWords } from './notation.ts';
import type { MarkdownEvent, MarkdownToken } from './parts.ts';

/** A part of a block's inline content; parts are in order and without gaps. */
export interface InlinePiece extends Span {
  /**
   * `text`: words; `code`: bytes that do not change; `open` and `close`: the two ends of a pair; `soft` and `hard`: a
   * line end with the prefix of the next line, such as `> `.
   */
  readonly kind: 'text' | 'code' | 'open' | 'close' | 'soft' | 'hard';
  /** The name of a pair or code. */
  readonly name: PieceName;
  /** The displayed text. */
  readonly text: string;
  /** Whether the source writes the text as an escape or reference. */
  readonly isSpelled: boolean;
  /** The places of texts in the notation that readers see, such as the title of a link, relative to the start. */
  readonly texts?: readonly Span[];
}

export type PieceName = '' | 'em' | 'strong' | 'del' | 'a' | 'alt' | 'h' | 'code' | 'x';

const PAIRS: Readonly<Record<string, PieceName>> = { emphasis: 'em', strong: 'strong', strikethrough: 'del' };
const SEQUENCES: ReadonlySet<string> = new Set([
  'emphasisSequence',
  'strongSequence',
  'strikethroughSequence',
]);
const CODE: Readonly<Record<string, PieceName>> = {
  codeText: 'code',
  autolink: 'x',
  literalAutolink: 'x',
  gfmFootnoteCall: 'x',
  htmlText: 'x',
  mdxTextExpression: 'x',
  mdxJsxTextTag: 'x',
  taskListCheck: 'x',
};
const CODE_OF_MDX: ReadonlySet<string> = new Set(['mdxJsxTextTag']);
const BREAKS: ReadonlySet<string> = new Set([
  'lineSuffix',
  'lineEnding',
  'hardBreakTrailing',
  'hardBreakEscape',
]);
/** Line prefixes that belong to the container. */
const PREFIXES: ReadonlySet<string> = new Set([
  'linePrefix',
  'blockQuotePrefix',
  'listItemIndent',
  'gfmFootnoteDefinitionIndent',
]);

/** An image description may contain further images. */
const MAX_LINK_DEPTH = 10;

/**
 * Splits the inline content of a block.
 *
 * @param events those inside the token that holds the content
 * @param masked notations outside Markdown, which the parser saw as letters
 */
export function readPieces(
  events: readonly MarkdownEvent[],
  text: string,
  base: number,
  masked: readonly Span[],
): readonly InlinePiece[] {
  const reader = new PieceReader(text, base, masked);
  for (let i = 0; i < events.length; i++) i = reader.read(events, i);
  return pairTags(reader.pieces, text);
}

class PieceReader {
  readonly pieces: InlinePiece[] = [];
  readonly #text: string;
  readonly #base: number;
  readonly #masked: readonly Span[];
  /** The start of an unfinished line break. */
  #break: { readonly start: number; readonly isHard: boolean } | undefined;
  /** Open pairs, and whether their first end was seen. */
  readonly #open: { readonly name: PieceName; isBegun: boolean }[] = [];
  #depth = 0;

  constructor(text: string, base: number, masked: readonly Span[]) {
    this.#text = text;
    this.#base = base;
    this.#masked = masked;
  }

  /** Reads the event at an index. @returns the index of the last event that belongs to it */
  read(events: readonly MarkdownEvent[], index: number): number {
    const event = events[index];
    if (!event) return index;
    const [type, token] = event;
    const pair = PAIRS[token.type];
    if (pair !== undefined) {
      if (type === 'enter') this.#open.push({ name: pair, isBegun: false });
      else this.#open.pop();
      return index;
    }
    if (type === 'exit') return index;
    if (SEQUENCES.has(token.type)) this.#addSequence(token);
    else if (token.type === 'link' || token.type === 'image') return this.#readLink(events, index, token);
    else if (PREFIXES.has(token.type)) return exitOf(events, index);
    else if (BREAKS.has(token.type)) {
      this.#beginBreak(token);
      return exitOf(events, index);
    } else if (CODE[token.type] !== undefined) {
      this.#addCode(this.#spanOf(token), CODE[token.type], CODE_OF_MDX.has(token.type));
      return exitOf(events, index);
    } else if (token.type === 'characterEscape' || token.type === 'characterReference') {
      this.#addSpelled(token);
      return exitOf(events, index);
    } else if (token.type === 'data') this.#addWords(this.#spanOf(token));
    return index;
  }

  #spanOf(token: MarkdownToken): Span {
    return { start: this.#base + token.start.offset, end: this.#base + token.end.offset };
  }

  #addSequence(token: MarkdownToken): void {
    const pair = this.#open.at(-1);
    if (!pair) return;
    this.#add(pair.isBegun ? 'close' : 'open', this.#spanOf(token), pair.name);
    pair.isBegun = true;
  }

  /** `[` and `](address)` are the two ends of a pair around the text of a link or the description of an image. */
  #readLink(events: readonly MarkdownEvent[], index: number, token: MarkdownToken): number {
    const end = exitOf(events, index);
    const all = this.#spanOf(token);
    let label = index + 1;
    while (label < end && events[label]?.[1].type !== 'labelText') label++;
    const inside = this.#spanOf(events[label]?.[1] ?? token);
    if (label === end || inside.start === inside.end || this.#depth === MAX_LINK_DEPTH) {
      this.#add('code', all, 'x');
      return end;
    }
    this.#depth++;
    const name = token.type === 'link' ? 'a' : 'alt';
    this.#add('open', { start: all.start, end: inside.start }, name);
    const close = exitOf(events, label);
    for (let i = label + 1; i < close; i++) i = this.read(events, i);
    this.#add('close', { start: inside.end, end: all.end }, name);
    this.#nameTitle(events, close, end);
    this.#depth--;
    return end;
  }

  /** Sets the title of the last piece, found among the events after a link's text. */
  #nameTitle(events: readonly MarkdownEvent[], from: number, end: number): void {
    const piece = this.pieces.at(-1);
    if (!piece) return;
    for (let i = from; i < end; i++) {
      const [type, token] = events[i] ?? [];
      if (type !== 'enter' || token?.type !== 'resourceTitleString') continue;
      const { start, end: behind } = this.#spanOf(token);
      // In masked notation the parser saw letters, but a site generator may see something else.
      const isMasked = (this.#masked[this.#firstMasked(start)]?.start ?? Infinity) < behind;
      const title = { start: start - piece.start, end: behind - piece.start };
      if (!isMasked && hasReadableText(decodeAt(this.#text.slice(piece.start, piece.end), title)))
        this.pieces[this.pieces.length - 1] = { ...piece, texts: [title] };
      return;
    }
  }

  #beginBreak(token: MarkdownToken): void {
    const isHard = token.type.startsWith('hardBreak');
    const { start } = this.#break ?? this.#spanOf(token);
    this.#break = { start, isHard: isHard || this.#break?.isHard === true };
  }

  #addSpelled(token: MarkdownToken): void {
    const span = this.#spanOf(token);
    const raw = this.#text.slice(span.start, span.end);
    const text = token.type === 'characterEscape' ? raw.slice(1) : decodeText(raw);
    this.#add('text', span, '', text, true);
  }

  /** Adds words, without the masked notations in them. */
  #addWords({ start, end }: Span): void {
    let at = start;
    for (let i = this.#firstMasked(start); i < this.#masked.length; i++) {
      const mask = this.#masked[i];
      if (!mask || mask.start >= end) break;
      if (mask.start > at) this.#add('text', { start: at, end: mask.start });
      const stop = Math.min(mask.end, end);
      if (stop > at) this.#addCode({ start: Math.max(mask.start, at), end: stop }, 'x', false);
      at = Math.max(at, stop);
    }
    if (at < end) this.#add('text', { start: at, end });
  }

  #addCode(span: Span, name: PieceName | undefined, isMdx: boolean): void {
    this.#add('code', span, name);
    const texts = textsAmongWords(this.#text.slice(span.start, span.end), isMdx);
    const piece = this.pieces.at(-1);
    if (piece && texts.length > 0) this.pieces[this.pieces.length - 1] = { ...piece, texts };
  }

  #firstMasked(offset: number): number {
    const next = firstFrom(this.#masked, offset);
    const before = this.#masked[next - 1];
    return before && before.end > offset ? next - 1 : next;
  }

  #add(kind: InlinePiece['kind'], span: Span, name: PieceName = '', text?: string, isSpelled = false): void {
    const pending = this.#break;
    if (pending) {
      this.#break = undefined;
      const { start, isHard } = pending;
      this.pieces.push(pieceOf(isHard ? 'hard' : 'soft', { start, end: span.start }));
    }
    const words = text ?? (kind === 'text' ? this.#text.slice(span.start, span.end) : '');
    this.pieces.push({ ...pieceOf(kind, span), name, text: words, isSpelled });
  }
}

function pieceOf(kind: InlinePiece['kind'], { start, end }: Span): InlinePiece {
  return { kind, start, end, name: '', text: '', isSpelled: false };
}

/** The index of the event that closes the one at `index`. */
export function exitOf(events: readonly MarkdownEvent[], index: number): number {
  const token = events[index]?.[1];
  for (let i = index + 1; i < events.length; i++) if (events[i]?.[1] === token) return i;
  return events.length;
}

const TAG = /^<(\/?)([A-Za-z][\w.:-]*)([^]*?)(\/?)>$/;

/** An element that is a block: the lines of a list or table in JSX are separate texts. */
const BLOCK_TAG =
  /^<\/?(?:blockquote|d[dlt]|details|div|h[1-6]|li|[ou]l|p|section|summary|table|t[dhr]|tbody|thead)\b/i;

/** Pairs HTML and JSX tags around words, nested with the pairs of Markdown. */
function pairTags(pieces: readonly InlinePiece[], text: string): readonly InlinePiece[] {
  const paired = new Map<number, 'open' | 'close'>();
  const sealed = new Map<number, number>();
  const open: { readonly index: number; readonly tag: string | undefined }[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'open') open.push({ index, tag: undefined });
    else if (piece.kind === 'close') {
      while (open.at(-1)?.tag !== undefined) open.pop();
      open.pop();
    } else if (piece.kind === 'code' && piece.name === 'x') {
      const tag = TAG.exec(text.slice(piece.start, piece.end));
      if (!tag) continue;
      const [, slash, name = '', , isEmpty] = tag;
      if (slash === '') {
        if (isEmpty === '') open.push({ index, tag: name });
        continue;
      }
      const top = open.findLastIndex(({ tag: other }) => other === undefined || other === name);
      const partner = open[top];
      // Only an end tag written as its bare name can be recreated.
      if (partner?.tag !== name || text.slice(piece.start, piece.end) !== `</${name}>`) continue;
      open.length = top;
      paired.set(partner.index, 'open').set(index, 'close');
      const begin = pieces[partner.index];
      if (begin && isForMachines(text.slice(begin.start, begin.end))) sealed.set(partner.index, index);
    }
  }
  const kept: InlinePiece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (!piece) break;
    const kind = paired.get(i);
    const last = sealed.get(i);
    const isTagBeside = (at: number): boolean =>
      BLOCK_TAG.test(text.slice(pieces[at]?.start, pieces[at]?.end));
    // The element becomes one piece with all its content.
    if (piece.kind === 'soft' && (isTagBeside(i - 1) || isTagBeside(i + 1)))
      kept.push({ ...piece, kind: 'hard' });
    else if (last !== undefined) kept.push({ ...piece, end: pieces[last]?.end ?? piece.end });
    else kept.push(kind ? { ...piece, kind, name: 'h' } : piece);
    i = last ?? i;
  }
  return kept;
}

const ATTRIBUTE = /([A-Za-z][\w:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** Whether the text between two tags is not for people, as in HTML: keys, code, untranslated names. */
function isForMachines(tag: string): boolean {
  const [, , name = '', rest = ''] = TAG.exec(tag) ?? [];
  const attributes = [...rest.matchAll(ATTRIBUTE)].map(([, key = '', ...values]) => ({
    name: key,
    value: values.find((value) => value !== undefined) ?? '',
  }));
  return !rulesOf(name, attributes, TOP_RULES).translated;
}
