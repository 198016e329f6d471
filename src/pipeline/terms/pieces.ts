/** What a text is compared by. Pieces side by side are the whole text. */
export interface Piece {
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
const PIECES = new RegExp(
  [
    '(?<space>[\\s\\u200b]+)',
    `(?<character>[${UNSPACED}]\\p{M}*)`,
    `(?<word>(?:(?=[${LATIN}])[\\p{L}${WITHIN}]|[${WITHIN}])+|(?:(?![${UNSPACED}${LATIN}])\\p{L}|[${WITHIN}])+)`,
    '(?<symbol>\\p{RI}\\p{RI}|\\P{M}(?:[\\p{M}\\p{EMod}]|\\u200d\\p{ExtPict})*)',
  ].join('|'),
  'gsu',
);

const ASCII_PIECES = /(?<space>\s+)|(?<word>[A-Za-z0-9_]+)|(?<symbol>[^])/g;
const ASCII = /^[\0-\x7f]*$/;

/** Takes words apart. Linear in their length. */
export function piecesOf(text: string): readonly Piece[] {
  const isAscii = ASCII.test(text);
  const pieces: Piece[] = [];
  for (const { 0: found, index, groups } of text.matchAll(isAscii ? ASCII_PIECES : PIECES)) {
    const kind = kindOf(groups ?? {});
    const key = kind === 'space' ? ' ' : isAscii ? found : keyOf(found);
    pieces.push({ kind, text: found, start: index, key });
  }
  return pieces;
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): PieceKind {
  if (groups['word'] !== undefined) return 'word';
  if (groups['space'] !== undefined) return 'space';
  return groups['character'] === undefined ? 'symbol' : 'character';
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
  return ASCII.test(lower) ? lower : lower.replace(/[ıςß]|\u0307/g, (c) => OTHER_LOWER[c] ?? c);
}
