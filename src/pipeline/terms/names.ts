import { lowerCaseOf } from './word-segmentation.ts';

/** A name that has to stand in a translation. */
export interface Name {
  /** As it stands in the source. */
  readonly spelling: string;
  readonly caseSensitive: boolean;
  /** At least so many times. */
  readonly count: number;
}

/**
 * How often each name stands in a text. One that is part of a longer one is not counted there. Endings and particles
 * may follow a name (`Firefoxissa`), another word may not (`JavaScript` is no `Java`).
 */
export function countNames(text: string, names: readonly Name[]): readonly number[] {
  const counts = names.map(() => 0);
  const sensitive = normalize(text);
  const insensitive = lowerCaseOf(sensitive);
  // Letters of which the other case has another length are rare: then only the places of the text itself are right.
  const taken = {
    sensitive: new Uint8Array(sensitive.length),
    insensitive: new Uint8Array(insensitive.length),
  };
  const shared = sensitive.length === insensitive.length;
  if (shared) taken.insensitive = taken.sensitive;
  const order = names.map((name, i) => ({ name, i })).toSorted((a, b) => compareNames(a.name, b.name));
  for (const { name, i } of order) {
    const [haystack, marks] = name.caseSensitive
      ? [sensitive, taken.sensitive]
      : [insensitive, taken.insensitive];
    const spelling = name.caseSensitive ? normalize(name.spelling) : lowerCaseOf(normalize(name.spelling));
    const original = shared ? sensitive : haystack;
    for (let at = haystack.indexOf(spelling); at >= 0; at = haystack.indexOf(spelling, at + 1)) {
      const end = at + spelling.length;
      if (marks[at] === 1 || marks[end - 1] === 1 || !standsAlone(original, at, end)) continue;
      marks.fill(1, at, end);
      counts[i] = (counts[i] ?? 0) + 1;
    }
  }
  return counts;
}

/** The longest first, and before one that may be written in any case the one that may not. */
function compareNames(a: Name, b: Name): number {
  return b.spelling.length - a.spelling.length || Number(b.caseSensitive) - Number(a.caseSensitive);
}

/** The same for names that are the same wherever they stand. */
export function identityOf({ spelling, caseSensitive }: Pick<Name, 'spelling' | 'caseSensitive'>): string {
  const text = normalize(spelling);
  return caseSensitive ? `=${text}` : `~${lowerCaseOf(text)}`;
}

function normalize(text: string): string {
  return text.normalize('NFC').replace(/[\s\u00a0]+/g, ' ');
}

const IN_WORD = /[\p{L}\p{M}\p{N}\p{Pc}]/u;
/** Letters of scripts in which words are written together with what is before them. */
const JOINED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Hangul}]/u;
const LATIN = /[\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/u;

function standsAlone(text: string, start: number, end: number): boolean {
  const before = lastCharacter(text.slice(Math.max(0, start - 2), start));
  const first = firstCharacter(text, start);
  if (continues(before, first)) return false;
  let last = lastCharacter(text.slice(Math.max(start, end - 2), end));
  if (JOINED.test(last)) return true;
  const longest = end - start > 5 ? 6 : end - start > 3 ? 4 : 2;
  let length = 0;
  for (let at = end; at < text.length; length++) {
    const next = firstCharacter(text, at);
    if (!continues(last, next)) break;
    if (length === 0 && /\p{Lu}/u.test(next) && /\p{Ll}/u.test(text.slice(start, end))) return false;
    last = next;
    at += next.length;
    if (length >= longest) return false;
  }
  return true;
}

/** Whether two characters side by side are of one word. */
function continues(before: string, after: string): boolean {
  if (!IN_WORD.test(before) || !IN_WORD.test(after)) return false;
  if (JOINED.test(before) || JOINED.test(after)) return false;
  return LATIN.test(before) === LATIN.test(after);
}

function firstCharacter(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 32);
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? ' ';
}
