import { encodeElements, type EncodingStyle, isPlausible } from '../../src/engines/firefox/text.ts';
import { toElements } from '../../src/engines/firefox/elements.ts';
import { createFirefoxEngine } from '../../src/engines/firefox/firefox.ts';
import { readInstalled } from '../../src/engines/firefox/installed.ts';
import { ModelPool } from '../../src/engines/firefox/model-pool.ts';
import { parseMessage } from '../../src/text/message.ts';
import { tokenize } from '../../src/text/tagged.ts';
import { installModelSet } from '../firefox/installation.ts';
import { makeModelSet, type Manner } from '../firefox/model-set.ts';
import { hostileUnits } from './strings.ts';
import type { Trial } from './trial.ts';

const MODELS: readonly (readonly [string, string, Manner])[] = [
  ['en', 'es', 'hostile'],
  ['en', 'fr', 'echo'],
  ['de', 'en', 'echo'],
];

/** Tiny models whose answers would break files. */
export function firefoxTrials(modelsDirectory: string): readonly Trial[] {
  for (const [i, [source, target, manner]] of MODELS.entries()) {
    installModelSet(modelsDirectory, source, target, makeModelSet(manner, i + 1));
  }
  const open = (): ReturnType<Trial['open']> => Promise.resolve(createFirefoxEngine({ modelsDirectory }));
  return [
    { source: 'en', target: 'es', what: 'hostile answers', open },
    { source: 'en', target: 'fr', what: 'words of the source in any order', open },
    { source: 'de', target: 'es', what: 'two models in a row', open },
  ];
}

/**
 * Measures, for each encoding of placeholders, how often an answer has all of them in sensible places.
 */
export async function showStyles(modelsDirectory: string, count: number): Promise<void> {
  const pool = new ModelPool({ workers: 1, memoryMegabytes: 1024, timeoutMs: 60_000, idleMs: 60_000 });
  const segments = hostileUnits(Math.min(count, 500)).flatMap(({ value, syntax }) =>
    parseMessage(value, syntax).segments('es'),
  );
  const signal = new AbortController().signal;
  const texts = [...new Set(segments)].map((text) => tokenize(text) ?? []);
  try {
    for (const model of await readInstalled(modelsDirectory)) {
      for (const style of ['copied', 'aligned'] satisfies EncodingStyle[]) {
        const tried = texts.flatMap((tokens) => {
          const elements = toElements(tokens);
          const encoded = elements.some(({ type }) => type !== 'words')
            ? encodeElements(elements, style)
            : undefined;
          return encoded ? [{ tokens, encoded }] : [];
        });
        const arrived = await Promise.all(
          tried.map(async ({ tokens, encoded }) => {
            const reply = await pool.ask(model, encoded.text, signal);
            const answer = 'answer' in reply ? encoded.decode(reply.answer) : undefined;
            return answer !== undefined && isPlausible(tokens, answer);
          }),
        );
        const share = arrived.filter(Boolean).length / tried.length;
        process.stdout.write(
          `${model.name} ${style}: ${(share * 100).toFixed(1)} % of ${tried.length} arrived intact\n`,
        );
      }
    }
  } finally {
    await pool.close();
  }
}
