import type { Span } from '../../base/span.ts';
import type { Leaf } from './parse.ts';
import type { MarkdownEvent, MarkdownToken } from './parts.ts';
import { textsIn } from './notation.ts';
import { exitOf, readPieces, type InlinePiece } from './piece.ts';

/** The kind of place that holds the inline content of a block. Each kind allows different content. */
export type BlockKind =
  'paragraph' | 'heading' | 'underlined' | 'cell' | 'caption' | 'title' | 'html' | 'attribute';

/** A leaf of a document that holds text. */
export interface Block {
  readonly kind: BlockKind;
  /** The level of a heading, from 1; otherwise 0. */
  readonly level: number;
  readonly span: Span;
  /** Empty if the content is not Markdown. */
  readonly pieces: readonly InlinePiece[];
  /** The number of containers around it. */
  readonly depth: number;
  /** Trailing lines of tags in the paragraph, which do not change. */
  readonly tail?: Span;
}

const INLINE: Readonly<Record<string, BlockKind>> = {
  paragraph: 'paragraph',
  atxHeadingText: 'heading',
  setextHeadingText: 'underlined',
  tableContent: 'cell',
  definitionTitleString: 'title',
};

export interface BlockSource {
  readonly text: string;
  /** The offset of the body that the parser read. */
  readonly base: number;
  readonly masked: readonly Span[];
}

/** Tokens whose content is not Markdown. */
const VERBATIM: ReadonlySet<string> = new Set([
  'codeFenced',
  'codeIndented',
  'htmlFlow',
  'mdxjsEsm',
  'mdxFlowExpression',
  'mdxJsxFlowTag',
]);

/** The spans whose content is not Markdown, in order. */
export function readVerbatim(events: readonly MarkdownEvent[], base: number): readonly Span[] {
  return events.flatMap(([type, { type: kind, start, end }]) =>
    type === 'enter' && VERBATIM.has(kind) ? { start: base + start.offset, end: base + end.offset } : [],
  );
}

/** The destinations of links and reference definitions, in order; images are not included. */
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

/** A VitePress or VuePress badge alone on its line, which is a block of HTML in Markdown. */
const BADGE_ALONE = /^<Badge\b(?:"[^"]*"|'[^']*'|[^"'<>])*\/?>[ \t]*$/;

/** Finds the blocks with text, in order: a table row has many. */
export function readBlocks({ events, depth }: Leaf, source: BlockSource): readonly Block[] {
  const { text, base, masked } = source;
  const blocks: Block[] = [];
  const spanOf = (token: MarkdownToken): Span => ({
    start: base + token.start.offset,
    end: base + token.end.offset,
  });
  let level = 0;
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    if (!event) break;
    const [type, token] = event;
    // Extensions define their own token types.
    const name: string = token.type;
    if (type === 'exit') continue;
    const kind = INLINE[token.type];
    const span = spanOf(token);
    if (token.type === 'atxHeadingSequence') level = span.end - span.start;
    else if (token.type === 'setextHeading')
      level = text.slice(span.start, span.end).trimEnd().endsWith('=') ? 1 : 2;
    else if (token.type === 'htmlFlow' && !BADGE_ALONE.test(text.slice(span.start, span.end))) {
      blocks.push({ kind: 'html', level: 0, span, pieces: [], depth });
      i = exitOf(events, i);
    } else if (token.type === 'htmlFlow' || name === 'mdxJsxFlowTag') {
      for (const { start, end } of textsIn(text.slice(span.start, span.end), name !== 'htmlFlow')) {
        const inside = { start: span.start + start, end: span.start + end };
        blocks.push({ kind: 'attribute', level: 0, span: inside, pieces: [], depth });
      }
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
 * Removes task boxes, surrounding spaces, and trailing lines that only have tags: where components are blocks, a
 * `</Card>` on a separate line closes one.
 */
function trim(pieces: readonly InlinePiece[], text: string): readonly InlinePiece[] {
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

/** The index where the last line begins: the end of the previous one. */
function lastLineOf(pieces: readonly InlinePiece[]): number {
  return pieces.findLastIndex(({ kind }) => kind === 'soft' || kind === 'hard');
}

/** Whether there are only tags and blanks. Tags around words are pairs. */
function isOfTags(line: readonly InlinePiece[], text: string): boolean {
  const isTag = ({ kind, start, end }: InlinePiece): boolean =>
    kind === 'code' && /^<\/?[A-Za-z][\w.:-]*(?:\s[^]*|\/)?>$/.test(text.slice(start, end));
  return line.some(isTag) && line.every((piece) => isTag(piece) || piece.text.trim() === '');
}
