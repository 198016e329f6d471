import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRun } from './formats.ts';
import { interleave, median, printRow, runMeasured, type Figures, withDirectory } from './measure.ts';
import { acceptedKeys, makeKeys, WEIGHED, type Weighed } from './made-documents.ts';

const FEW_KEYS = [1_000, 10_000];
const MANY_KEYS = 100_000;
const RUNS = 3;

/** Bytes: in most formats, 100,000 keys take 6 to 9 MB, and the targets apply to such files. */
const LARGE = 9_000_000;
/**
 * Formats whose 100,000 keys exceed this size are measured twice: at the size of other formats, and with all
 * keys.
 */
const VERY_LARGE = 15_000_000;
const MEGABYTES_OF_VERY_LARGE = 500;

const LANGUAGES = ['es', 'fr', 'de', 'it', 'pt', 'nl', 'sv', 'da'];

/**
 * Time and peak memory of whole processes that translate one file with the `pseudo` engine, compared with processes
 * that only read the file with the usual parser of its format.
 *
 * @param wanted formats and shapes by their names
 */
export async function benchWeight(wanted: (name: string) => boolean): Promise<void> {
  await withDirectory(async (directory) => {
    const reader = await buildRun('format-run', directory);
    for (const weighed of WEIGHED.filter(({ name }) => wanted(name))) {
      for (const row of rowsOf(weighed)) await weigh(weighed, row, { directory, reader });
      if (weighed.name === 'json') weighLanguages(weighed, directory);
    }
  });
}

type Weight = Omit<Figures, 'opens'>;

interface Place {
  readonly directory: string;
  /** The program that runs a reference. */
  readonly reader: string;
}

interface Row {
  readonly keys: number;
  /** The memory limit of the run. */
  readonly megabytes?: number;
}

function rowsOf(weighed: Weighed): readonly Row[] {
  const { megabytes } = weighed;
  const keys = acceptedKeys(weighed, MANY_KEYS);
  const size = Buffer.byteLength(makeKeys(weighed, keys));
  const few = FEW_KEYS.map((count): Row => ({ keys: count }));
  if (size <= VERY_LARGE) return [...few, { keys, megabytes }];
  const fitting = Math.floor((keys * LARGE) / size / 1000) * 1000;
  return [
    ...few,
    { keys: fitting, megabytes },
    { keys, megabytes: Math.max(megabytes, MEGABYTES_OF_VERY_LARGE) },
  ];
}

async function weigh(
  weighed: Weighed,
  { keys, megabytes }: Row,
  { directory, reader }: Place,
): Promise<void> {
  const { name } = weighed;
  const { path, size, translate } = prepare(weighed, keys, directory);
  const [program = [], reference = []] = await interleave(RUNS, [
    () => runMeasured(directory, translate(['es'])),
    () => runMeasured(directory, [reader, name, 'reference', path]),
  ]);
  const [ours, theirs] = [middle(program), middle(reference)];
  const what = `weight     ${name.padEnd(11)} ${keys.toLocaleString('en').padStart(7)} keys ${size.padStart(8)}`;
  const aim = megabytes && { text: `<= ${megabytes} MB`, met: ours.megabytes <= megabytes };
  const beside = `   ${weighed.reference.name}: ${describe(theirs)}`;
  printRow(what, describe(ours) + beside, aim || undefined);
}

/** Only the report of a written file is kept, so further languages need hardly any additional memory. */
function weighLanguages(weighed: Weighed, directory: string): void {
  const { translate } = prepare(weighed, MANY_KEYS, directory);
  const one = runMeasured(directory, translate(LANGUAGES.slice(0, 1)));
  const all = runMeasured(directory, translate(LANGUAGES));
  const ratio = all.megabytes / one.megabytes;
  const aim = { text: '<= 1.5 x', met: ratio <= 1.5 };
  const what = `weight     ${weighed.name} in ${LANGUAGES.length} languages, against one`;
  printRow(what, `${describe(all)} ${ratio.toFixed(2)} x`, aim);
}

/**
 * Writes a document with this many keys.
 * @returns its path, its size, and the command line that translates it
 */
function prepare(weighed: Weighed, keys: number, directory: string) {
  const path = join(directory, `messages.${weighed.extension}`);
  const content = makeKeys(weighed, keys);
  writeFileSync(path, content);
  const output = join(directory, 'output');
  mkdirSync(output, { recursive: true });
  const translate = (languages: readonly string[]): readonly string[] => [
    'bin/dragoman.js',
    weighed.command,
    path,
    '-s',
    'en',
    '-t',
    languages.join(','),
    '--engine',
    'pseudo',
    '-o',
    output,
    '--force',
  ];
  return { path, size: `${(Buffer.byteLength(content) / 1e6).toFixed(1)} MB`, translate };
}

function middle(runs: readonly Figures[]): Weight {
  const of = (name: keyof Weight): number => median(runs.map((run) => run[name]));
  return { milliseconds: of('milliseconds'), cpu: of('cpu'), megabytes: of('megabytes') };
}

function describe({ milliseconds, cpu, megabytes }: Weight): string {
  const seconds = (value: number): string => (value / 1000).toFixed(2);
  return `${seconds(milliseconds)} s (CPU ${seconds(cpu)}) ${megabytes.toFixed(0).padStart(5)} MB`;
}
