import type { RequiredTerm } from '../../engines/engine.ts';
import { parseMessage } from '../../text/message.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Terms } from './terms.ts';

/** A value as its file has it. */
export interface WrittenValue {
  readonly value: string;
  readonly syntax: Syntax;
}

/** Terms that a value lacks which somebody else has put together. */
export function missingInValue(
  terms: Terms,
  source: WrittenValue,
  translation: WrittenValue,
  locale: string,
): readonly RequiredTerm[] {
  const [segments, translations] = [source, translation].map(({ value, syntax }) =>
    parseMessage(value, syntax).segments(locale),
  );
  return terms.missingIn(segments ?? [], translations ?? []);
}

/** What to tell people of a term that a translation lacks. */
export function missingTermText({ term, translation }: RequiredTerm): string {
  return term === translation
    ? `${JSON.stringify(term)} is missing`
    : `${JSON.stringify(term)} is not translated as ${JSON.stringify(translation)}`;
}
