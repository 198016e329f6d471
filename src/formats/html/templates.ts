import { firstFrom, type Span } from '../../base/span.ts';

/**
 * A page with its `<% … %>` and `<?php … ?>` replaced with letters. A parser would read them as text, or end a tag at a
 * `>` in them; with letters in their place, it sees the page that the program will send.
 */
export interface Masked {
  /** The masked text, with the same length and offsets as the source. */
  readonly text: string;
  /** The spans of templates, in order and disjoint. */
  readonly templates: readonly Span[];
}

const OPENINGS = /<%|<\?(?:php\b|=)/g;

export function maskTemplates(html: string): Masked {
  const templates: Span[] = [];
  const parts: string[] = [];
  let at = 0;
  let openings: readonly RegExpExecArray[] | undefined;
  if (html.includes('<%') || html.includes('<?')) openings = [...html.matchAll(OPENINGS)];
  openings?.forEach(({ 0: opening, index: start }, i) => {
    if (start < at) return;
    // Searches only up to the next opening: each character is visited once, and an unclosed opening hides nothing.
    const bound = openings[i + 1]?.index ?? html.length;
    const inside = html.slice(start, bound);
    const close = inside.indexOf(opening === '<%' ? '%>' : '?>', 2);
    if (close < 0 || inside.lastIndexOf('-->', close) >= 0) return;
    const end = start + close + 2;
    templates.push({ start, end });
    parts.push(html.slice(at, start), 'x'.repeat(end - start));
    at = end;
  });
  return { text: parts.length === 0 ? html : parts.join('') + html.slice(at), templates };
}

/** Notations of template languages and mail services, which a program processes before HTML is parsed. */
const PROGRAM = [
  String.raw`\{\{\{[^{}]{0,500}\}\}\}`,
  String.raw`\{\{[^{}]{0,500}\}\}`,
  String.raw`\{[%#](?:[^%#{}]|[%#](?!\})){0,500}[%#]\}`,
  String.raw`[$#]\{[^{}]{0,500}\}`,
  String.raw`\*\|[^|<>]{1,200}\|\*`,
  String.raw`\[\[[^[\]]{1,200}\]\]|\[%[^[\]%]{1,200}%\]`,
  String.raw`%%[A-Za-z_][\w.:-]{0,60}%%|(?<![\d%])%[A-Za-z_][\w.-]{1,60}%(?!%)`,
].join('|');

/** Runs of invisible characters that pad the preview line in mail clients. */
const FILLER = String.raw`(?:&(?:nbsp|zwnj|zwj|shy|[a-z]{1,3}sp|#160|#x[aA]0|#820[0-7]|#847|#x200[bBcCdD]);\s?){2,}`;

const NOTATION = new RegExp(`${FILLER}|${PROGRAM}`, 'g');
const MAY_HAVE_NOTATION = /[{[%*]|&[^&]*;\s?&/;
const WORDS_OF_PROGRAMS = new RegExp(PROGRAM);

const NO_TEMPLATES: readonly Span[] = [];

/** Places of template notation between `start` and `end`: masked notation, and notation that needs no mask. */
export function findTemplates(html: string, span: Span, masked: readonly Span[]): readonly Span[] {
  // Most pages have no templates.
  if (masked.length === 0 && !MAY_HAVE_NOTATION.test(html.slice(span.start, span.end))) return NO_TEMPLATES;
  const found: Span[] = [];
  let at = span.start;
  const search = (end: number): void => {
    const text = html.slice(at, end);
    if (!MAY_HAVE_NOTATION.test(text)) return;
    for (const match of text.matchAll(NOTATION)) {
      found.push({ start: at + match.index, end: at + match.index + match[0].length });
    }
  };
  for (let i = firstFrom(masked, span.start); i < masked.length; i++) {
    const template = masked[i];
    if (!template || template.start >= span.end) break;
    search(template.start);
    found.push({ start: template.start, end: Math.min(template.end, span.end) });
    at = template.end;
  }
  if (at < span.end) search(span.end);
  return found;
}

/** Whether a text contains template notation. */
export function hasNotation(text: string): boolean {
  return MAY_HAVE_NOTATION.test(text) && WORDS_OF_PROGRAMS.test(text);
}
