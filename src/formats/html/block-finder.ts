import type { TextBlock } from './block.ts';
import { BlockBuilder } from './blocks.ts';
import { isBlock, isSvgInline } from './elements.ts';
import type { HtmlEvent } from './events.ts';
import type { Masked } from './templates.ts';

/** Consecutive events that may become one piece: untranslated content, or an image in foreign markup. */
interface InlineRun {
  readonly kind: 'untranslated' | 'foreign';
  /** The name of its first element. */
  readonly name: string;
  readonly start: number;
  end: number;
  hasBlock: boolean;
  hasText: boolean;
  /** Kept only for images: an image that contains words is not one piece. */
  readonly events: HtmlEvent[];
}

/** Finds the blocks of a page: the text between two sentence boundaries, if it has letters. */
export class BlockFinder {
  readonly #html: string;
  readonly #builder: BlockBuilder;
  #run: InlineRun | undefined;
  /** End of the last event that the builder received. */
  #end = 0;

  constructor(html: string, masked: Masked) {
    this.#html = html;
    this.#builder = new BlockBuilder(html, masked);
  }

  take(event: HtmlEvent): void {
    if (this.#continueRun(event)) return;
    if (!event.rules.translated) this.#run = this.#runFrom('untranslated', event);
    else if (event.foreign && event.type === 'open') this.#run = this.#runFrom('foreign', event);
    else this.#give(event);
  }

  /** Ends the page. @returns the blocks */
  end(): readonly TextBlock[] {
    while (this.#run) this.#endRun(this.#run);
    this.#builder.finish();
    return this.#builder.blocks;
  }

  /** Whether the event belongs to the open run; otherwise the run ends. */
  #continueRun(event: HtmlEvent): boolean {
    for (let run = this.#run; run; run = this.#run) {
      if (run.kind === 'foreign' ? event.foreign : !event.rules.translated) {
        this.#addTo(run, event);
        return true;
      }
      const closes = event.type === 'close' && event.name === run.name && !hasWords(this.#html, run);
      if (closes) this.#addTo(run, event);
      this.#endRun(run);
      if (closes) return true;
    }
    return false;
  }

  #runFrom(kind: InlineRun['kind'], event: HtmlEvent): InlineRun {
    const { name, start, end } = event;
    const run: InlineRun = { kind, name, start, end, hasBlock: false, hasText: false, events: [] };
    this.#addTo(run, event);
    return run;
  }

  #addTo(run: InlineRun, event: HtmlEvent): void {
    if (event.type !== 'text') run.hasBlock ||= !event.foreign && isBlock(event.name);
    else run.hasText ||= isWord(this.#html, event);
    run.end = event.end;
    if (run.kind === 'foreign') run.events.push(event);
  }

  /** A run stays unchanged: an inline sign, or the end of a sentence if it contains block elements. */
  #endRun(run: InlineRun): void {
    this.#run = undefined;
    if (hasWords(this.#html, run)) {
      this.#openPicture(run.events);
      return;
    }
    this.#moveTo(run.start, run.end);
    if (run.hasBlock) this.#builder.finish();
    else this.#builder.markup('alone', '', run, run.hasText);
  }

  /** The words of an image are texts of the page; the part after the last word is a sign. */
  #openPicture(events: readonly HtmlEvent[]): void {
    const last = events.findLastIndex((event) => isTranslatedWord(this.#html, event));
    for (const [i, event] of events.entries()) {
      if (this.#continueRun(event)) continue;
      if (!event.rules.translated) this.#run = this.#runFrom('untranslated', event);
      else if (event.foreign && event.type === 'open' && i > last)
        this.#run = this.#runFrom('foreign', event);
      else this.#give(event);
    }
  }

  #give(event: HtmlEvent): void {
    this.#moveTo(event.start, event.end);
    if (event.type === 'text') this.#builder.text(event, event.rules.preserved);
    else if (endsSentence(event, this.#html)) this.#builder.finish();
    else this.#builder.markup(event.type === 'comment' ? 'alone' : event.type, event.name, event);
  }

  /** Input that the parser drops without a token (`</>`) is neither text nor a tag and stays in place. */
  #moveTo(start: number, end: number): void {
    if (start > this.#end) this.#builder.markup('alone', '', { start: this.#end, end: start });
    this.#end = end;
  }
}

function hasWords(html: string, { events }: InlineRun): boolean {
  return events.some((event) => isTranslatedWord(html, event));
}

function isTranslatedWord(html: string, event: HtmlEvent): boolean {
  return event.type === 'text' && event.rules.translated && isWord(html, event);
}

function isWord(html: string, { start, end }: HtmlEvent): boolean {
  return html.slice(start, end).trim() !== '';
}

function endsSentence(event: HtmlEvent, html: string): boolean {
  if (event.type === 'comment') {
    // Conditional comments of mail clients surround tables; `<![if` and the document type are not HTML comments.
    return (
      !html.startsWith('<!--', event.start) ||
      /^<!--\s*(?:\[if|<!\[endif)/i.test(html.slice(event.start, event.start + 16))
    );
  }
  if (event.foreign && event.host !== '' && event.name !== '') return !isSvgInline(event.name);
  return isBlock(event.name) || event.name === 'svg' || event.name === 'text';
}
