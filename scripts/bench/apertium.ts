import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '../../src/engines/registry.ts';
import { encodeWords } from '../../src/text/tagged.ts';
import { interleave, median, printRow, printSkipped, runTimed, withDirectory } from './measure.ts';
import { Sentences } from './words.ts';

const RUNS = 5;
/** Frequent words in the labels of programs. */
const LABELS =
  'open save the selected file window of your account before next start message list and image'.split(' ');
const LINES_OF_A_PAGE = 12;

interface Row {
  readonly what: string;
  readonly texts: readonly string[];
}

/** Our engine against the bare program on the same text. */
export async function benchApertium(): Promise<void> {
  const modes = spawnSync('apertium', ['-l'], { encoding: 'utf8' });
  if (modes.error || !/^\s*eng-spa$/m.test(modes.stdout)) {
    printSkipped('apertium', 'install apertium and apertium-eng-spa');
    return;
  }
  const sentences = new Sentences();
  const line = (): string => sentences.next();
  const page = (): string => Array.from({ length: LINES_OF_A_PAGE }, () => `${line()} ${line()}`).join('\n');
  await benchRow({
    what: 'strings of 1 to 5 words',
    texts: Array.from({ length: 5_000 }, (_, i) => labelOf(i)),
  });
  await benchRow({ what: 'lines', texts: Array.from({ length: 5_000 }, line) });
  await benchRow({ what: 'pages', texts: Array.from({ length: 200 }, page) });
  const megabytes = process.resourceUsage().maxRSS / 1024;
  printRow('apertium   peak memory of this process', `${megabytes.toFixed(0)} MB`);
}

function labelOf(i: number): string {
  return Array.from({ length: 1 + (i % 5) }, (_, k) => LABELS[(i * 7 + k * 5) % LABELS.length]).join(' ');
}

async function benchRow({ what, texts }: Row): Promise<void> {
  const results = await withDirectory((directory) => {
    const input = join(directory, 'input.txt');
    writeFileSync(input, `${texts.join('\n')}\n`);
    const bare = (): number => runTimed('apertium', ['-u', 'eng-spa', input]).milliseconds;
    return interleave(RUNS, [bare, () => translateAll(texts)]);
  });
  const [bareTime = NaN, ourTime = NaN] = results.map(median);
  const words = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  const rate = (time: number): string => `${((words / time) * 1000).toFixed(0)} words/s`;
  const ratio = bareTime / ourTime;
  printRow(`apertium   ${what}`, `${rate(ourTime)}, bare ${rate(bareTime)}  ${ratio.toFixed(2)} x bare`, {
    text: '>= 0.9 x',
    met: ratio >= 0.9,
  });
}

/** Everything from start to end: finding the mode, starting the pipeline, translating, ending it. */
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
