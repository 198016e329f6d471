import { mergeWords, tokenize, writeTagged, type TaggedText, type Token } from '../../text/tagged.ts';
import type { EngineOutcome } from '../engine.ts';
import { sameNesting, splitLines } from '../lines.ts';
import { translateLine, type AskModel } from './line.ts';

/** Models make one space of several, so what stands between two of them is translated for itself, as lines are. */
const SEPARATOR = /((?: *(?:\r\n|[\n\r\t\v\f\u0085\u2028\u2029]) *)+| {2,})/;

/** Through the models one after the other, line by line. */
export async function translateText(route: readonly AskModel[], tagged: TaggedText): Promise<EngineOutcome> {
  const source = tokenize(tagged);
  if (!source) return { failure: 'the text is not well-formed' };
  let tokens: readonly Token[] = source;
  for (const ask of route) {
    const lines = splitLines(tokens, SEPARATOR);
    const outcomes = await Promise.all(lines.map((line) => translateLine(ask, line.tokens)));
    const translated: Token[] = [];
    for (const [i, outcome] of outcomes.entries()) {
      if ('failure' in outcome) return outcome;
      const end = lines[i]?.end ?? '';
      translated.push(...outcome.tokens);
      if (end !== '') translated.push({ type: 'words', text: end });
    }
    tokens = mergeWords(translated);
  }
  if (!sameNesting(source, tokens)) return { failure: 'the translation model lost a placeholder' };
  return { translation: writeTagged(tokens) };
}
