/**
 * Numbers that stand for atoms in the text a model sees. Models copy numbers of this size as they are, in every
 * script, and build a sentence around them as around the value that will stand there. These end in digits, and have
 * tens, that take the general plural form also where languages have several. None means anything by itself.
 */
const NUMBERS = [
  437, 629, 538, 846, 759, 928, 647, 856, 739, 548, 967, 826, 458, 679, 587, 946, 768, 835, 526, 649, 957,
  478, 589, 736,
];

/** As many different numbers as wanted, none of them among the words; undefined when there are not enough. */
export function chooseStandIns(words: string, count: number): number[] | undefined {
  const taken = new Set(words.match(/\p{Nd}+/gu));
  const free = NUMBERS.filter((number) => !taken.has(String(number)));
  return free.length < count ? undefined : free.slice(0, count);
}

/** A piece of an answer: words, or the index of a stand-in. */
export type Piece = string | number;

/** Cuts an answer at the stand-ins, in whatever digits it writes them. */
export function findStandIns(answer: string, standIns: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
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

/** Arabic, Persian or Indian digits as 0 to 9. The ten digits of a script follow each other. */
function toAscii(digits: string): string {
  if (/^[0-9]+$/.test(digits)) return digits;
  return Array.from(digits, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(code - zero);
  }).join('');
}
