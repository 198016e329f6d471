import { mergeWords, type Token } from '../../text/tagged.ts';
import type { Item } from './answer.ts';

/** Filling the gaps of pairs takes time by pairs times items; texts with more pairs are translated run by run. */
const MAX_PAIRS = 100;

/** Tags that travelled as blanks of their own just stand in the answer. */
export function joinItems(items: readonly Item[]): Token[] {
  return mergeWords(items.flatMap((item) => item.tokens));
}

/**
 * Puts the tags of word-bound pairs around the words that came back with them.
 *
 * @returns undefined when the words of a pair are apart now, or pairs would cross.
 */
export function rebuildPairs(items: readonly Item[], pairs: readonly number[]): Token[] | undefined {
  if (pairs.length > MAX_PAIRS) return undefined;
  const spans = new Map<number, { first: number; last: number }>();
  for (const [i, item] of items.entries()) {
    for (const id of item.owners) {
      const span = spans.get(id);
      if (span) span.last = i;
      else spans.set(id, { first: i, last: i });
    }
  }
  const tokens: Token[] = [];
  const open: number[] = [];
  const depth = new Map(pairs.map((id, i) => [id, i]));
  const lastOf = (id: number): number => spans.get(id)?.last ?? -1;
  for (const [i, item] of items.entries()) {
    const starting = pairs.filter((id) => spans.get(id)?.first === i);
    starting.sort((a, b) => lastOf(b) - lastOf(a) || (depth.get(a) ?? 0) - (depth.get(b) ?? 0));
    for (const id of starting) {
      tokens.push({ type: 'open', id });
      open.push(id);
    }
    if (open.some((id) => !item.owners.has(id)) && !isSpace(item)) return undefined;
    tokens.push(...item.tokens);
    let ending = pairs.filter((id) => spans.get(id)?.last === i).length;
    for (; ending > 0; ending--) {
      const id = open.pop();
      if (id === undefined || lastOf(id) !== i) return undefined;
      tokens.push({ type: 'close', id });
    }
  }
  return mergeWords(tokens);
}

function isSpace(item: Item): boolean {
  return item.tokens.every((token) => token.type === 'words' && token.text.trim() === '');
}
