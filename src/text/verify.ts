import type { BranchRule } from './choice.ts';
import { compareParts } from './compare.ts';
import { isPlain, parseValue, type Parsed } from './parse.ts';
import type { MessageProblem } from './node.ts';
import type { Syntax } from './syntax.ts';

export interface VerifyOptions {
  readonly syntax: Syntax;
  readonly locale: string;
  /** Of the application: see `parseMessage`. */
  readonly rule?: BranchRule | undefined;
}

/**
 * Whether `target` is a sound translation of `source`, as far as that can be seen without knowing the languages. Both
 * are parsed anew, so a value is judged by what is written, not by how it was made. Several sources are the forms of
 * one plural message: it is enough that the target fits one of them.
 *
 * @returns nothing when it is sound, else what is wrong
 */
export function verify(
  source: string | readonly string[],
  target: string,
  options: VerifyOptions,
): readonly MessageProblem[] {
  const sources = typeof source === 'string' ? [source] : source;
  let fewest: readonly MessageProblem[] | undefined;
  for (const one of new Set(sources)) {
    const problems = verifyOne(one, target, options);
    if (problems.length === 0) return problems;
    if (!fewest || problems.length < fewest.length) fewest = problems;
  }
  return fewest ?? [];
}

function verifyOne(source: string, target: string, options: VerifyOptions): readonly MessageProblem[] {
  const { syntax } = options;
  if (isPlain(target, syntax) && (source === target || isPlain(source, syntax))) return [];
  return verifyAgainst({ value: source, parsed: parseValue(source, syntax) }, target, options);
}

/** As {@link verify}, for a source that was read already. The target is always read anew. */
export function verifyAgainst(
  source: { readonly value: string; readonly parsed: Parsed },
  target: string,
  options: VerifyOptions,
): readonly MessageProblem[] {
  const to = parseValue(target, options.syntax);
  if (to.problem !== undefined) return [{ rule: 'icu-syntax', detail: `not a message: ${to.problem}` }];
  // Against a source that cannot be read nothing can be compared; the source has its own finding.
  if (source.parsed.problem !== undefined) return [];
  return [
    ...compareParts(source.parsed, to, { ...options, source: source.value, target }),
    ...doubleEscaped(source.value, target),
  ];
}

const DOUBLE = /&amp;(?:lt|gt|amp|quot|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

/** An entity that the source does not have, written so that readers see its name. */
export function doubleEscaped(source: string, target: string): MessageProblem[] {
  if (!target.includes('&')) return [];
  const known = source.match(DOUBLE)?.length ?? 0;
  const found = target.match(DOUBLE) ?? [];
  if (found.length <= known) return [];
  return [{ rule: 'double-escaped', detail: `${found[0]} is escaped twice` }];
}
