/** What a text is compared by. Pieces side by side are the whole text. */
export interface WordPiece {
  readonly kind: PieceKind;
  /** As it stands in the text. */
  readonly text: string;
  readonly start: number;
  /** What equal pieces have in common: one space for any white space, composed letters, one kind of apostrophe. */
  readonly key: string;
}

export type PieceKind =
  | 'word'
  /** Of a script that has no spaces between words: any of its characters may begin or end one. */
  | 'character'
  /** One of anything else, with what belongs to it: an emoji is one. */
  | 'symbol'
  | 'space';

const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Tibetan}';
/** What is inside of words of any script, invisible joiners among them. */
const WITHIN = '\\p{M}\\p{N}\\p{Pc}\\u00ad\\u200c\\u200d';
/** Letters that belong to no script are found in Latin words: the apostrophes of Uzbek, the ordinals of Spanish. */
const LATIN = '\\p{sc=Latin}\\p{sc=Common}\\p{sc=Inherited}';

/** A word ends where the script changes: particles and prefixes of a language are written right after a foreign name. */
const PIECES = [
  '([\\s\\u200b]+)',
  `([${UNSPACED}]\\p{M}*)`,
  `((?:(?=[${LATIN}])[\\p{L}${WITHIN}]|[${WITHIN}])+|(?:(?![${UNSPACED}${LATIN}])\\p{L}|[${WITHIN}])+)`,
  '\\p{RI}\\p{RI}|\\P{M}(?:[\\p{M}\\p{EMod}]|\\u200d\\p{ExtPict})*',
].join('|');

/** Made at its first use: most runs have no glossary, and the classes of characters take a millisecond. */
let expression: RegExp | undefined;

/** Faster than an expression for the short texts that are asked about. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Takes words apart. Linear in their length. */
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

/** The same for most texts, in a fraction of the time. */
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

/** The same for all spellings that differ in case only, in any language. */
export function lowerCaseOf(text: string): string {
  const lower = text.toLowerCase();
  return isAscii(lower) ? lower : lower.replace(/[ıςß]|\u0307/g, (c) => OTHER_LOWER[c] ?? c);
}
