import type { TaggedText } from '../../text/tagged.ts';
import type { RequiredTerm } from '../engine.ts';
import { boundTerm } from '../hints.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The terms that may occur in these texts, of those that occur in the texts of the whole request: by the beginnings of
 * their words, so that no inflected form is missed. One too many does no harm.
 */
export function occurringIn(
  texts: readonly TaggedText[],
  terms: readonly RequiredTerm[] = [],
): readonly RequiredTerm[] {
  if (terms.length === 0) return [];
  const words = [...new Set(texts.flatMap(wordsOf))];
  const occurs = ({ term }: RequiredTerm): boolean =>
    wordsOf(term).every((word) => {
      const beginning = beginningOf(word);
      return words.some((other) => other.includes(beginning));
    });
  return terms.filter(occurs).map(boundTerm);
}

function wordsOf(text: string): readonly string[] {
  return text.normalize('NFC').toLowerCase().match(WORD) ?? [];
}

/** Short words as they are; of longer ones what no ending changes. */
function beginningOf(word: string): string {
  return word.length <= 3 ? word : word.slice(0, Math.max(3, Math.ceil(word.length * 0.6)));
}
