import type { Span } from '../../base/span.ts';
import type { Block, Gap, Markup } from './block.ts';
import { isBlock, isSvgInline } from './elements.ts';
import type { HtmlEvent } from './events.ts';
import { decodeText } from './references.ts';
import { findTemplates, firstFrom, type Masked } from './templates.ts';

type Piece =
  | ({ readonly type: 'text'; readonly templates: readonly Span[]; readonly preserved: boolean } & Span)
  | {
      readonly type: 'open' | 'close' | 'alone';
      readonly name: string;
      readonly start: number;
      end: number;
      /** How many line breaks (`<br>`) it is. */
      breaks: number;
      /** It has words that stay untouched, yet belong to the sentence: a command, a name. */
      words: boolean;
    };

/** The blocks of a page: what lies between the ends of sentences, where there are letters to translate. */
export function findBlocks(html: string, events: readonly HtmlEvent[], masked: Masked): readonly Block[] {
  const builder = new Builder(html, masked);
  let end = 0;
  for (let i = 0; i < events.length;) {
    const start = events[i]?.start ?? end;
    // What the parser drops without a token (`</>`) is neither text nor a tag: it stays where it is.
    if (start > end) builder.markup('alone', '', { start: end, end: start });
    i = takeEvent(events, i, builder);
    end = events[i - 1]?.end ?? end;
  }
  builder.finish();
  return builder.blocks;
}

/** Gives the event at `i`, and those that are one piece with it, to the builder; answers where the next one is. */
function takeEvent(events: readonly HtmlEvent[], i: number, builder: Builder): number {
  const event = events[i];
  if (!event) return i + 1;
  if (!event.rules.translated) return takeOpaque(events, i, builder, ({ rules }) => !rules.translated);
  if (event.foreign && event.type === 'open') {
    const end = endOfRun(events, i, ({ foreign }) => foreign);
    // A picture without words is one sign in a sentence.
    if (!hasWords(builder.html, events, i, end))
      return takeOpaque(events, i, builder, ({ foreign }) => foreign);
  }
  if (event.type === 'text') builder.text(event, event.rules.preserved);
  else if (endsSentence(event, builder.html)) builder.finish();
  else builder.markup(event.type === 'comment' ? 'alone' : event.type, event.name, event);
  return i + 1;
}

/** A run of events that stays untouched: a sign in its sentence, or where it has blocks, the end of one. */
function takeOpaque(
  events: readonly HtmlEvent[],
  from: number,
  builder: Builder,
  belongs: (event: HtmlEvent) => boolean,
): number {
  const end = endOfRun(events, from, belongs);
  let block = false;
  let words = false;
  for (let i = from; i < end; i++) {
    const event = events[i];
    if (!event) break;
    if (event.type !== 'text') block ||= !event.foreign && isBlock(event.name);
    else words ||= builder.html.slice(event.start, event.end).trim() !== '';
  }
  const start = events[from]?.start ?? 0;
  if (block) builder.finish();
  else builder.markup('alone', '', { start, end: events[end - 1]?.end ?? start }, words);
  return end;
}

/** Where a run ends: behind the end tag of the element that it began with, when that follows. */
function endOfRun(
  events: readonly HtmlEvent[],
  from: number,
  belongs: (event: HtmlEvent) => boolean,
): number {
  let end = from;
  for (let event = events[end]; event && belongs(event); event = events[end]) end++;
  const next = events[end];
  return next?.type === 'close' && next.name === events[from]?.name ? end + 1 : end;
}

function hasWords(html: string, events: readonly HtmlEvent[], from: number, end: number): boolean {
  for (let i = from; i < end; i++) {
    const event = events[i];
    if (event?.type !== 'text' || !event.rules.translated) continue;
    if (html.slice(event.start, event.end).trim() !== '') return true;
  }
  return false;
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

const BREAK = /\r\n|[\n\r]/g;
const LETTER = /\p{L}/u;

class Builder {
  readonly html: string;
  readonly blocks: Block[] = [];
  readonly #masked: Masked;
  #pieces: Piece[] = [];

  constructor(html: string, masked: Masked) {
    this.html = html;
    this.#masked = masked;
  }

  text({ start, end }: Span, preserved: boolean): void {
    let at = start;
    for (const fixed of this.#fixedIn({ start, end })) {
      if (fixed.start > at) this.#text({ start: at, end: fixed.start }, preserved);
      this.markup('alone', '', fixed, fixed.end - fixed.start > 3);
      at = fixed.end;
    }
    if (end > at) this.#text({ start: at, end }, preserved);
  }

  /** Templates that are tags or comments to other readers keep their order; `</>`, which the parser drops, its place. */
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
    // The characters of a CDATA section have no references.
    if (this.html.slice(start, end).includes('<![CDATA[')) return this.markup('alone', '', { start, end });
    const templates = findTemplates(this.html, { start, end }, this.#masked.templates);
    if (preserved) this.#lines({ start, end }, templates);
    else this.#pieces.push({ type: 'text', start, end, templates, preserved });
  }

  /** Where line breaks show, each line is a text of its own, so that none can be lost. */
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
    // Two line breaks are a paragraph.
    this.#pieces.pop();
    this.finish();
  }

  /** The sentence ends here. */
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

  #blockOf(pieces: readonly Piece[]): Block | undefined {
    const hasText = (piece: Piece): boolean => (piece.type === 'text' ? !this.#isSpace(piece) : piece.words);
    if (
      !pieces.some(
        (piece) => piece.type === 'text' && LETTER.test(decodeText(this.html.slice(piece.start, piece.end))),
      )
    )
      return undefined;
    const partners = partnersOf(pieces);
    const first = pieces.findIndex(hasText);
    const last = pieces.findLastIndex(hasText);
    const from = outermost(pieces, partners, first, last, -1);
    const to = outermost(pieces, partners, last, first, 1);
    return makeBlock(pieces, partners, from, to);
  }
}

/** The first (or last) piece that has to travel with the words between `near` and `far`: the end of an element whose other end is among them. */
function outermost(
  pieces: readonly Piece[],
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

/** As for `pairTags`: an end belongs to the nearest open beginning of its name. */
function partnersOf(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: { readonly at: number; readonly name: string }[] = [];
  const waiting = new Map<string, number>();
  const count = (name: string, by: number): void => void waiting.set(name, (waiting.get(name) ?? 0) + by);
  pieces.forEach((piece, at) => {
    if (piece.type === 'open') {
      open.push({ at, name: piece.name });
      count(piece.name, 1);
    } else if (piece.type === 'close' && (waiting.get(piece.name) ?? 0) > 0) {
      for (let top = open.pop(); top; top = open.pop()) {
        count(top.name, -1);
        if (top.name !== piece.name) continue;
        partners.set(top.at, at).set(at, top.at);
        break;
      }
    }
  });
  return partners;
}

function makeBlock(
  pieces: readonly Piece[],
  partners: ReadonlyMap<number, number>,
  from: number,
  to: number,
): Block {
  const gaps: Gap[] = [];
  const markup: Markup[] = [];
  const places = new Map<number, number>();
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
    places.set(i, markup.length);
    markup.push({ start: piece.start, end: piece.end, role: piece.type, partner: places.get(partner) ?? -1 });
  }
  gaps.push({ start: at, end: Math.max(at, pieces[to]?.end ?? at), templates });
  for (const [index, { partner, role }] of markup.entries()) {
    const opened = markup[partner];
    if (role === 'close' && opened) markup[partner] = { ...opened, partner: index };
  }
  return { gaps, markup, place: preserved ? 'preserved' : 'text' };
}
