import { writeModel } from './marian.ts';
import { randomFrom } from './random.ts';
import { writeVocabulary } from './sentencepiece.ts';
import { writeShortlist } from './shortlist.ts';

/** The files of a model set, as the engine loads them. */
export interface ModelSet {
  readonly model: Buffer;
  readonly lex: Buffer;
  readonly vocab: Buffer;
}

/**
 * The output of a tiny model, which was not trained on any language:
 * - `syllables`: one long word per sentence.
 * - `hostile`: brackets, tags, quotes, escapes, placeholders of every syntax and digits, which can break files.
 * - `echo`: pieces of the source in any order, repeated or missing.
 */
export type Manner = 'syllables' | 'hostile' | 'echo';

const SYLLABLES =
  'lorem ipsu dolor sita amet conse ctetu adipi scing elits seddo eiusm odtem porin cidid untut'.split(' ');
const HOSTILE =
  '<x < > & &lt; &amp; " \' \\ \\n { } {{ }} {0} %s %1$s %( ) ${ [ ] $t( </x> <b> # | , . ▁ ▁id ▁other ▁{count, ▁plural, ▁1 ▁the ▁un élan'.split(
    ' ',
  );
const LETTERS =
  '▁abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!?;:()\'"-/<>=%&{}[]éèñóíáúüöäß¿¡\\$#@_'.split(
    '',
  );
const WORDS =
  'the house is red and you have file new save change open close message user name number garden big'.split(
    ' ',
  );
const LONG = ['x'.repeat(16)];

/** A model set with random weights in the real formats, of a few hundred kilobytes. */
export function makeModelSet(manner: Manner, seed: number): ModelSet {
  const answers = manner === 'syllables' ? SYLLABLES : manner === 'hostile' ? HOSTILE : [];
  const known = [...LETTERS, ...WORDS.flatMap((word) => [`▁${word}`, word]), ...LONG];
  const pieces = [...new Set([...answers, ...known])];
  while (pieces.length % 8 !== 6) pieces.push(`▁unused${pieces.length}`);
  const vocabulary = pieces.length + 2;
  const frequent = 2 + answers.length;
  const random = randomFrom(seed);
  const anyAnswer = (): number => 2 + Math.floor(((random() + 1) / 2) * (answers.length - 0.001));
  return {
    model: writeModel({
      vocabulary,
      dimension: 32,
      feedForward: 64,
      encoderLayers: 1,
      decoderLayers: 1,
      seed,
      endBias: manner === 'syllables' ? 0 : 1,
      liveliness: manner === 'syllables' ? 0.4 : 16,
    }),
    lex: writeShortlist(vocabulary, manner === 'echo' ? 2 : frequent, (piece) =>
      manner === 'echo' ? [piece, piece] : [anyAnswer(), anyAnswer()],
    ),
    vocab: writeVocabulary(pieces),
  };
}
