import type { Span } from '../../base/span.ts';
import type { TextBlock, BlockPlace, Gap } from './block.ts';
import { readReference, REFERENCE, type Reference } from './references.ts';
import { isSpelled, Spellings } from './spellings.ts';
import { hasNotation } from './templates.ts';

/**
 * A block as one value of the syntax `markup`: characters decoded, markup as `<gN>…</gN>` and `<sN/>`, template
 * notation as `<tN/>`. Invisible characters remain references, which the message layer protects.
 */
export interface BlockValue {
  readonly value: string;
  /** The value split at the markup, one string per gap. */
  readonly gaps: readonly string[];
}

export function blockValueOf(block: TextBlock, html: string): BlockValue {
  const gaps: string[] = [];
  const parts: string[] = [];
  let template = 0;
  block.gaps.forEach((gap, i) => {
    const text = writeGap(gap, html, block.place, template);
    template += gap.templates.length;
    gaps.push(text);
    parts.push(text);
    const markup = block.markup[i];
    if (markup) parts.push(standIn(block, i));
  });
  return { value: parts.join(''), gaps };
}

/** The value of a single text node in a block. */
export function valueOfGap(block: TextBlock, index: number, html: string): string {
  const gap = block.gaps[index];
  return gap ? writeGap(gap, html, block.place, 0) : '';
}

function standIn({ markup }: TextBlock, index: number): string {
  const { role, partner } = markup[index] ?? {};
  if (role === 'open') return `<g${index}>`;
  return role === 'close' ? `</g${partner}>` : `<s${index}/>`;
}

function writeGap(gap: Gap, html: string, place: BlockPlace, firstTemplate: number): string {
  let value = '';
  let at = gap.start;
  gap.templates.forEach((template, i) => {
    value += writeText(html.slice(at, template.start), place) + `<t${firstTemplate + i}/>`;
    at = template.end;
  });
  return value + writeText(html.slice(at, gap.end), place);
}

const SPECIAL = new RegExp(String.raw`${REFERENCE.source}|[&<]|[\t\n\f\r ]+`, 'g');

function writeText(raw: string, place: BlockPlace): string {
  return raw.replace(SPECIAL, (found, at: number) => {
    if (found === '<') return '&lt;';
    if (found === '&') return '&amp;';
    // White space in running text becomes one space, regardless of wrapping and indentation.
    if (!found.startsWith('&')) return place === 'text' ? ' ' : found;
    const reference = readReference(found, place, raw[at + found.length]);
    return reference ? writeReference(reference) : `&amp;${found.slice(1)}`;
  });
}

const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function writeReference({ text, spelling, rest }: Reference): string {
  const characters = Array.from(text);
  if (spelling.endsWith(';') && characters.length === 1 && !VISIBLE.test(text)) return spelling + rest;
  return (
    characters
      .map((c) => ESCAPED[c] ?? (VISIBLE.test(c) || c === ' ' ? c : `&#${c.codePointAt(0) ?? 0};`))
      .join('') + rest
  );
}

/** The new content of each gap as written in the file, or the reason why the answer is unusable. */
export type ReadGaps = { readonly gaps: readonly (string | undefined)[] } | { readonly problem: string };

export interface BlockReadOptions {
  readonly html: string;
  /** Whether the file's encoding can represent a character. */
  readonly encodable: (text: string) => boolean;
}

/** Splits a translated value into the gaps of its block. Unchanged gaps are undefined. */
export function readGaps(
  block: TextBlock,
  source: BlockValue,
  answer: string,
  options: BlockReadOptions,
): ReadGaps {
  const pieces = answer.includes('<') ? answer.split(/(<\/?[gs]\d+\/?>)/) : [answer];
  if (pieces.length !== 2 * block.markup.length + 1) return { problem: 'the answer has different tags' };
  const gaps: string[] = [];
  for (const [i, piece] of pieces.entries()) {
    if (i % 2 === 0) gaps.push(piece);
    else if (piece !== standIn(block, i >> 1))
      return { problem: 'the answer has the tags of the sentence in a different order' };
  }
  if (block.markup.length > 0 && emptiedPair(block, source.gaps, gaps))
    return { problem: 'the answer has no words in an element that had some' };
  keepSpaces(source.gaps, gaps);
  return finishGaps(block, source.gaps, gaps, options);
}

