import { splice, type Span } from '../../base/span.ts';
import { decodeText } from '../html/references.ts';

/** A line end inside a notation; the next line's prefix belongs to the container. */
const LINE_END = /\r?\n[ \t>]*|\r[ \t>]*/g;

/** A notation without container prefixes on its lines. */
export function plainRaw(raw: string): string {
  return raw.replace(LINE_END, '\n');
}

/** Component attributes that people read. */
const FOR_PEOPLE = new Set(['title', 'alt', 'caption', 'label', 'description', 'placeholder', 'aria-label']);

/** Parameters that Hugo's shortcodes display: `{{< figure src="a.png" caption="A view" >}}`. */
const PARAMETER = /(?<=\s(?:title|alt|caption|summary)=")(?:[^"\\\r\n]|\\["\\])*(?=")/g;

/** An attribute with a plain string; expressions and other strings are matched to be skipped. */
const ATTRIBUTE = (() => {
  const braces = (inside: string): string => String.raw`\{(?:[^{}]|${inside}){0,2000}\}`;
  const expression = braces(braces(braces(String.raw`\{[^{}]{0,2000}\}`)));
  return new RegExp(
    String.raw`(\s([A-Za-z][\w-]*)\s*=\s*)(?:"([^"]*)"|'([^']*)')|${expression}|"[^"]*"|'[^']*'`,
    'g',
  );
})();

/** Starlight, VitePress and VuePress badges. */
const BADGE = /^<Badge\b/;

export type ReadableKind = 'title' | 'attribute' | 'parameter';

/** The texts in a shortcode or tag that readers see, as written; they may be empty. */
export function textsIn(raw: string, isMdx: boolean): readonly Span[] {
  if (/^\{\{[<%]/.test(raw))
    return [...raw.matchAll(PARAMETER)].map(({ 0: { length }, index: start }) => ({
      start,
      end: start + length,
    }));
  const isBadge = BADGE.test(raw);
  if (!isBadge && !isMdx) return [];
  return [...raw.matchAll(ATTRIBUTE)].flatMap(
    ({ 1: head = '', 2: name = '', 3: double, 4: single, index }) => {
      if (!(isMdx && FOR_PEOPLE.has(name)) && !(isBadge && name === 'text')) return [];
      const start = index + head.length + 1;
      return { start, end: start + (double ?? single ?? '').length };
    },
  );
}

/**
 * The texts of a shortcode or tag among words, which become parts of the sentence's value. None if one of them is empty
 * in the document, because `withTexts` would write another text in its place.
 */
export function textsAmongWords(raw: string, isMdx: boolean): readonly Span[] {
  if (textsIn(raw, true).some(isEmpty)) return [];
  return textsIn(raw, isMdx).filter((place) => hasReadableText(decodeAt(raw, place)));
}

/** Whether a text has letters, and no white space around it, which a translation would lose. */
export function hasReadableText(text: string): boolean {
  return /\p{L}/u.test(text) && text.trim() === text && !/[\r\n]/.test(text);
}

function isEmpty({ start, end }: Span): boolean {
  return start === end;
}

/** The kind of text in a notation, judged by its beginning: the end of a link, a tag or a shortcode. */
function kindOf(raw: string): ReadableKind {
  return raw.startsWith(']') ? 'title' : raw.startsWith('<') ? 'attribute' : 'parameter';
}

const EMPTY_TITLE = /(?:""|''|\(\))\s*\)$/;

/** How a pipe is written in a table cell; shortcodes are read before the table. */
const PIPE: Readonly<Record<ReadableKind, string>> = { title: '\\|', attribute: '&#124;', parameter: '|' };

/** Inserts texts at the empty places of a notation. */
export function withTexts(raw: string, texts: readonly string[], isCell: boolean): string {
  const kind = kindOf(raw);
  const title = (kind === 'title' && EMPTY_TITLE.exec(raw)?.index) || 0;
  const places =
    kind === 'title' ? [{ start: title + 1, end: title + 1 }] : textsIn(raw, true).filter(isEmpty);
  if (places.length !== texts.length) return raw;
  const edits = places.map((span, i) => {
    const text = writeShown(kind, texts[i] ?? '', raw.charAt(span.end));
    return { span, text: isCell ? text.replaceAll('|', PIPE[kind]) : text };
  });
  return splice(raw, edits);
}

/** The text at a place of a notation, as displayed. */
export function decodeAt(raw: string, { start, end }: Span): string {
  return decodeShown(kindOf(raw), raw.slice(start, end));
}

/** A text as displayed; the title of a link is one line. */
export function decodeShown(kind: ReadableKind, raw: string): string {
  if (kind === 'attribute') return decodeText(raw);
  if (kind === 'parameter') return raw.replace(/\\(["\\])/g, '$1');
  return raw
    .replace(LINE_END, ' ')
    .replace(/\\([!-/:-@[-`{-~])|&(?:\w+|#\d+|#x[\da-f]+);/gi, (found, escaped?: string) =>
      escaped === undefined ? decodeText(found) : escaped,
    );
}

/** @param quote the character that closes the text: `"`, `'` or `)` */
export function writeShown(kind: ReadableKind, text: string, quote: string): string {
  if (kind === 'parameter') return text.replace(/["\\]/g, '\\$&');
  const written = text.replace(/&(?=#?\w+;)/g, '&amp;').replaceAll('<!--', '&lt;!--');
  if (kind === 'attribute') return written.replaceAll(quote, `&#${quote.charCodeAt(0)};`);
  const escaped = written.replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\');
  return quote === ')' ? escaped.replace(/[()]/g, '\\$&') : escaped.replaceAll(quote, `\\${quote}`);
}
