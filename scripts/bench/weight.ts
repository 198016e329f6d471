import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFormatRun } from './formats.ts';
import { interleave, median, printRow, runMeasured, type Figures } from './measure.ts';
import { acceptedKeys, makeKeys, WEIGHED, type Weighed } from './made-documents.ts';

const KEYS = [1_000, 10_000, 100_000];
const RUNS = 3;

/**
 * Time and peak memory of whole processes that translate one file with the `pseudo` engine, beside processes that only
 * read the file with the usual parser of its format.
 *
 * @param wanted formats and shapes by their names
 */
export async function benchWeight(wanted: (name: string) => boolean): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    const reader = await buildFormatRun(directory);
    for (const weighed of WEIGHED.filter(({ name }) => wanted(name))) {
      for (const keys of KEYS) await weigh(weighed, keys, { directory, reader });
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Weight = Omit<Figures, 'opens'>;

interface Place {
  readonly directory: string;
  /** The program that runs a reference. */
  readonly reader: string;
}

async function weigh(weighed: Weighed, wanted: number, { directory, reader }: Place): Promise<void> {
  const { name, command, extension, megabytes } = weighed;
  const path = join(directory, `messages.${extension}`);
  const keys = acceptedKeys(weighed, wanted);
  const content = makeKeys(weighed, keys);
  writeFileSync(path, content);
  const output = join(directory, 'output');
  mkdirSync(output, { recursive: true });
  const translate = [command, path, '-s', 'en', '-t', 'es', '--engine', 'pseudo', '-o', output];
  const [program = [], reference = []] = await interleave(RUNS, [
    () => runMeasured(directory, ['bin/dragoman.js', ...translate]),
    () => runMeasured(directory, [reader, name, 'reference', path]),
  ]);
  const [ours, theirs] = [middle(program), middle(reference)];
  const size = `${(Buffer.byteLength(content) / 1e6).toFixed(1)} MB`;
  const what = `weight     ${name.padEnd(11)}${keys.toLocaleString('en').padStart(7)} keys ${size.padStart(8)}`;
  const aim = { text: `<= ${megabytes} MB`, met: ours.megabytes <= megabytes };
  const beside = `   ${weighed.reference.name}: ${describe(theirs)}`;
  const bound = keys < wanted ? ` (the format accepts no ${wanted.toLocaleString('en')})` : '';
  printRow(what + bound, describe(ours) + beside, wanted === KEYS.at(-1) ? aim : undefined);
}

function middle(runs: readonly Figures[]): Weight {
  const of = (name: keyof Weight): number => median(runs.map((run) => run[name]));
  return { milliseconds: of('milliseconds'), cpu: of('cpu'), megabytes: of('megabytes') };
}

function describe({ milliseconds, cpu, megabytes }: Weight): string {
  const seconds = (value: number): string => (value / 1000).toFixed(2);
  return `${seconds(milliseconds)} s (CPU ${seconds(cpu)}) ${megabytes.toFixed(0).padStart(5)} MB`;
}
