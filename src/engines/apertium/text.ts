import { tokenize, writeTagged, type TaggedText, type Token } from '../../text/tagged.ts';
import type { EngineOutcome } from '../engine.ts';
import { sameNesting, splitLines } from '../lines.ts';
import { translateLine } from './line.ts';
import type { Pipeline } from './pipeline.ts';

/** Through the pipelines one after the other, line by line. */
export async function translateText(
  route: readonly Pipeline[],
  tagged: TaggedText,
  signal: AbortSignal,
): Promise<EngineOutcome> {
  const source = tokenize(tagged);
  if (!source) return { failure: 'the text is not well-formed' };
  let tokens: readonly Token[] = source;
  for (const pipeline of route) {
    const lines = splitLines(tokens);
    const outcomes = await Promise.all(lines.map((line) => translateLine(pipeline, line.tokens, signal)));
    const translated: Token[] = [];
    for (const [i, outcome] of outcomes.entries()) {
      if ('failure' in outcome) return { failure: outcome.failure };
      const end = lines[i]?.end ?? '';
      translated.push(...outcome.tokens);
      if (end !== '') translated.push({ type: 'words', text: end });
    }
    tokens = translated;
  }
  if (!sameNesting(source, tokens)) return { failure: 'apertium lost a placeholder' };
  return { translation: writeTagged(tokens) };
}
