import { DragomanError } from '../../base/errors.ts';
import { LOCALE, matchesParts, parseGlob } from './glob-matcher.ts';

/**
 * A pattern of paths as fast-glob reads it, with micromatch's syntax: `*` and `?` within a path segment, `**` for any
 * number of segments, `{a,b*}`, `[ax]`, `!(a|b)`, and `{locale}` for the spelling of a locale, the same one wherever it
 * occurs. Wildcards do not match a dot at the beginning of a name. Matching is case-sensitive, and takes time in
 * proportion to pattern times path.
 */
export interface Glob {
  /** @param path with slashes. @throws DragomanError `limit_exceeded` when it takes too many steps. */
  matches(path: string): boolean;
}

const MAX_LENGTH = 1_000;
const MAX_EXPANSIONS = 500;

/** @throws DragomanError `usage` for a pattern that cannot be understood, or stands for too many. */
export function compileGlob(pattern: string): Glob {
  const globs = expandBraces(normalizeGlob(pattern)).map((one) => ({
    ending: one.split(SPECIAL).at(-1) ?? '',
    choices: parseGlob(one),
  }));
  return {
    matches: (path) =>
      globs.some(
        ({ ending, choices }) => path.endsWith(ending) && choices.some((parts) => matchesParts(parts, path)),
      ),
  };
}

/** Characters that may not stand for themselves. Most paths end otherwise than what is behind the last one. */
const SPECIAL = /[*?[\](){}!@+|\\/\ue000]/;

/** Without `./` at its beginning and doubled slashes, and with {@link LOCALE} for `{locale}`. @throws DragomanError `usage`. */
export function normalizeGlob(pattern: string): string {
  if (pattern === '') throw new DragomanError('usage', 'the pattern is empty');
  if (/^!(?!\()/.test(pattern) || pattern.includes(LOCALE)) {
    throw new DragomanError('usage', `${JSON.stringify(pattern)} is not a file pattern`, {
      hint: 'Patterns name what they match and cannot start with `!`. `!(a|b)` matches all names but a and b.',
    });
  }
  return pattern
    .replaceAll('{locale}', LOCALE)
    .replace(/(?<!^)\/{2,}/g, '/')
    .replace(/^(?:\.\/)+(?=.)/, '');
}

/** The patterns without braces that a pattern expands to. @throws DragomanError `usage`. */
export function expandBraces(pattern: string): readonly string[] {
  if (pattern.length > MAX_LENGTH) {
    throw new DragomanError('usage', `the pattern has more than ${MAX_LENGTH} characters`, {
      hint: 'Split it into several.',
    });
  }
  if (countExpansions(pattern) > MAX_EXPANSIONS) throw tooMany(pattern);
  return [...new Set(expand(pattern))].filter((one) => one !== '');
}

/** Braces without a comma or a range are characters. */
function expand(pattern: string): readonly string[] {
  for (const { index, 0: sign } of pattern.matchAll(/\\[^]|\[[^\]]*\]|\{/g)) {
    const inside = sign === '{' ? partsAt(pattern, index + 1) : undefined;
    if (!inside) continue;
    const { parts, end } = inside;
    const [only = ''] = parts;
    const range = parts.length === 1 ? rangeOf(only, pattern) : undefined;
    const isList = parts.length > 1 || range !== undefined;
    const choices = range ?? parts.flatMap(expand);
    const rest = expand(pattern.slice(end + 1));
    const before = pattern.slice(0, index);
    return choices.flatMap((one) => rest.map((behind) => before + (isList ? one : `{${one}}`) + behind));
  }
  return [pattern];
}

/** The parts between the commas of the braces that begin here; undefined if nothing closes them. */
function partsAt(
  pattern: string,
  start: number,
): { readonly parts: string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let [from, braces, groups] = [start, 0, 0];
  for (const { index, 0: sign } of pattern.slice(start).matchAll(/\\[^]|\[[^\]]*\]|[{}(),]/g)) {
    const at = start + index;
    if (sign === '{') braces++;
    else if (sign === '(') groups++;
    else if (sign === ')') groups = Math.max(0, groups - 1);
    else if (sign === '}' && braces-- === 0) return { parts: [...parts, pattern.slice(from, at)], end: at };
    else if (sign === ',' && braces + groups === 0) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  return undefined;
}

/** `1..3`, `01..10..2` and `a..c`. @throws DragomanError `usage` */
function rangeOf(text: string, pattern: string): readonly string[] | undefined {
  const [, first = '', last = '', step = '1'] =
    /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?(\d+))?$/.exec(text) ?? [];
  const isNumber = /\d/.test(first);
  if (first === '' || isNumber !== /\d/.test(last)) return undefined;
  const [from, to] = [first, last].map((end) => (isNumber ? Number(end) : end.charCodeAt(0)));
  const stride = Math.max(1, Number(step));
  const size = Math.floor(Math.abs((to ?? 0) - (from ?? 0)) / stride) + 1;
  if (size > MAX_EXPANSIONS) throw tooMany(pattern);
  const width = /^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: size }, (_, i) => {
    const value = (from ?? 0) + i * stride * ((to ?? 0) < (from ?? 0) ? -1 : 1);
    if (!isNumber) return String.fromCharCode(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
  });
}

/** An upper bound: each pair of braces multiplies by the number of its alternatives, even inside others. */
function countExpansions(pattern: string): number {
  let count = 1;
  const commas: number[] = [];
  for (const char of pattern) {
    if (char === '{') commas.push(0);
    else if (char === ',' && commas.length > 0) commas.push((commas.pop() ?? 0) + 1);
    else if (char === '}') count *= (commas.pop() ?? 0) + 1;
  }
  return commas.reduce((product, some) => product * (some + 1), count);
}

function tooMany(pattern: string): DragomanError {
  return new DragomanError(
    'usage',
    `the braces of ${JSON.stringify(pattern)} stand for more than ${MAX_EXPANSIONS} patterns`,
    { hint: 'Use a wildcard instead, or split the pattern.' },
  );
}

/**
 * A pattern over key paths: `*` stands for any characters (dots too), `?` for one. In time proportional to pattern times
 * key: of several stars only the last one is ever tried again.
 */
export function matchesKey(pattern: string, key: string): boolean {
  let p = 0;
  let k = 0;
  let star = -1;
  let resume = 0;
  while (k < key.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = k;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === key[k])) {
      p++;
      k++;
    } else if (star >= 0) {
      p = star + 1;
      k = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
