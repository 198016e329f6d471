import type { Unit } from '../../src/pipeline/unit.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import { parseMessage } from '../../src/text/message.ts';
import { verify } from '../../src/text/verify.ts';
import { ECHO, timed } from './echo.ts';
import { interleave, median, milliseconds, printRow } from './measure.ts';
import { Sentences } from './words.ts';

const STRINGS = 10_000;
const RUNS = 5;

/**
 * The pipeline's cost for a value with a free engine, compared with the minimum: parsing the value and verifying a
 * translation of it.
 */
export async function benchPipeline(): Promise<void> {
  for (const [name, kinds] of [
    ['10,000 of words', ['plain']],
    ['10,000 with syntax', ['argument', 'tag', 'plural']],
  ] as const) {
    const units = unitsOf(kinds);
    const context = { engine: ECHO, source: 'en', target: 'fr', signal: new AbortController().signal };
    const results = await interleave(RUNS, [
      timed(() => units.forEach(handle)),
      timed(async () => {
        const outcomes = await translateUnits(units, context);
        const failed = outcomes.filter((outcome) => 'failure' in outcome).length;
        if (failed > 0) throw new Error(`${failed} of ${units.length} strings failed`);
      }),
    ]);
    const [bare = NaN, whole = NaN] = results.map(median);
    printRow(`pipeline   ${name}: bare`, milliseconds(bare));
    printRow(
      'pipeline   the same through the pipeline',
      `${milliseconds(whole)}  ${(whole / bare).toFixed(2)} x bare`,
    );
  }
}

function handle({ value, syntax }: Unit): void {
  const message = parseMessage(value, syntax);
  const translated = message.assemble(
    'fr',
    message.segments('fr').map((segment) => `${segment} encore`),
  );
  verify(value, translated, { syntax, locale: 'fr' });
}

const WRITERS = {
  plain: (words: string) => words,
  argument: (words: string) => `{user}: ${words} ({count})`,
  tag: (words: string) => `<b>Note</b>: ${words} <a href="/help">Help</a>`,
  plural: (words: string) => `{n, plural, one {# time: ${words}} other {# times: ${words}}}`,
} as const;

function unitsOf(kinds: readonly (keyof typeof WRITERS)[]): readonly Unit[] {
  const sentences = new Sentences();
  return Array.from({ length: STRINGS }, (_, i): Unit => {
    const write = WRITERS[kinds[i % kinds.length] ?? 'plain'];
    return { value: write(sentences.next()), syntax: 'icu' };
  });
}
