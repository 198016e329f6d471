/** A unit of comparison. The pieces of a text concatenate to it. */
export interface WordPiece {
  readonly kind: PieceKind;
  /** The piece as written in the text. */
  readonly text: string;
  readonly start: number;
  /** The piece in comparable form: one space for any white space, composed letters, one kind of apostrophe. */
  readonly key: string;
}

export type PieceKind =
  | 'word'
  /** A character in a script without spaces between words: a word may begin or end at each of them. */
  | 'character'
  /** Any other character with its modifiers, such as an emoji. */
  | 'symbol'
  | 'space';

const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Tibetan}';
/** Characters inside words of any script, including invisible joiners. */
const WITHIN = '\\p{M}\\p{N}\\p{Pc}\\u00ad\\u200c\\u200d';
/** Common letters occur in Latin words: the apostrophes of Uzbek, the ordinals of Spanish. */
const LATIN = '\\p{sc=Latin}\\p{sc=Common}\\p{sc=Inherited}';

/** A word ends where the script changes: particles and prefixes are written directly after a foreign name. */
const PIECES = [
  '([\\s\\u200b]+)',
  `([${UNSPACED}]\\p{M}*)`,
  `((?:(?=[${LATIN}])[\\p{L}${WITHIN}]|[${WITHIN}])+|(?:(?![${UNSPACED}${LATIN}])\\p{L}|[${WITHIN}])+)`,
  '\\p{RI}\\p{RI}|\\P{M}(?:[\\p{M}\\p{EMod}]|\\u200d\\p{ExtPict})*',
].join('|');

/** Compiled on first use: most runs have no glossary, and the character classes take a millisecond. */
let expression: RegExp | undefined;

/** Faster than a regular expression for short texts. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Splits a text into words. Linear in its length. */
export function piecesOf(text: string): readonly WordPiece[] {
  if (isAscii(text)) return asciiPieces(text);
  const pieces: WordPiece[] = [];
  for (const match of text.matchAll((expression ??= new RegExp(PIECES, 'gsu')))) {
    const [found, space, character, word] = match;
    const start = match.index;
    if (space !== undefined) pieces.push({ kind: 'space', text: found, start, key: ' ' });
    else {
      const kind = word !== undefined ? 'word' : character !== undefined ? 'character' : 'symbol';
      pieces.push({ kind, text: found, start, key: keyOf(found) });
    }
  }
  return pieces;
}

/** A faster version for most texts. */
function asciiPieces(text: string): readonly WordPiece[] {
  const pieces: WordPiece[] = [];
  let start = 0;
  while (start < text.length) {
    const kind = asciiKind(text.charCodeAt(start));
    let end = start + 1;
    if (kind !== 'symbol') while (end < text.length && asciiKind(text.charCodeAt(end)) === kind) end++;
    const found = text.slice(start, end);
    pieces.push({ kind, text: found, start, key: kind === 'space' ? ' ' : found });
    start = end;
  }
  return pieces;
}

function asciiKind(code: number): 'word' | 'space' | 'symbol' {
  if (code > 122) return 'symbol';
  if (code >= 97 || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95) return 'word';
  return code === 32 || (code >= 9 && code <= 13) ? 'space' : 'symbol';
}

const INVISIBLE = /\u00ad|[\u200b-\u200d]|\ufe0e|\ufe0f/g;
const APOSTROPHES = /[‘’ʼ＇]/g;
const HYPHENS = /[‐‑]/g;

function keyOf(text: string): string {
  const key = text.normalize('NFC').replace(INVISIBLE, '').replace(APOSTROPHES, "'").replace(HYPHENS, '-');
  return key === '' ? text : key;
}

const OTHER_LOWER: Readonly<Record<string, string>> = { ı: 'i', ς: 'σ', ß: 'ss', '\u0307': '' };

/** A form for comparisons, equal for all spellings that differ only in case, in any language. */
export function lowerCaseOf(text: string): string {
  const lower = text.toLowerCase();
  return isAscii(lower) ? lower : lower.replace(/[ıςß]|\u0307/g, (c) => OTHER_LOWER[c] ?? c);
}
