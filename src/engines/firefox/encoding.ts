import { decodeWords, encodeWords, type Token } from '../../text/tagged.ts';
import type { MarkupElement } from './elements.ts';
import type { ModelText } from './worker/messages.ts';

/**
 * How atoms are sent. `copied`: as numbers among the words. `aligned`: as tags, which the model does not see and which
 * follow their neighbours according to its attention. Pairs around words are always tags.
 */
export type EncodingStyle = 'copied' | 'aligned';

/** A text as sent to a model, and how to decode the answer. */
interface EncodedText {
  readonly text: ModelText;
  /** The tokens of an answer; undefined if it is damaged: a lost or repeated atom, an unknown tag. */
  decode(answer: string): Token[] | undefined;
}

/** Undefined if there are not enough numbers for the atoms. */
export function encodeElements(
  elements: readonly MarkupElement[],
  style: EncodingStyle,
): EncodedText | undefined {
  const atoms = elements.flatMap((element) => (element.type === 'atom' ? [element.tokens] : []));
  const words = elements.map((element) => (element.type === 'words' ? element.text : ' ')).join('');
  const standIns = style === 'copied' ? chooseStandIns(words, atoms.length) : [];
  if (!standIns) return undefined;
  const html = elements.some(({ type }) => type === 'open' || (type === 'atom' && style === 'aligned'));
  let atom = 0;
  const write = (element: MarkupElement): string => {
    if (element.type === 'words') return html ? encodeWords(element.text) : element.text;
    if (element.type === 'open') return `<b id="${element.id}">`;
    if (element.type === 'close') return '</b>';
    const i = atom++;
    return style === 'copied' ? String(standIns[i]) : `<img id="${i}">`;
  };
  return {
    text: { text: elements.map(write).join(''), html },
    decode(answer) {
      const pieces = html ? readMarkup(answer) : [{ words: answer }];
      return pieces && restore(pieces, atoms, standIns);
    },
  };
}

type MarkupPart =
  { readonly words: string } | { readonly atom: number } | { readonly open: number } | 'close';

/** Parses the markup of an answer; undefined if it contains unknown tags. */
function readMarkup(answer: string): MarkupPart[] | undefined {
  const pieces: MarkupPart[] = [];
  let at = 0;
  const addWords = (end: number): boolean => {
    const raw = answer.slice(at, end);
    if (raw !== '') pieces.push({ words: decodeWords(raw) });
    return !/[<>]/.test(raw);
  };
  for (const match of answer.matchAll(/<(?:(b|img) id="(\d+)"|\/b)>/g)) {
    if (!addWords(match.index)) return undefined;
    at = match.index + match[0].length;
    const id = Number(match[2]);
    pieces.push(match[1] === undefined ? 'close' : match[1] === 'b' ? { open: id } : { atom: id });
  }
  return addWords(answer.length) ? pieces : undefined;
}

function restore(
  pieces: readonly MarkupPart[],
  atoms: readonly (readonly Token[])[],
  standIns: readonly number[],
): Token[] | undefined {
  const tokens: Token[] = [];
  const missing = new Set(atoms.keys());
  const open: number[] = [];
  const addAtom = (i: number): boolean => {
    tokens.push(...(atoms[i] ?? []));
    return missing.delete(i);
  };
  for (const piece of pieces) {
    if (piece === 'close') {
      const id = open.pop();
      if (id === undefined) return undefined;
      tokens.push({ type: 'close', id });
    } else if ('open' in piece) {
      open.push(piece.open);
      tokens.push({ type: 'open', id: piece.open });
    } else if ('atom' in piece) {
      if (!addAtom(piece.atom)) return undefined;
    } else {
      for (const part of findStandIns(piece.words, standIns)) {
        if (typeof part === 'string') tokens.push({ type: 'words', text: part });
        else if (!addAtom(part)) return undefined;
      }
    }
  }
  return missing.size === 0 && open.length === 0 ? joinParts(tokens) : undefined;
}

/** Merges parts of a pair that are separated only by space. */
function joinParts(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const space = last?.type === 'words' && last.text.trim() === '' ? 1 : 0;
    const before = joined.at(-1 - space);
    if (token.type === 'open' && before?.type === 'close' && before.id === token.id) {
      joined.splice(joined.length - 1 - space, 1);
    } else joined.push(token);
  }
  return joined;
}

/**
 * Numbers that represent atoms in the text for a model. Models copy numbers of this size unchanged in every script, and
 * build a sentence around them as around the real value. Their last digits select the general plural form, even in
 * languages with several. None has a special meaning.
 */
const NUMBERS = [
  437, 629, 538, 846, 759, 928, 647, 856, 739, 548, 967, 826, 458, 679, 587, 946, 768, 835, 526, 649, 957,
  478, 589, 736,
];

/** Distinct numbers that do not occur among the words; undefined if there are not enough. */
export function chooseStandIns(words: string, count: number): number[] | undefined {
  const taken = new Set(words.match(/\p{Nd}+/gu));
  const free = NUMBERS.filter((number) => !taken.has(String(number)));
  return free.length < count ? undefined : free.slice(0, count);
}

/** A piece of an answer: words, or the index of a number. */
type NumberedPart = string | number;

/** Splits an answer at the numbers, in any digits. */
function findStandIns(answer: string, standIns: readonly number[]): NumberedPart[] {
  const pieces: NumberedPart[] = [];
  let at = 0;
  for (const match of answer.matchAll(/\p{Nd}+/gu)) {
    const index = standIns.indexOf(Number(toAscii(match[0])));
    if (index === -1) continue;
    pieces.push(answer.slice(at, match.index), index);
    at = match.index + match[0].length;
  }
  pieces.push(answer.slice(at));
  return pieces.filter((piece) => piece !== '');
}

/** Converts Arabic, Persian or Indian digits to 0 to 9. The ten digits of a script are consecutive. */
function toAscii(digits: string): string {
  if (/^[0-9]+$/.test(digits)) return digits;
  return Array.from(digits, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(code - zero);
  }).join('');
}
