import type { Span } from '../../base/span.ts';
import type { Leaf } from './parse.ts';
import type { MarkdownEvent, MarkdownToken } from './parts.ts';
import { exitOf, readPieces, type Piece } from './piece.ts';

/** Where the inline content of a block stands: each kind has its own rules of what may stand there. */
export type BlockKind =
  'paragraph' | 'heading' | 'underlined' | 'cell' | 'caption' | 'title' | 'html' | 'attribute';

/** A leaf of a document that holds text. */
export interface Block {
  readonly kind: BlockKind;
  /** Of a heading, from 1; else 0. */
  readonly level: number;
  readonly span: Span;
  /** None where the content is no Markdown. */
  readonly pieces: readonly Piece[];
  /** Containers around it. */
  readonly depth: number;
  /** Lines of tags that the paragraph ends with, which stay. */
  readonly tail?: Span;
}

const INLINE: Readonly<Record<string, BlockKind>> = {
  paragraph: 'paragraph',
  atxHeadingText: 'heading',
  setextHeadingText: 'underlined',
  tableContent: 'cell',
  definitionTitleString: 'title',
};

/** Attributes of components that people read. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  'title',
  'alt',
  'caption',
  'label',
  'description',
  'placeholder',
  'aria-label',
]);

export interface BlockSource {
  readonly text: string;
  /** Where the body begins that the parser read. */
  readonly base: number;
  readonly masked: readonly Span[];
}

/** Where nothing is Markdown. */
const VERBATIM: ReadonlySet<string> = new Set([
  'codeFenced',
  'codeIndented',
  'htmlFlow',
  'mdxjsEsm',
  'mdxFlowExpression',
  'mdxJsxFlowTag',
]);

/** The spans of what holds no Markdown, in order. */
export function readVerbatim(events: readonly MarkdownEvent[], base: number): readonly Span[] {
  return events.flatMap(([type, { type: kind, start, end }]) =>
    type === 'enter' && VERBATIM.has(kind) ? { start: base + start.offset, end: base + end.offset } : [],
  );
}

/** The spans of what links and definitions of references lead to, in order. What images show is none of it. */
export function readDestinations(events: readonly MarkdownEvent[], base: number): readonly Span[] {
  const found: Span[] = [];
  const open: string[] = [];
  for (const [type, { type: kind, start, end }] of events) {
    if (kind === 'link' || kind === 'image') {
      if (type === 'enter') open.push(kind);
      else open.pop();
    } else if (type === 'enter') {
      const isOfLink = kind === 'resourceDestinationString' && open.at(-1) === 'link';
      if (isOfLink || kind === 'definitionDestinationString')
        found.push({ start: base + start.offset, end: base + end.offset });
    }
  }
  return found;
}

/** Finds the blocks with text, in order: a row has many. */
export function readBlocks({ events, depth }: Leaf, source: BlockSource): readonly Block[] {
  const { text, base, masked } = source;
  const blocks: Block[] = [];
  const spanOf = (token: MarkdownToken): Span => ({
    start: base + token.start.offset,
    end: base + token.end.offset,
  });
  let level = 0;
  let isForPeople = false;
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    if (!event) break;
    const [type, token] = event;
    // Extensions have tokens of their own.
    const name: string = token.type;
    if (type === 'exit') continue;
    const kind = INLINE[token.type];
    const span = spanOf(token);
    if (token.type === 'atxHeadingSequence') level = span.end - span.start;
    else if (token.type === 'setextHeading')
      level = text.slice(span.start, span.end).trimEnd().endsWith('=') ? 1 : 2;
    else if (token.type === 'htmlFlow') {
      blocks.push({ kind: 'html', level: 0, span, pieces: [], depth });
      i = exitOf(events, i);
    } else if (name === 'mdxJsxFlowTagAttributeName') {
      isForPeople = FOR_PEOPLE.has(text.slice(span.start, span.end));
    } else if (name === 'mdxJsxFlowTagAttributeValueLiteral' && isForPeople) {
      const inside = { start: span.start + 1, end: span.end - 1 };
      blocks.push({ kind: 'attribute', level: 0, span: inside, pieces: [], depth });
      i = exitOf(events, i);
    } else if (kind !== undefined) {
      const end = exitOf(events, i);
      const pieces = trim(readPieces(events.slice(i + 1, end), text, base, masked), text);
      const [first, last] = [pieces[0], pieces.at(-1)];
      const isHeading = kind === 'heading' || kind === 'underlined';
      if (first && last) {
        const found = { start: first.start, end: last.end };
        const tail = { start: last.end, end: span.end };
        const isCut = /[\n\r]/.test(text.slice(tail.start, tail.end));
        const block = { kind, level: isHeading ? level : 0, span: found, pieces, depth };
        blocks.push(isCut ? { ...block, tail } : block);
      }
      i = end;
    }
  }
  return blocks;
}

/**
 * Without the box of a task, the space around words, and lines of nothing but tags at the end: where components are
 * blocks, `</Card>` ends one on a line of its own.
 */
function trim(pieces: readonly Piece[], text: string): readonly Piece[] {
  const trimmed = [...pieces];
  for (
    let at = lastLineOf(trimmed);
    at > 0 && isOfTags(trimmed.slice(at + 1), text);
    at = lastLineOf(trimmed)
  )
    trimmed.length = at;
  const [box] = trimmed;
  if (box?.kind === 'code' && /^\[[ xX\t]\]$/.test(text.slice(box.start, box.end))) trimmed.shift();
  const [first] = trimmed;
  if (first?.kind === 'text' && !first.isSpelled) {
    const length = first.text.length - first.text.trimStart().length;
    trimmed[0] = { ...first, start: first.start + length, text: first.text.slice(length) };
    if (first.text.length === length) trimmed.shift();
  }
  const last = trimmed.at(-1);
  if (last?.kind === 'text' && !last.isSpelled) {
    const kept = last.text.trimEnd();
    trimmed.pop();
    if (kept !== '') trimmed.push({ ...last, end: last.start + kept.length, text: kept });
  }
  return trimmed;
}

/** Where the last line begins: at the end of the one before it. */
function lastLineOf(pieces: readonly Piece[]): number {
  return pieces.findLastIndex(({ kind }) => kind === 'soft' || kind === 'hard');
}

/** Whether there is a tag, and nothing else but blanks. Tags around words are pairs. */
function isOfTags(line: readonly Piece[], text: string): boolean {
  const isTag = ({ kind, start, end }: Piece): boolean =>
    kind === 'code' && /^<\/?[A-Za-z][\w.:-]*(?:\s[^]*|\/)?>$/.test(text.slice(start, end));
  return line.some(isTag) && line.every((piece) => isTag(piece) || piece.text.trim() === '');
}
