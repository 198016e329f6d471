import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/campaign.ts';
import { huntGrowth } from './fuzz/linear.ts';
import type { Found, FoundAgain } from './fuzz/worker.ts';
import { FUZZED } from './fuzz/documents.ts';
import { mergedFormat } from './fuzz/merge.ts';
import { fuzzWhole } from './fuzz/whole.ts';

/**
 * Tries mutated documents of one format: `npm run fuzz -- FORMAT N [--seed S] [--merge | --slow | --whole]`.
 * Each is read, edited, spliced and read again. Crashes, hangs, and results that do not scan or have
 * unintended values are printed with a small document that reproduces them; the exit code is then 1. Written values
 * that did not read back and were therefore refused are also printed, but counted separately, because they produce no
 * wrong file. With `--merge`, texts of one document are inserted into another, as into an existing target file. With
 * `--slow`, N documents of up to 120,000 characters repeat pieces of the notation, and steps whose time grows faster
 * than the document are printed; 0 tries every piece in every place. With `--whole`, N valid files with any of the
 * format's optional parts go through all operations on files.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    merge: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
  },
});
const [name, count = '10000'] = positionals;
const fuzzed = FUZZED.find((one) => one === name);
const [trials, seed] = [Number(count), Number(values.seed)];
const isKnown = fuzzed && (!values.merge || (await mergedFormat(fuzzed)) !== undefined);
if (!isKnown || !Number.isInteger(trials) || trials < (values.slow ? 0 : 1) || !Number.isInteger(seed)) {
  process.stderr.write(
    `usage: npm run fuzz -- FORMAT N [--seed S] [--merge | --slow | --whole], FORMAT one of ${FUZZED.join(', ')}\n`,
  );
  process.exit(2);
}
let unsound = 0;
let refused = 0;
const started = performance.now();
const onProgress = (done: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${trials}`);
};
const secondsSince = (): string => ((performance.now() - started) / 1000).toFixed(0);
if (values.slow) {
  let slow = 0;
  const tried = await huntGrowth({
    fuzzed,
    trials,
    seed,
    onFound: (shape, steps) => {
      slow++;
      process.exitCode = 1;
      process.stdout.write(`${fuzzed} ${shape}: ${steps.join('; ')}\n`);
    },
    onProgress,
  });
  process.stdout.write(
    `${fuzzed}: ${tried} long documents, seed ${seed}, ${secondsSince()} s: ${slow} too slow\n`,
  );
  process.exit();
}
const onFound = (found: Found | FoundAgain): void => {
  if (found.kind === 'refused') refused++;
  else {
    unsound++;
    process.exitCode = 1;
  }
  if (!('text' in found)) return;
  const { trial, kind, detail, text } = found;
  process.stdout.write(`\n${kind} in trial ${trial} of seed ${seed}: ${detail}\n${JSON.stringify(text)}\n`);
};
if (values.whole) await fuzzWhole({ fuzzed, trials, seed, onFound, onProgress });
else await fuzz({ fuzzed, merges: values.merge, trials, seed, onFound, onProgress });
process.stdout.write(
  `${fuzzed}: ${trials} ${values.merge ? 'merged ' : values.whole ? 'valid ' : ''}documents, seed ${seed}, ${secondsSince()} s: ${unsound} unsound, ${refused} refused only when read back\n`,
);
