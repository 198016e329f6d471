import type { TextBlock } from './block.ts';
import { BlockBuilder } from './blocks.ts';
import { isBlock, isSvgInline } from './elements.ts';
import type { HtmlEvent } from './events.ts';
import type { Masked } from './templates.ts';

/** Events that may be one piece: what is not translated, or a picture in another language of markup. */
interface InlineRun {
  readonly kind: 'untranslated' | 'foreign';
  /** Of the element that it begins with. */
  readonly name: string;
  readonly start: number;
  end: number;
  hasBlock: boolean;
  hasText: boolean;
  /** Kept of a picture only: with words in it, it is no piece. */
  readonly events: HtmlEvent[];
}

/** Finds the blocks of a page: what lies between the ends of sentences, where there are letters to translate. */
export class BlockFinder {
  readonly #html: string;
  readonly #builder: BlockBuilder;
  #run: InlineRun | undefined;
  /** Where the last event ended that the builder has. */
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

  /** Ends the page. @returns what was found */
  end(): readonly TextBlock[] {
    while (this.#run) this.#endRun(this.#run);
    this.#builder.finish();
    return this.#builder.blocks;
  }

  /** Whether the event belongs to the run that there is, if there is one; else the run ends. */
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

  /** A run stays untouched: a sign in its sentence, or where it has blocks, the end of one. */
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

  /** The words of a picture are texts of the page; what is behind the last of them is a sign. */
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

  /** What the parser drops without a token (`</>`) is neither text nor a tag: it stays where it is. */
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
    // Conditional comments of mail readers stand around tables; `<![if` and the document type are no HTML comments.
    return (
      !html.startsWith('<!--', event.start) ||
      /^<!--\s*(?:\[if|<!\[endif)/i.test(html.slice(event.start, event.start + 16))
    );
  }
  if (event.foreign && event.host !== '' && event.name !== '') return !isSvgInline(event.name);
  return isBlock(event.name) || event.name === 'svg' || event.name === 'text';
}
