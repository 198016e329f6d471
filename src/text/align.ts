import { readPatterns, type AlignmentOptions } from './align-pattern.ts';
import { adaptChoice, branchesFor, conditionOf, splitConditions } from './choice.ts';
import type { Message } from './message.ts';
import { TOP, type MessagePart } from './node.ts';
import { parseValue } from './parse.ts';
import { planPattern } from './plan.ts';
import type { TaggedText } from './tagged.ts';

/** How precisely the texts must reproduce a translation. */
export interface AlignOptions {
  /**
   * `bytes`, the default: the exact translation. `reading`: the same displayed text, with the same placeholders in the
   * same places. A person may have spelled an apostrophe or a printf number differently, may use other white space at
   * the ends, and may omit a plural branch that a language hardly needs, which then equals `other`.
   */
  readonly keep?: 'bytes' | 'reading';
}

/**
 * Splits a translation like its source, the inverse of `Message.assemble`: returns the texts with which
 * `source.assemble(locale, …)` returns the translation. Placeholders are matched by meaning, at any position. Those for
 * a value may be missing, because a person may write "one file" for `{n} file`.
 *
 * The result is checked by assembling it; `verify` checks whether the translation is valid. Linear in the lengths of
 * both.
 *
 * @returns one text for each of `source.segments(locale)`; undefined if no texts result in the translation
 */
export function alignTranslation(
  source: Message,
  translation: string,
  locale: string,
  { keep = 'bytes' }: AlignOptions = {},
): readonly TaggedText[] | undefined {
  if (source.problem !== undefined) return undefined;
  const segments = source.segments(locale);
  if (translation === source.assemble(locale, segments)) return segments;
  // Only assembling shows whether the source doubles its percent signs, so both are tried.
  for (const percent of ['%', '%%'] as const) {
    const options: AlignmentOptions = { syntax: source.syntax, keep, percent };
    const texts = read(source, translation, locale, options);
    if (!texts) continue;
    const assembled = source.assemble(locale, texts);
    if (assembled === translation) return texts;
    if (keep === 'reading' && isSame(texts, read(source, assembled, locale, options))) return texts;
  }
  return undefined;
}

function read(
  source: Message,
  translation: string,
  locale: string,
  options: AlignmentOptions,
): readonly TaggedText[] | undefined {
  const { syntax, rule } = source;
  const { parts } = parseValue(source.value, syntax);
  const adapted = adaptChoice(parts, branchesFor(parts, { syntax, locale, rule }));
  const { problem, parts: others } = parseValue(translation, syntax);
  if (problem !== undefined || others.length !== adapted.length) return undefined;
  const hasCondition = (part: MessagePart, i: number): boolean =>
    conditionOf(part, syntax) === conditionOf(adapted[i] ?? part, syntax);
  if (others.length > 1 && !others.every(hasCondition)) return undefined;
  const from = splitConditions(adapted, syntax);
  const to = splitConditions(others, syntax);
  const segments: TaggedText[] = [];
  const plans = from.map(({ nodes }) => planPattern(nodes, TOP, locale, segments));
  const texts = readPatterns(
    plans.map((plan, i) => ({ plan, nodes: to[i]?.nodes ?? [] })),
    options,
  );
  return texts && segments.map((_, i) => texts.get(i) ?? '');
}

function isSame(texts: readonly TaggedText[], others: readonly TaggedText[] | undefined): boolean {
  return others !== undefined && texts.every((text, i) => text === others[i]);
}