/** Reads back the translation of a single text node. */
export function readGap(
  block: TextBlock,
  index: number,
  answer: string,
  options: BlockReadOptions,
): { readonly text: string } | { readonly problem: string } {
  const gap = block.gaps[index];
  if (!gap || /<\/?[gs]\d/.test(answer))
    return { problem: 'the answer has tags that the text does not have' };
  const spellings = spellingsOf([gap], block.place, options.html);
  if (spellings) for (const piece of answer.split(TEMPLATE)) spellings.count(piece);
  return writeBack(answer, gap, { ...options, place: block.place, templates: gap.templates, spellings });
}

function finishGaps(
  block: TextBlock,
  before: readonly string[],
  after: readonly string[],
  options: BlockReadOptions,
): ReadGaps {
  const { html, encodable } = options;
  const { place } = block;
  const spellings = spellingsOf(block.gaps, place, html);
  if (spellings) for (const piece of after.flatMap((text) => text.split(TEMPLATE))) spellings.count(piece);
  const isTemplated = block.gaps.some((gap) => gap.templates.length > 0);
  const templates = isTemplated ? block.gaps.flatMap((gap) => gap.templates) : NO_TEMPLATES;
  const writing: GapWriting = { html, encodable, place, templates, spellings };
  const gaps: (string | undefined)[] = [];
  for (const [i, text] of after.entries()) {
    const gap = block.gaps[i];
    if (!gap || text === before[i]) {
      if (spellings) for (const piece of text.split(TEMPLATE)) spellings.skip(piece);
      gaps.push(undefined);
      continue;
    }
    const written = writeBack(text, gap, writing);
    if ('problem' in written) return written;
    gaps.push(written.text);
  }
  return { gaps };
}

const TEMPLATE = /<t\d+\/>/;
const NO_TEMPLATES: readonly Span[] = [];

function spellingsOf(gaps: readonly Gap[], place: BlockPlace, html: string): Spellings | undefined {
  // Most blocks have no such spelling.
  if (!gaps.some(({ start, end }) => isSpelled(html.slice(start, end)))) return undefined;
  const texts = gaps.flatMap(({ start, end, templates }) => {
    const ends = [start, ...templates.map((template) => template.end)];
    return ends.map((from, i) => html.slice(from, templates[i]?.start ?? end));
  });
  return new Spellings(texts, place);
}

const WORDS = /[\p{L}\p{N}]|<t\d/u;

