import type { TextBlock, Gap, BlockMarkup } from './block.ts';
import { isBlock, isSvgInline } from './elements.ts';
import type { HtmlEvent } from './events.ts';
import { type Masked, findTemplates } from './templates.ts';
import { firstFrom, type Span } from '../../base/span.ts';
import { pairTags } from '../../text/tag.ts';
import { hasLetters } from './references.ts';

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

  /** A run stays unchanged: it is part of the sentence or, if it contains block elements, ends it. */
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

  /** The words of an image are texts of the page; everything after the last word stays unchanged. */
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

type BlockPiece =
  | ({ readonly type: 'text'; readonly templates: readonly Span[]; readonly preserved: boolean } & Span)
  | {
      readonly type: 'open' | 'close' | 'alone';
      readonly name: string;
      readonly start: number;
      end: number;
      /** The number of line breaks (`<br>`) in the markup. */
      breaks: number;
      /** Whether it contains untranslatable words that belong to the sentence: a command, a name. */
      words: boolean;
    };

const BREAK = /\r\n|[\n\r]/g;

/** Builds blocks from texts and markup, which arrive in order. */
class BlockBuilder {
  readonly html: string;
  readonly blocks: TextBlock[] = [];
  readonly #masked: Masked;
  /** Whether the page has any such pieces; most pages have none. */
  readonly #hasFixed: boolean;
  readonly #hasCdata: boolean;
  #pieces: BlockPiece[] = [];

  constructor(html: string, masked: Masked) {
    this.html = html;
    this.#masked = masked;
    this.#hasFixed = masked.templates.length > 0 || html.includes('</>');
    this.#hasCdata = html.includes('<![CDATA[');
  }

  text({ start, end }: Span, preserved: boolean): void {
    let at = start;
    for (const fixed of this.#hasFixed ? this.#fixedIn({ start, end }) : []) {
      if (fixed.start > at) this.#text({ start: at, end: fixed.start }, preserved);
      this.markup('alone', '', fixed, fixed.end - fixed.start > 3);
      at = fixed.end;
    }
    if (end > at) this.#text({ start: at, end }, preserved);
  }

  /**
   * Pieces that must stay in order or place: templates that other parsers read as tags or comments, and `</>`, which
   * the parser drops.
   */
  #fixedIn({ start, end }: Span): readonly Span[] {
    const { text, templates } = this.#masked;
    const dropped = Array.from(text.slice(start, end).matchAll(/<\/>/g), ({ index }) => ({
      start: start + index,
      end: start + index + 3,
    }));
    const first = firstFrom(templates, start);
    return [...dropped, ...templates.slice(first, firstFrom(templates, end))].sort(
      (x, y) => x.start - y.start,
    );
  }

  #text({ start, end }: Span, preserved: boolean): void {
    // Characters in a CDATA section are not references.
    if (this.#hasCdata && this.html.slice(start, end).includes('<![CDATA['))
      return this.markup('alone', '', { start, end });
    const templates = findTemplates(this.html, { start, end }, this.#masked.templates);
    if (preserved) this.#lines({ start, end }, templates);
    else this.#pieces.push({ type: 'text', start, end, templates, preserved });
  }

  /** If line breaks are visible, each line is a separate text, so that none can be lost. */
  #lines({ start, end }: Span, templates: readonly Span[]): void {
    let at = start;
    let next = 0;
    const line = (to: number): void => {
      const inside: Span[] = [];
      for (let t = templates[next]; t && t.start < to; t = templates[++next]) inside.push(t);
      if (to > at)
        this.#pieces.push({ type: 'text', start: at, end: to, templates: inside, preserved: true });
    };
    let within = 0;
    for (const match of this.html.slice(start, end).matchAll(BREAK)) {
      const offset = start + match.index;
      while ((templates[within]?.end ?? Infinity) <= offset) within++;
      if ((templates[within]?.start ?? Infinity) < offset) continue;
      line(offset);
      this.finish();
      at = offset + match[0].length;
    }
    line(end);
  }

  markup(type: 'open' | 'close' | 'alone', name: string, { start, end }: Span, words = false): void {
    const breaks = name === 'br' ? 1 : 0;
    const last = this.#pieces.at(-1);
    const before = last?.type === 'text' && this.#isSpace(last) ? this.#pieces.at(-2) : last;
    if (type !== 'alone' || before?.type !== 'alone') {
      this.#pieces.push({ type, name, start, end, breaks, words });
      return;
    }
    if (before !== last) this.#pieces.pop();
    before.end = end;
    before.breaks += breaks;
    before.words ||= words;
    if (before.breaks < 2) return;
    // Two line breaks end a paragraph.
    this.#pieces.pop();
    this.finish();
  }

  /** Ends the sentence. */
  finish(): void {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    const block = this.#blockOf(pieces);
    if (block) this.blocks.push(block);
  }

  #isSpace({ start, end }: Span): boolean {
    return this.html.slice(start, end).trim() === '';
  }

  #blockOf(pieces: readonly BlockPiece[]): TextBlock | undefined {
    const hasText = (piece: BlockPiece): boolean =>
      piece.type === 'text' ? !this.#isSpace(piece) : piece.words;
    if (!pieces.some((piece) => piece.type === 'text' && hasLetters(this.html.slice(piece.start, piece.end))))
      return undefined;
    const partners = pairTags(pieces);
    const first = pieces.findIndex(hasText);
    const last = pieces.findLastIndex(hasText);
    const from = outermost(pieces, partners, first, last, -1);
    const to = outermost(pieces, partners, last, first, 1);
    return makeBlock(pieces, partners, from, to);
  }
}

