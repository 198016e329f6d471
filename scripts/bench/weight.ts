import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFormatRun } from './formats.ts';
import { interleave, median, printRow, runMeasured, type Figures } from './measure.ts';
import { REFERENCES } from './references.ts';
import { extensionOf, makeWeighed, WEIGHED, type Weighed } from './weight-documents.ts';

const KEYS = [1_000, 10_000, 100_000];
const RUNS = 3;

/** Megabytes that the largest of the files may need; none is asserted. */
const AIMS: Readonly<Record<Weighed, number>> = {
  json: 300,
  yaml: 500,
  po: 500,
  properties: 300,
  strings: 300,
  xcstrings: 500,
  csv: 300,
  php: 300,
  fluent: 500,
  toml: 700,
  module: 700,
  json5: 300,
  ini: 300,
  android: 300,
  resx: 300,
  xliff: 500,
  qt: 500,
  srt: 300,
  vtt: 300,
  html: 500,
};

/**
 * Time and peak memory of whole processes that translate one file with the `pseudo` engine, beside processes that only
 * read the file with the usual parser of its format.
 */
export async function benchWeight(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    const reader = await buildFormatRun(directory);
    for (const weighed of WEIGHED) {
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

async function weigh(weighed: Weighed, keys: number, { directory, reader }: Place): Promise<void> {
  const path = join(directory, `messages.${extensionOf(weighed)}`);
  const content = makeWeighed(weighed, keys);
  writeFileSync(path, content);
  const output = join(directory, 'output');
  mkdirSync(output, { recursive: true });
  const command = weighed === 'html' ? 'html' : weighed === 'srt' || weighed === 'vtt' ? 'subtitles' : 'i18n';
  const translate = [command, path, '-s', 'en', '-t', 'es', '--engine', 'pseudo', '-o', output];
  const [program = [], reference = []] = await interleave(RUNS, [
    () => runMeasured(directory, ['bin/dragoman.js', ...translate]),
    () => runMeasured(directory, [reader, weighed, 'reference', path]),
  ]);
  const [ours, theirs] = [middle(program), middle(reference)];
  const size = `${(Buffer.byteLength(content) / 1e6).toFixed(1)} MB`;
  const what = `weight     ${weighed.padEnd(11)}${keys.toLocaleString('en').padStart(7)} keys ${size.padStart(8)}`;
  const aim = { text: `<= ${AIMS[weighed]} MB`, met: ours.megabytes <= AIMS[weighed] };
  const beside = `   ${REFERENCES[weighed].name}: ${describe(theirs)}`;
  printRow(what, describe(ours) + beside, keys === KEYS.at(-1) ? aim : undefined);
}

function middle(runs: readonly Figures[]): Weight {
  const of = (name: keyof Weight): number => median(runs.map((run) => run[name]));
  return { milliseconds: of('milliseconds'), cpu: of('cpu'), megabytes: of('megabytes') };
}

function describe({ milliseconds, cpu, megabytes }: Weight): string {
  const seconds = (value: number): string => (value / 1000).toFixed(2);
  return `${seconds(milliseconds)} s (CPU ${seconds(cpu)}) ${megabytes.toFixed(0).padStart(5)} MB`;
}
