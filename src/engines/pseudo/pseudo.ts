import { interrupted } from '../../base/interruption.ts';
import type { Engine, EngineOutcome } from '../engine.ts';
import { tokenize, writeTagged, type TaggedText, type Token } from '../../text/tagged.ts';

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž';
const accents: ReadonlyMap<string, string> = new Map(
  // Every character of both is one code unit.
  Array.from(PLAIN, (c, i) => [c, ACCENTED.charAt(i)]),
);

/**
 * The embedded engine for tests, layout checks and CI: replaces every unaccented Latin letter of the words with an
 * accented one that still can be read. Same input, same output, in every direction.
 */
export function createPseudoEngine(): Engine {
  return {
    id: 'pseudo',
    isPseudo: true,
    status: () =>
      Promise.resolve({
        id: 'pseudo',
        ready: true,
        detail: 'embedded: accents letters, for tests',
        pairs: 'any',
      }),
    supports: () => Promise.resolve(true),
    translate: ({ texts }, signal) =>
      signal.aborted ? Promise.reject(interrupted()) : Promise.resolve(texts.map(accentText)),
    close: () => Promise.resolve(),
  };
}

function accentText(tagged: TaggedText): EngineOutcome {
  const tokens = tokenize(tagged);
  if (!tokens) return { failure: 'the text is not well-formed' };
  const accented = tokens.map((token): Token =>
    token.type === 'words' ? { type: 'words', text: accentLetters(token.text) } : token,
  );
  return { translation: writeTagged(accented) };
}

function accentLetters(words: string): string {
  return words.replace(/[A-Za-z]/g, (c) => accents.get(c) ?? c);
}
