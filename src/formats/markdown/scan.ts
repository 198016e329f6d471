import { type Span, splice } from '../../base/span.ts';
import type { Document, Key, ScanOptions, Slot } from '../format.ts';
import type { Block } from './block.ts';
import { locateBlocks, type Dialect } from './document.ts';
import { InlineSlot, PlainSlot, tryLocate, type EncodingContext, reachesOut, unencodable } from './encode.ts';
import { readFrontMatter } from './front-matter.ts';
import { writeValue } from './value.ts';
import { DragomanError } from '../../base/errors.ts';
import { startOf, type TextBlock } from '../html/block.ts';
import { readGaps, blockValueOf, type BlockValue } from '../html/block-value.ts';
import { readPage } from '../html/page.ts';

/**
 * Finds the texts of a document: inline content of paragraphs, headings and table cells, titles, texts of HTML blocks,
 * values of the front matter. A key is a position: the numbers of the headings above the text, and its number below
 * them.
 *
 * @throws DragomanError `limit_exceeded`
 */
export function scan(text: string, dialect: Dialect, options: ScanOptions = {}): Document<undefined> {
  const front = readFrontMatter(text);
  const located = locateBlocks(text, front.end, dialect);
  const around: EncodingContext = { text, dialect, labels: located.labels, source: options.source };
  const keys = new Places();
  const found = [
    ...located.blocks.map((block) => ({ at: block.span.start, block })),
    ...located.titles.map((span) => ({ at: span.start, title: span })),
    ...located.parameters.map((span) => ({ at: span.start, parameter: span })),
  ].sort((a, b) => a.at - b.at);
  const slots: Slot[] = [...front.slots];
  for (const one of found) {
    if ('parameter' in one) {
      const { start, end } = one.parameter;
      if (/\p{L}/u.test(text.slice(start, end)))
        slots.push(new PlainSlot(keys.nextParameter(), one.parameter, 'parameter', around));
    } else if ('title' in one) {
      const block = captionOf(one.title, around);
      if (block) slots.push(...slotsOf(block, keys, around));
    } else slots.push(...slotsOf(one.block, keys, around));
  }
  return {
    text,
    slots,
    entries: [],
    tree: undefined,
    dialect: dialect.isMdx ? 'MDX' : 'Markdown',
    warnings: front.problem ? [front.problem] : [],
  };
}

/** The title of a container, with its inline markup. */
function captionOf(span: Span, around: EncodingContext): Block | undefined {
  const [block, ...others] = tryLocate(`${around.text.slice(span.start, span.end)}\n`, around)?.blocks ?? [];
  if (block?.kind !== 'paragraph' || others.length > 0 || block.span.end !== span.end - span.start)
    return undefined;
  const shift = <Place extends Span>(place: Place): Place => ({
    ...place,
    start: span.start + place.start,
    end: span.start + place.end,
  });
  return { ...block, kind: 'caption', span: shift(block.span), pieces: block.pieces.map(shift) };
}

function slotsOf(block: Block, keys: Places, around: EncodingContext): readonly Slot[] {
  const { kind, span, level, depth } = block;
  const raw = around.text.slice(span.start, span.end);
  if (kind === 'html') {
    // In a quote or list, the container's line prefixes would be read as text. Comments, instructions and declarations
    // have no text.
    if (/^[ \t]*<[!?]/.test(raw) || (depth > 0 && raw.includes('\n'))) return [];
    return findTexts(raw).map((found, index) => {
      const place = { html: raw, index, offset: span.start };
      return new HtmlSlot(keys.next('html'), found, place, around);
    });
  }
  if (kind === 'attribute' || kind === 'title') {
    const start = span.start + raw.length - raw.trimStart().length;
    const inside = { start, end: span.start + raw.trimEnd().length };
    return /\p{L}/u.test(raw) ? [new PlainSlot(keys.next(kind), inside, kind, around)] : [];
  }
  const inline = writeValue(block.pieces, around.text);
  if (!inline.hasWords) return [];
  if (level > 0) keys.enter(level);
  const name = level > 0 ? 'heading' : kind;
  return [new InlineSlot(keys.next(name), block, inline, around)];
}

/** Numbers the texts: `1.2` is the second section of the first chapter, `0` the part above all headings. */
class Places {
  readonly #numbers: number[] = [];
  #count = 0;
  #parameters = 0;

  enter(level: number): void {
    while (this.#numbers.length < level) this.#numbers.push(0);
    this.#numbers.length = level;
    this.#numbers[level - 1] = (this.#numbers[level - 1] ?? 0) + 1;
    this.#count = 0;
    this.#parameters = 0;
  }

  next(kind: string): Key {
    return [this.#section, `${++this.#count}-${kind}`];
  }

  /** Parameters are counted separately, so that they do not change other numbers. */
  nextParameter(): Key {
    return [this.#section, `${++this.#parameters}-parameter`];
  }

  get #section(): string {
    return this.#numbers.length === 0 ? '0' : this.#numbers.join('.');
  }
}

/** The texts of an HTML block, except preformatted ones. */
function findTexts(html: string): readonly TextBlock[] {
  try {
    return readPage(html).blocks.filter(({ place }) => place === 'text');
  } catch (error) {
    if (error instanceof DragomanError) return [];
    throw error;
  }
}

/** A text of an HTML block, with its inline elements, which keep their order. */
class HtmlSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly syntax = 'markup';
  readonly #block: TextBlock;
  readonly #source: BlockValue;
  readonly #html: string;
  readonly #index: number;
  readonly #around: EncodingContext;

  /** @param offset of the HTML in its document */
  constructor(
    key: Key,
    block: TextBlock,
    { html, index, offset }: { readonly html: string; readonly index: number; readonly offset: number },
    around: EncodingContext,
  ) {
    const source = blockValueOf(block, html);
    this.key = key;
    this.value = source.value;
    this.span = { start: offset + startOf(block), end: offset + endOf(block) };
    this.#block = block;
    this.#source = source;
    this.#html = html;
    this.#index = index;
    this.#around = around;
  }

  encode(value: string): string {
    const [start, end] = [startOf(this.#block), endOf(this.#block)];
    if (value === this.value) return this.#html.slice(start, end);
    const read = readGaps(this.#block, this.#source, value, { html: this.#html, encodable: () => true });
    if ('problem' in read) throw new DragomanError('unencodable_value', read.problem);
    const edits = this.#block.gaps.flatMap((span, i) => {
      const text = read.gaps[i];
      return text === undefined ? [] : [{ span, text }];
    });
    const html = splice(this.#html, edits);
    const written = html.slice(start, html.length - (this.#html.length - end));
    if (this.#readsBack(html, value) && !reachesOut(written, this.span, this.#around)) return written;
    throw unencodable('text of HTML', this.#around.text, this.span);
  }

  /** An empty line would end the block, and some elements the sentence. */
  #readsBack(html: string, value: string): boolean {
    const block = findTexts(html)[this.#index];
    if (!block || blockValueOf(block, html).value !== value) return false;
    const [found, ...others] = tryLocate(`${html}\n`, this.#around)?.blocks ?? [];
    return others.length === 0 && found?.kind === 'html' && found.span.end >= html.trimEnd().length;
  }
}

function endOf({ gaps }: TextBlock): number {
  return gaps.at(-1)?.end ?? 0;
}