/** Whether an element lost all its words to its neighbours, and would therefore format or link nothing. */
function emptiedPair({ markup }: TextBlock, before: readonly string[], after: readonly string[]): boolean {
  const hasWords = (text: string): boolean =>
    WORDS.test(text.includes('&') ? text.replace(/&\w+;|&#\w+;/g, '') : text);
  // The usual case: every gap with words still has words.
  if (before.every((text, i) => !hasWords(text) || hasWords(after[i] ?? ''))) return false;
  const counts = (texts: readonly string[]): number[] => {
    let sum = 0;
    return [0, ...texts.map((text) => (sum += hasWords(text) ? 1 : 0))];
  };
  if (!markup.some(({ role }) => role === 'open')) return false;
  const [old, now] = [counts(before), counts(after)];
  // Gap i + 1 is the first one after markup i.
  const inside = (sums: readonly number[], from: number, to: number): number =>
    (sums[to + 1] ?? 0) - (sums[from + 1] ?? 0);
  return markup.some(
    ({ role, partner }, i) => role === 'open' && inside(old, i, partner) > 0 && inside(now, i, partner) === 0,
  );
}

const SPACED = /[\p{L}\p{N}]/u;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Engines drop spaces next to placeholders. A space of the source is restored if words would run together. */
function keepSpaces(before: readonly string[], after: string[]): void {
  for (let i = 1; i < after.length; i++) {
    const [left = '', right = ''] = [after[i - 1], after[i]];
    const [oldLeft = '', oldRight = ''] = [before[i - 1], before[i]];
    const meets = isWord(left.at(-1)) && isWord(right.at(0));
    if (!meets) continue;
    if (oldLeft.endsWith(' ')) after[i - 1] = `${left} `;
    else if (oldRight.startsWith(' ')) after[i] = ` ${right}`;
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && SPACED.test(character) && !UNSPACED.test(character);
}

interface GapWriting extends BlockReadOptions {
  readonly place: BlockPlace;
  /** The source of each `<tN/>`, by number. */
  readonly templates: readonly Span[];
  readonly spellings: Spellings | undefined;
}

const FORMS_NOTATION = { problem: 'the words of the answer form template notation' };

/** The text of a gap as written in the file: template notation unchanged, characters legal at this place. */
function writeBack(
  text: string,
  gap: Gap,
  writing: GapWriting,
): { readonly text: string } | { readonly problem: string } {
  const { html, place, templates } = writing;
  const behind = html.slice(gap.end, gap.end + 1);
  const placed = (written: string): string =>
    place === 'text' ? withSpaceOf(html.slice(gap.start, gap.end), written) : written;
  if (!text.includes('<t')) {
    return hasNotation(text) ? FORMS_NOTATION : { text: placed(writePiece(text, behind, writing)) };
  }
  const pieces = text.split(/<t(\d+)\/>/);
  if (pieces.some((piece, i) => i % 2 === 0 && hasNotation(piece))) return FORMS_NOTATION;
  const sourceOf = (number: string | undefined): string => {
    const template = number === undefined ? undefined : templates[Number(number)];
    return template ? html.slice(template.start, template.end) : '';
  };
  const written = pieces
    .map((piece, i) => {
      if (i % 2 === 1) return sourceOf(piece);
      return writePiece(piece, i + 1 < pieces.length ? sourceOf(pieces[i + 1]) : behind, writing);
    })
    .join('');
  return { text: placed(written) };
}

function writePiece(piece: string, after: string, { place, encodable, spellings }: GapWriting): string {
  const text = piece.replace(/[\r\n]+/g, ' ');
  if (!spellings) return encodeFor(text, place, encodable);
  return spellings.write(text, after, (words) => encodeFor(words, place, encodable));
}

/** Keeps the line breaks and indentation at the ends of a text node. */
function withSpaceOf(raw: string, written: string): string {
  let text = written;
  if (!text.startsWith(' ') && !text.endsWith(' ')) return text;
  const lead = /^[\t\n\f\r ]+/.exec(raw)?.[0];
  if (lead !== undefined && text.startsWith(' ')) text = lead + text.slice(1);
  const trail = raw.slice(raw.trimEnd().length);
  if (/^[\t\n\f\r ]+$/.test(trail) && raw.trim() !== '' && text.endsWith(' '))
    text = text.slice(0, -1) + trail;
  return text;
}

const UNQUOTED = /[\t\n\f\r "'=<>`]/g;

function encodeFor(text: string, place: BlockPlace, encodable: (text: string) => boolean): string {
  let encoded = text;
  if (place === 'double-quoted') encoded = encoded.replaceAll('"', '&quot;');
  else if (place === 'single-quoted') encoded = encoded.replaceAll("'", '&#39;');
  else if (place === 'unquoted') encoded = encoded.replace(UNQUOTED, (c) => `&#${c.charCodeAt(0)};`);
  if (encodable(encoded)) return encoded;
  return encoded.replace(/[^\x00-\x7f]/gu, (c) => (encodable(c) ? c : `&#${c.codePointAt(0) ?? 0};`));
}
