import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { OpenFile } from '../../src/documents/localization/open-file.ts';
import { tokenize, writeTagged, type TaggedText, type Token } from '../../src/text/tagged.ts';

/** The pseudo engine, which swaps the case of letters if the file's encoding cannot represent its accents. */
export function createEncodableEngine({ scanOptions }: OpenFile): Engine {
  const pseudo = createPseudoEngine();
  return {
    ...pseudo,
    translate: async (request, signal) => {
      const outcomes = await pseudo.translate(request, signal);
      return outcomes.map((outcome, index): EngineOutcome => {
        if ('failure' in outcome || scanOptions.encodable?.(outcome.translation) !== false) return outcome;
        return { translation: swapCase(request.texts[index] ?? '') };
      });
    },
  };
}

function swapCase(tagged: TaggedText): TaggedText {
  const tokens = tokenize(tagged) ?? [];
  return writeTagged(
    tokens.map((token): Token => {
      if (token.type !== 'words') return token;
      return { type: 'words', text: token.text.replace(/(?<!%)[A-Za-z]/g, swapLetter) };
    }),
  );
}

/**
 * Must not be used after a percent sign, where an accent would be harmless but another letter could form a
 * conversion.
 */
function swapLetter(letter: string): string {
  const upper = letter.toUpperCase();
  return letter === upper ? letter.toLowerCase() : upper;
}
