import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../src/engines/registry.ts';
import { encodeWords } from '../../src/text/tagged.ts';
import { interleave, median, printRow, printSkipped, runTimed } from './measure.ts';
import { Sentences } from './words.ts';

const STRINGS = 5000;
const RUNS = 5;

/** Our engine against the bare program on the same text, in strings per second. */
export async function benchApertium(): Promise<void> {
  const modes = spawnSync('apertium', ['-l'], { encoding: 'utf8' });
  if (modes.error || !/^\s*eng-spa$/m.test(modes.stdout)) {
    printSkipped('apertium', 'install apertium and apertium-eng-spa');
    return;
  }
  const sentences = new Sentences();
  const texts = Array.from({ length: STRINGS }, () => sentences.next());
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  let results: readonly (readonly number[])[];
  try {
    const input = join(directory, 'input.txt');
    writeFileSync(input, `${texts.join('\n')}\n`);
    const bare = (): number => runTimed('apertium', ['-u', 'eng-spa', input]).milliseconds;
    results = await interleave(RUNS, [bare, () => translateAll(texts)]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const [bareTime = NaN, ourTime = NaN] = results.map(median);
  const words = texts.reduce((sum, text) => sum + text.split(' ').length, 0);
  const perSecond = (count: number, time: number): string => ((count / time) * 1000).toFixed(0);
  const rate = (time: number): string =>
    `${perSecond(STRINGS, time)} strings/s, ${perSecond(words, time)} words/s`;
  printRow('apertium   bare apertium eng-spa', rate(bareTime));
  const ratio = bareTime / ourTime;
  const aim = { text: '>= 0.9 x', met: ratio >= 0.9 };
  printRow(
    'apertium   through the engine, one pipeline',
    `${rate(ourTime)}  ${ratio.toFixed(2)} x bare`,
    aim,
  );
  const megabytes = process.resourceUsage().maxRSS / 1024;
  printRow('apertium   peak memory of this process', `${megabytes.toFixed(0)} MB`);
}

/** From nothing to nothing: finding the mode, starting the pipeline, translating, ending it. */
async function translateAll(texts: readonly string[]): Promise<number> {
  const started = performance.now();
  const engine = await createEngine('apertium', {});
  try {
    const signal = AbortSignal.timeout(600_000);
    const request = { source: 'en', target: 'es', texts: texts.map(encodeWords) };
    const outcomes = await engine.translate(request, signal);
    const failed = outcomes.filter((outcome) => 'failure' in outcome).length;
    if (failed > 0) throw new Error(`${failed} of ${texts.length} strings failed`);
  } finally {
    await engine.close();
  }
  return performance.now() - started;
}
