import type { RequiredTerm } from '../engine.ts';
import type { Entries } from './glossary-api.ts';

const MOST_BYTES = 1_024;
/** Far below what a glossary can hold, far above what a project has. */
const MOST_ENTRIES = 10_000;

/** What a glossary can hold of the terms; of two translations of a term, the first. */
export function entriesOf(terms: readonly RequiredTerm[]): Entries {
  const entries = new Map<string, string>();
  for (const { term, translation } of terms) {
    const source = phraseOf(term);
    const target = phraseOf(translation);
    if (source !== undefined && target !== undefined && !entries.has(source)) entries.set(source, target);
  }
  return entries;
}

/** On one line, without the tab that would end it. */
function phraseOf(text: string): string | undefined {
  const phrase = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return phrase !== '' && phrase.isWellFormed() && Buffer.byteLength(phrase) <= MOST_BYTES
    ? phrase
    : undefined;
}

/** Whether there is no phrase that both translate, each in its own way. */
export function agree(a: Entries, b: Entries): boolean {
  return [...a].every(([source, target]) => (b.get(source) ?? target) === target);
}

export function includesAll(entries: Entries, wanted: Entries): boolean {
  return [...wanted].every(([source, target]) => entries.get(source) === target);
}

/** Both where that is not too much, else the second. */
export function join(known: Entries, wanted: Entries): Entries {
  const both = new Map([...known, ...wanted]);
  return both.size <= MOST_ENTRIES ? both : wanted;
}
