import { createFirefoxEngine } from '../../src/engines/firefox/firefox.ts';
import { readInstalled } from '../../src/engines/firefox/installed.ts';
import { ModelThread } from '../../src/engines/firefox/model-pool.ts';
import { encodeWords } from '../../src/text/tagged.ts';
import { installModelSet } from '../firefox/installation.ts';
import { makeModelSet } from '../firefox/model-set.ts';
import { interleave, median, printRow, withDirectory } from './measure.ts';
import { Sentences } from './words.ts';

const STRINGS = 400;
const BATCH = 8;
const RUNS = 3;

/**
 * The engine with one worker, compared with its worker alone: the cost of queueing, sorting and checking. The
 * model is tiny and has random weights, so its words per second are only meaningful in comparison.
 */
export async function benchFirefox(): Promise<void> {
  await withDirectory(async (directory) => {
    installModelSet(directory, 'en', 'es', makeModelSet('syllables', 7));
    const sentences = new Sentences();
    const texts = Array.from({ length: STRINGS }, () => sentences.next());
    const words = texts.reduce((sum, text) => sum + text.split(' ').length, 0);
    const results = await interleave(RUNS, [
      () => throughWorker(directory, texts),
      () => throughEngine(directory, texts),
    ]);
    const [bare = NaN, engine = NaN] = results.map(median);
    const rate = (time: number): string => `${((words / time) * 1000).toFixed(0)} words/s`;
    printRow('firefox    one worker alone, batches of 8', rate(bare));
    const ratio = bare / engine;
    const aim = { text: '>= 0.9 x', met: ratio >= 0.9 };
    printRow(
      'firefox    through the engine, one worker',
      `${rate(engine)}  ${ratio.toFixed(2)} x alone`,
      aim,
    );
  });
}

/** Longest first, as the engine sorts them; the model is loaded before the measurement starts. */
async function throughWorker(directory: string, texts: readonly string[]): Promise<number> {
  const [model] = await readInstalled(directory);
  if (!model) throw new Error('the model is not installed');
  const thread = new ModelThread({ files: model.files, memoryMegabytes: 1024 });
  try {
    await thread.translate([{ text: 'house', html: false }], 60_000);
    const sorted = texts.toSorted((a, b) => b.length - a.length);
    const started = performance.now();
    for (let at = 0; at < sorted.length; at += BATCH) {
      const batch = sorted.slice(at, at + BATCH).map((text) => ({ text, html: false }));
      await thread.translate(batch, 60_000);
    }
    return performance.now() - started;
  } finally {
    await thread.close();
  }
}

async function throughEngine(directory: string, texts: readonly string[]): Promise<number> {
  const engine = createFirefoxEngine({ modelsDirectory: directory, workers: 1 });
  const signal = AbortSignal.timeout(600_000);
  const request = { source: 'en', target: 'es' };
  try {
    await engine.translate({ ...request, texts: ['house'] }, signal);
    const started = performance.now();
    const outcomes = await engine.translate({ ...request, texts: texts.map(encodeWords) }, signal);
    const failed = outcomes.filter((outcome) => 'failure' in outcome).length;
    if (failed > 0) throw new Error(`${failed} of ${texts.length} strings failed`);
    return performance.now() - started;
  } finally {
    await engine.close();
  }
}
