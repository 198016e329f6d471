import type { BranchRule } from './choice.ts';
import { compareParts } from './compare.ts';
import { isPlain, parseValue, type Parsed } from './parse.ts';
import type { MessageProblem } from './node.ts';
import type { Syntax } from './syntax.ts';

export interface VerifyOptions {
  readonly syntax: Syntax;
  readonly locale: string;
  /** The application's rule: see `parseMessage`. */
  readonly rule?: BranchRule | undefined;
}

/**
 * Whether `translation` is a valid translation of `source`, as far as a check without knowledge of the languages can
 * tell. Both are given as text and parsed here. Several sources are the forms of one plural message: the
 * translation must match one of them.
 *
 * @returns the problems; empty if it is valid
 */
export function verify(
  source: string | readonly string[],
  translation: string,
  options: VerifyOptions,
): readonly MessageProblem[] {
  const sources = typeof source === 'string' ? [source] : source;
  let fewest: readonly MessageProblem[] | undefined;
  for (const one of new Set(sources)) {
    const problems = verifyOne(one, translation, options);
    if (problems.length === 0) return problems;
    if (!fewest || problems.length < fewest.length) fewest = problems;
  }
  return fewest ?? [];
}

function verifyOne(source: string, translation: string, options: VerifyOptions): readonly MessageProblem[] {
  const { syntax } = options;
  if (isPlain(translation, syntax) && (source === translation || isPlain(source, syntax))) return [];
  return verifyAgainst({ value: source, parsed: parseValue(source, syntax) }, translation, options);
}

/** Same as {@link verify}, for a parsed source. The translation is always parsed. */
export function verifyAgainst(
  source: { readonly value: string; readonly parsed: Parsed },
  translation: string,
  options: VerifyOptions,
): readonly MessageProblem[] {
  const to = parseValue(translation, options.syntax);
  if (to.problem !== undefined) return [{ rule: 'icu-syntax', detail: `not a message: ${to.problem}` }];
  // An invalid source cannot be compared and has its own finding.
  if (source.parsed.problem !== undefined) return [];
  return [
    // The spread is last because each property after it makes V8 move the object.
    ...compareParts(source.parsed, to, { source: source.value, target: translation, ...options }),
    ...doubleEscaped(source.value, translation),
  ];
}

const DOUBLE = /&amp;(?:lt|gt|amp|quot|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

/** Finds entities that are escaped twice, but not in the source: readers would see their names. */
export function doubleEscaped(source: string, translation: string): MessageProblem[] {
  if (!translation.includes('&')) return [];
  const known = source.match(DOUBLE)?.length ?? 0;
  const found = translation.match(DOUBLE) ?? [];
  if (found.length <= known) return [];
  return [{ rule: 'double-escaped', detail: `${found[0]} is escaped twice` }];
}
