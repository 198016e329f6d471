import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/campaign.ts';
import { huntGrowth } from './fuzz/linear.ts';
import { FUZZED } from './fuzz/documents.ts';
import { mergedFormat } from './fuzz/merge.ts';

/**
 * Tries mutated documents of one format: `npm run fuzz -- FORMAT N [--seed S] [--merge | --slow]`. Each is read, edited, spliced and read
 * again. Crashes, hangs, and results that do not scan or have other values than intended are printed with a small
 * document that shows them; the exit code is 1 then. So are values that were written, did not read back and were therefore
 * refused: nothing wrong comes of them, and they are counted by themselves. With `--merge`, texts of one document are put
 * into another, as into the file that a target has already. With `--slow`, N documents of up to 120,000 characters repeat pieces of the notation,
 * and steps whose time grows faster than the document are printed; 0 tries every piece in every place.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    merge: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
  },
});
const [name, count = '10000'] = positionals;
const fuzzed = FUZZED.find((one) => one === name);
const [trials, seed] = [Number(count), Number(values.seed)];
const isKnown = fuzzed && (!values.merge || (await mergedFormat(fuzzed)) !== undefined);
if (!isKnown || !Number.isInteger(trials) || trials < (values.slow ? 0 : 1) || !Number.isInteger(seed)) {
  process.stderr.write(
    `usage: npm run fuzz -- FORMAT N [--seed S] [--merge | --slow], FORMAT one of ${FUZZED.join(', ')}\n`,
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
await fuzz({
  fuzzed,
  merges: values.merge,
  trials,
  seed,
  onFound: (found) => {
    if (found.kind === 'refused') refused++;
    else {
      unsound++;
      process.exitCode = 1;
    }
    if (!('text' in found)) return;
    const { trial, kind, detail, text } = found;
    process.stdout.write(`\n${kind} in trial ${trial} of seed ${seed}: ${detail}\n${JSON.stringify(text)}\n`);
  },
  onProgress,
});
process.stdout.write(
  `${fuzzed}: ${trials} ${values.merge ? 'merged ' : ''}documents, seed ${seed}, ${secondsSince()} s: ${unsound} unsound, ${refused} refused only when read back\n`,
);
