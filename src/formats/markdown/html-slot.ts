import { DragomanError } from '../../base/errors.ts';
import { splice, type Span } from '../../base/span.ts';
import type { Key, Slot } from '../format.ts';
import { startOf, type TextBlock } from '../html/block.ts';
import { readGaps, valueOf, type BlockValue } from '../html/block-value.ts';
import { readPage } from '../html/page.ts';
import { reachesOut, tryLocate, unencodable, type Surroundings } from './encode.ts';

/** The texts of an HTML block, except preformatted ones. */
export function findTexts(html: string): readonly TextBlock[] {
  try {
    return readPage(html).blocks.filter(({ place }) => place === 'text');
  } catch (error) {
    if (error instanceof DragomanError) return [];
    throw error;
  }
}

/** A text of an HTML block, with its inline elements, which keep their order. */
export class HtmlSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly syntax = 'markup';
  readonly #block: TextBlock;
  readonly #source: BlockValue;
  readonly #html: string;
  readonly #index: number;
  readonly #around: Surroundings;

  /** @param offset of the HTML in its document */
  constructor(
    key: Key,
    block: TextBlock,
    { html, index, offset }: { readonly html: string; readonly index: number; readonly offset: number },
    around: Surroundings,
  ) {
    const source = valueOf(block, html);
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
    if (!block || valueOf(block, html).value !== value) return false;
    const [found, ...others] = tryLocate(`${html}\n`, this.#around)?.blocks ?? [];
    return others.length === 0 && found?.kind === 'html' && found.span.end >= html.trimEnd().length;
  }
}

function endOf({ gaps }: TextBlock): number {
  return gaps.at(-1)?.end ?? 0;
}
