import micromatch from 'micromatch';
import { DragomanError } from '../../base/errors.ts';
import { LOCALE, matchesParts, parseGlob } from './glob-matcher.ts';

/**
 * A path pattern with the meaning that fast-glob and micromatch give it: `*` and `?` within a path segment, `**` for
 * any number of segments, `{a,b*}`, `[ax]`, `!(a|b)`, and `{locale}` for the spelling of a locale, the same wherever it
 * occurs. Wildcards do not match a dot at the start of a name. Matching is case-sensitive, and takes time in proportion
 * to pattern times path.
 */
export interface Glob {
  /** @param path with slashes. @throws DragomanError `limit_exceeded` if it takes too many steps. */
  matches(path: string): boolean;
}

const MAX_LENGTH = 1_000;
const MAX_EXPANSIONS = 500;

/** @throws DragomanError `usage` for an invalid pattern, or one with too many alternatives */
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

/**
 * Characters that may be special. Most paths can be rejected by comparing only the literal text after the last special
 * character.
 */
const SPECIAL = /[*?[\](){}!@+|\\/\ue000]/;

/**
 * Removes a leading `./` and double slashes, and replaces `{locale}` with {@link LOCALE}. @throws DragomanError `usage`
 */
export function normalizeGlob(pattern: string): string {
  if (pattern === '') throw new DragomanError('usage', 'the pattern is empty');
  if (/^!(?!\()/.test(pattern) || pattern.includes(LOCALE)) {
    throw new DragomanError('usage', `${JSON.stringify(pattern)} is not a file pattern`, {
      hint: 'Patterns name the files to match and cannot start with `!`. `!(a|b)` matches all names but a and b.',
    });
  }
  return pattern
    .replaceAll('{locale}', LOCALE)
    .replace(/(?<!^)\/{2,}/g, '/')
    .replace(/^(?:\.\/)+(?=.)/, '');
}

/** Expands a pattern with braces into patterns without braces. @throws DragomanError `usage` */
export function expandBraces(pattern: string): readonly string[] {
  if (pattern.length > MAX_LENGTH) {
    throw new DragomanError('usage', `the pattern has more than ${MAX_LENGTH} characters`, {
      hint: 'Split it into several.',
    });
  }
  if (countExpansions(pattern) > MAX_EXPANSIONS) throw tooMany(pattern);
  try {
    const expanded = micromatch.braces(pattern, { expand: true, nodupes: true, keepEscaping: true });
    return expanded.filter((one) => one !== '');
  } catch (cause) {
    // Ranges such as {1..99999} cause a RangeError.
    throw cause instanceof RangeError ? tooMany(pattern) : cause;
  }
}

/** An upper bound: the product of the numbers of alternatives in all pairs of braces, even nested ones. */
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
 * A pattern for key paths: `*` matches any characters (including dots), and `?` matches one. Only the last star is
 * retried, so the time is proportional to pattern times key.
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
