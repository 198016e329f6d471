import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/campaign.ts';
import { FUZZED } from './fuzz/documents.ts';
import { mergedFormat } from './fuzz/merge.ts';

/**
 * Tries mutated documents of one format: `npm run fuzz -- FORMAT N [--seed S] [--merge]`. Each is read, edited, spliced and read
 * again. Crashes, hangs, and results that do not scan or have other values than intended are printed with a small
 * document that shows them; the exit code is 1 then. So are values that were written, did not read back and were therefore
 * refused: nothing wrong comes of them, and they are counted by themselves. With `--merge`, texts of one document are put
 * into another, as into the file that a target has already.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, merge: { type: 'boolean', default: false } },
});
const [name, count = '10000'] = positionals;
const fuzzed = FUZZED.find((one) => one === name);
const [trials, seed] = [Number(count), Number(values.seed)];
const isKnown = fuzzed && (!values.merge || (await mergedFormat(fuzzed)) !== undefined);
if (!isKnown || !Number.isInteger(trials) || trials < 1 || !Number.isInteger(seed)) {
  process.stderr.write(
    `usage: npm run fuzz -- FORMAT N [--seed S] [--merge], FORMAT one of ${FUZZED.join(', ')}\n`,
  );
  process.exit(2);
}
let unsound = 0;
let refused = 0;
const started = performance.now();
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
  onProgress: (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${trials}`);
  },
});
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(
  `${fuzzed}: ${trials} ${values.merge ? 'merged ' : ''}documents, seed ${seed}, ${seconds} s: ${unsound} unsound, ${refused} refused only when read back\n`,
);
