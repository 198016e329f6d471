import { hash } from 'node:crypto';
import { splice, type Span } from '../../base/span.ts';
import { decodeAt, plainRaw } from './notation.ts';
import type { InlinePiece } from './piece.ts';

/**
 * Inline content as one value of the syntax `markup`: words decoded; `<em>`, `<strong>`, `<del>` for emphasis; `<a>`
 * for a link; `<alt>` for an image description; `<link-title>` for the title of either, or a text in a tag or
 * shortcode, at its end; `<h>` for a pair of tags; `<code/>` and `<x/>` for unchanged code; `<br/>` for a hard break.
 * The attribute `r` holds the notation, so that equal values have the same meaning in every document.
 */
export interface InlineValue {
  readonly value: string;
  /** Whether there is a letter to translate. */
  readonly hasWords: boolean;
  /** The complete notations that are too long for their attributes, by attribute. */
  readonly raws: ReadonlyMap<string, string>;
}

const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;
/** Longer notations are truncated in values: messages read longer attributes as words. */
const LONGEST = 300;
/** The usual spelling of a pair's opening. */
export const USUAL: Readonly<Partial<Record<string, string>>> = {
  em: '*',
  strong: '**',
  del: '~~',
  alt: '![',
  a: '[',
};

export function writeValue(pieces: readonly InlinePiece[], text: string): InlineValue {
  const parts: string[] = [];
  const raws = new Map<string, string>();
  let hasWords = false;
  /** The texts in the openings of pairs. */
  const open: (readonly string[])[] = [];
  const closings = closingsOf(pieces);
  const attribute = (raw: string): string => {
    const plain = plainRaw(raw);
    const written = escape(plain);
    const isCut = written.length > LONGEST;
    const found = isCut ? `#${hash('sha256', plain, 'hex').slice(0, 16)}` : plain;
    if (found !== raw) raws.set(found, raw);
    return ` r="${isCut ? found : written}"`;
  };
  for (const [i, piece] of pieces.entries()) {
    const raw = text.slice(piece.start, piece.end);
    const { kind, name, texts = [] } = piece;
    const shown = texts.map((place) => decodeAt(raw, place));
    hasWords ||= shown.length > 0;
    if (kind === 'open') open.push(shown);
    if (kind === 'text') {
      hasWords ||= /\p{L}/u.test(piece.text);
      parts.push(wordsOf(piece, raw));
    } else if (kind === 'soft') parts.push(' ');
    else if (kind === 'hard') parts.push('<br/>');
    else if (kind === 'code' && shown.length === 0) parts.push(`<${name}${attribute(raw)}/>`);
    else if (kind === 'code')
      parts.push(`<${name}${attribute(withoutTexts(raw, texts))}>`, ...asidesOf(shown), `</${name}>`);
    else if (kind === 'close') parts.push(...asidesOf([...(open.pop() ?? []), ...shown]), `</${name}>`);
    else if (name === 'a' || name === 'alt') {
      const closing = closings.get(i);
      const inside = closing && text.slice(piece.end, closing.start);
      parts.push(`<${name}${attribute(addressOf(closing, text, inside ?? ''))}>`);
    } else parts.push(raw === USUAL[name] ? `<${name}>` : `<${name}${attribute(withoutTexts(raw, texts))}>`);
  }
  return { value: parts.join(''), hasWords, raws };
}

/** A reference named by its own text (`[text]`, `[text][]`) gets an explicit label, because the text will change. */
function addressOf(closing: InlinePiece | undefined, text: string, label: string): string {
  if (!closing) return '';
  const raw = text.slice(closing.start, closing.end);
  if (closing.texts) return withoutTexts(raw, closing.texts);
  return raw === ']' || /^\]\[\s*\]$/.test(raw) ? `][${label}]` : raw;
}

function withoutTexts(raw: string, texts: readonly Span[]): string {
  return splice(
    raw,
    texts.map((span) => ({ span, text: '' })),
  );
}

/**
 * The texts of a pair's notation, written at its end: each text is a separate segment, and all but the last one have
 * their own pair.
 */
function asidesOf(texts: readonly string[]): readonly string[] {
  return texts.map((text, i) => {
    const aside = `<link-title>${escapeWords(text)}</link-title>`;
    return i < texts.length - 1 ? `<x>${aside}</x>` : aside;
  });
}

function closingsOf(pieces: readonly InlinePiece[]): ReadonlyMap<number, InlinePiece> {
  const closings = new Map<number, InlinePiece>();
  const open: number[] = [];
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind === 'open') open.push(i);
    else if (piece.kind === 'close') {
      const begin = open.pop();
      if (begin !== undefined) closings.set(begin, piece);
    }
  }
  return closings;
}

function wordsOf({ text, isSpelled }: InlinePiece, raw: string): string {
  // Invisible characters remain references, which messages protect.
  if (isSpelled && raw.startsWith('&') && !VISIBLE.test(text)) return raw;
  return escapeWords(text);
}

function escapeWords(text: string): string {
  return text.replace(/[&<]/g, (c) => ENTITIES[c] ?? c);
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
