import type { SubtitleDocument } from './document.ts';
import { findPassages, isPunctuated } from './passage.ts';
import { type Utterance, utterancesOf } from './utterance.ts';

/**
 * The sentences that run over several cues, by the number of each of their cues: when one cue changes, the translations
 * of the others no longer fit.
 */
export function findSentences({
  cues,
  notation,
}: Pick<SubtitleDocument, 'cues' | 'notation'>): ReadonlyMap<number, string> {
  const eachUtterance = function* (): Generator<Utterance> {
    for (const [i, { text, slot }] of cues.entries())
      if (slot !== undefined) yield* utterancesOf(text, i, notation.cueText);
  };
  const punctuated = isPunctuated(eachUtterance());
  const sentences = new Map<number, string>();
  for (const passage of findPassages(eachUtterance(), cues, { perCue: false, punctuated })) {
    const numbers = new Set(passage.map(({ cue }) => cue + 1));
    if (numbers.size < 2) continue;
    const sentence = passage.map(({ words }) => words.trim()).join(' ');
    for (const number of numbers)
      sentences.set(
        number,
        [...(sentences.get(number) ?? '').split('\n').filter(Boolean), sentence].join('\n'),
      );
  }
  return sentences;
}
