import { DragomanError } from '../../base/errors.ts';
import { positionsIn, type Edit, type Span } from '../../base/span.ts';
import { startOf, type Block } from '../../formats/html/block.ts';
import { readGap, readGaps, valueOf, valueOfGap, type ReadOptions } from '../../formats/html/block-value.ts';
import { readPage, type Page } from '../../formats/html/page.ts';
import { decodeText } from '../../formats/html/references.ts';
import type { SegmentContext } from '../segments.ts';
import type { Unit } from '../unit.ts';
import { translateUnits } from '../units.ts';
import { provenSplice, type Change } from './proof.ts';

export { countTextNodes } from '../../formats/html/page.ts';

export interface HtmlContext extends SegmentContext {
  /** Also translates `alt`, `title`, `placeholder`, `aria-label` and the page's description. Default: no. */
  readonly attributes?: boolean | undefined;
  /** Whether the encoding of the file can hold a text; other characters become references. Default: it holds all. */
  readonly encodable?: ((text: string) => boolean) | undefined;
}

export interface TranslatedHtml {
  readonly html: string;
  /** Texts between tags that are not only white space and not in scripts or styles. */
  readonly textNodes: number;
  /** Texts that are as they were, with their place in the source. */
  readonly failures: readonly HtmlFailure[];
}

export interface HtmlFailure {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/**
 * Translates the texts of a page. Sentences go to the engine whole, with their inline tags; where the tags do not come
 * back in their order the text nodes are translated one by one. Every byte outside of texts stays, and the result is
 * read again to prove it.
 *
 * @throws DragomanError `limit_exceeded` for a page that is too long, too deep or has too many elements,
 * `engine_unavailable`, `interrupted`, `integrity`.
 */
export async function translateHtml(html: string, context: HtmlContext): Promise<TranslatedHtml> {
  return translatePage(readPage(html, { attributes: context.attributes }), context);
}

/** What people read of a page, to tell its language by. */
export function textsOf(page: Page): readonly string[] {
  return page.blocks.map(({ gaps }) =>
    gaps.map(({ start, end }) => decodeText(page.html.slice(start, end))).join(' '),
  );
}

/** As {@link translateHtml}, for a page that was read already, with the same `attributes`. */
export async function translatePage(page: Page, context: HtmlContext): Promise<TranslatedHtml> {
  const read: ReadOptions = { html: page.html, encodable: encodableOnce(context) };
  const changes: Change[] = [];
  const failures: { readonly offset: number; readonly reason: string }[] = [];
  const broken: Block[] = [];
  const values = page.blocks.map((block) => valueOf(block, page.html));
  const outcomes = await translateUnits(
    values.map(({ value }): Unit => ({ value, syntax: 'markup' })),
    context,
  );
  requireRunning(context);
  page.blocks.forEach((block, i) => {
    const outcome = outcomes[i] ?? { failure: 'no outcome', kind: 'engine' };
    const source = values[i] ?? { value: '', gaps: [] };
    const gaps =
      'failure' in outcome ? { problem: outcome.failure } : readGaps(block, source, outcome.value, read);
    if ('gaps' in gaps) changes.push({ offset: startOf(block), edits: editsOf(block, gaps.gaps) });
    else if (block.markup.length > 0) broken.push(block);
    else failures.push({ offset: wordsOf(page.html, block.gaps[0]), reason: gaps.problem });
  });
  await translateTextNodes(broken, { page, read, context, changes, failures });
  const proven = provenSplice(page, changes, context.attributes);
  const positionOf = positionsIn(page.html);
  return {
    html: proven.html,
    textNodes: page.textNodes,
    failures: [...failures, ...proven.rejected]
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, reason }) => ({ ...positionOf(offset), reason })),
  };
}

interface Progress {
  readonly page: Page;
  readonly read: ReadOptions;
  readonly context: HtmlContext;
  readonly changes: Change[];
  readonly failures: { readonly offset: number; readonly reason: string }[];
}

/** Translates the text nodes of blocks one by one: their tags cannot be lost that way. */
async function translateTextNodes(blocks: readonly Block[], progress: Progress): Promise<void> {
  const { page, read, context, changes, failures } = progress;
  const nodes = blocks.flatMap((block) =>
    block.gaps.map((gap, index) => ({ block, gap, index, value: valueOfGap(block, index, page.html) })),
  );
  const outcomes = await translateUnits(
    nodes.map(({ value }): Unit => ({ value, syntax: 'markup' })),
    context,
  );
  requireRunning(context);
  nodes.forEach(({ block, gap, index, value }, i) => {
    const outcome = outcomes[i] ?? { failure: 'no outcome', kind: 'engine' };
    if ('value' in outcome && outcome.value === value) return;
    const result =
      'failure' in outcome ? { problem: outcome.failure } : readGap(block, index, outcome.value, read);
    if ('text' in result) changes.push({ offset: gap.start, edits: [{ span: gap, text: result.text }] });
    else failures.push({ offset: wordsOf(page.html, gap), reason: result.problem });
  });
}

/** Where the words of a text begin. */
function wordsOf(html: string, span: Span | undefined): number {
  if (!span) return 0;
  return span.start + Math.max(0, html.slice(span.start, span.end).search(/\S/));
}

function editsOf(block: Block, gaps: readonly (string | undefined)[]): readonly Edit[] {
  return block.gaps.flatMap((span, i) => {
    const text = gaps[i];
    return text === undefined ? [] : [{ span, text }];
  });
}

function requireRunning({ signal }: HtmlContext): void {
  if (signal.aborted) throw new DragomanError('interrupted', 'the translation was interrupted');
}

/** Encodings are asked once per character: encoding a whole text to find out is slow. */
function encodableOnce({ encodable }: HtmlContext): (text: string) => boolean {
  if (!encodable) return (text) => text.isWellFormed();
  const known = new Map<string, boolean>();
  return (text) => {
    if (/^[\x00-\x7f]*$/.test(text)) return true;
    for (const character of text) {
      let can = known.get(character);
      if (can === undefined) known.set(character, (can = encodable(character)));
      if (!can) return false;
    }
    return true;
  };
}