/**
 * The first (or last) piece that must stay with the words between `near` and `far`: the end of an element whose other
 * end is among them.
 */
function outermost(
  pieces: readonly BlockPiece[],
  partners: ReadonlyMap<number, number>,
  near: number,
  far: number,
  step: -1 | 1,
): number {
  const edge = step < 0 ? 0 : pieces.length - 1;
  for (let i = edge; i !== near; i -= step) {
    const partner = partners.get(i);
    if (partner === undefined) continue;
    if (partner >= Math.min(near, far) && partner <= Math.max(near, far)) return i;
  }
  return near;
}

function makeBlock(
  pieces: readonly BlockPiece[],
  partners: ReadonlyMap<number, number>,
  from: number,
  to: number,
): TextBlock {
  const gaps: Gap[] = [];
  const markup: BlockMarkup[] = [];
  // The index of each element's other end, by piece.
  const places: number[] = [];
  let preserved = false;
  let at = pieces[from]?.start ?? 0;
  let templates: readonly Span[] = [];
  for (let i = from; i <= to; i++) {
    const piece = pieces[i];
    if (!piece) break;
    if (piece.type === 'text') {
      preserved ||= piece.preserved;
      templates = templates.length === 0 ? piece.templates : [...templates, ...piece.templates];
      continue;
    }
    gaps.push({ start: at, end: piece.start, templates });
    [at, templates] = [piece.end, []];
    const partner = partners.get(i);
    const inside = partner !== undefined && partner >= from && partner <= to;
    if (!inside || piece.type === 'alone') {
      markup.push({ start: piece.start, end: piece.end, role: 'alone', partner: -1 });
      continue;
    }
    places[i] = markup.length;
    markup.push({ start: piece.start, end: piece.end, role: piece.type, partner: places[partner] ?? -1 });
  }
  gaps.push({ start: at, end: Math.max(at, pieces[to]?.end ?? at), templates });
  for (const [index, { partner, role }] of markup.entries()) {
    const opened = markup[partner];
    if (role === 'close' && opened) markup[partner] = { ...opened, partner: index };
  }
  return { gaps, markup, place: preserved ? 'preserved' : 'text' };
}
