import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interleave, median, milliseconds, printRow, runMeasured, type Figures } from './measure.ts';
import { Sentences } from './words.ts';

/** Other programs only add time, so the minimum of several runs is the cost of the work itself. */
const RUNS = 7;
const LANGUAGES = ['es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'cs', 'ja'];

/** Reads and hashes every file below a directory. */
const HASH = `
const { readdirSync, readFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const { join } = require('node:path');
for (const entry of readdirSync(process.argv[1], { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) createHash('sha256').update(readFileSync(join(entry.path, entry.name))).digest('hex');
}`;

/** Reads every JSON file in the subdirectories of a directory, hashes its values and writes it again. */
const REWRITE = `
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const { join } = require('node:path');
for (const entry of readdirSync(process.argv[1], { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
  const path = join(entry.path, entry.name);
  const messages = JSON.parse(readFileSync(path, 'utf8'));
  for (const value of Object.values(messages)) createHash('sha256').update(value).digest('hex');
  writeFileSync(path, JSON.stringify(messages, null, 2) + '\\n');
}`;

/**
 * 0.8 times the CPU of DeepL's command-line tool for the same ten keys. That tool takes 0.4 times the CPU of
 * an earlier version of this program, which took 9 times as much as {@link REWRITE} in the same run.
 */
const MOST_OF_REWRITING = 2.9;

/** A program for the `exec` engine that answers at once. */
const ECHO = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  console.log(JSON.stringify({ id, translations: texts.map((text) => text + ' encore') }));
});`;

/**
 * `sync` of large projects: without changes, compared with hashing the same files, and with a few changed
 * keys.
 */
export async function benchSync(): Promise<void> {
  await benchMany();
  const size = { files: 20, keys: 500, languages: 3 };
  await benchChanged({ ...size, changed: 10 });
  await benchFirst(size);
}

/** The cost of the translation memory in a run that starts with an empty one. */
async function benchFirst(size: Size): Promise<void> {
  const first = (options: readonly string[]) => (): Figures => {
    const project = new BenchProject(size);
    try {
      return project.echo(options);
    } finally {
      project.remove();
    }
  };
  const figures = await interleave(RUNS, [first(['--no-memory']), first([])]);
  const [without = NaN, cpu = NaN] = figures.map(leastCpu);
  const text = `CPU ${milliseconds(cpu)}  ${(cpu / without).toFixed(2)} x the same without a memory`;
  const what = `${size.files} files x ${size.keys} keys x ${size.languages}, first`;
  printRow(`sync       ${what}`, text, { text: '<= 1.1 x', met: cpu / without <= 1.1 });
}

/** A thousand files in eleven languages. */
async function benchMany(): Promise<void> {
  const project = new BenchProject({ files: 1000, keys: 10, languages: LANGUAGES.length });
  try {
    const first = project.sync().milliseconds;
    printRow(`sync       1000 files x ${LANGUAGES.length} languages, first`, milliseconds(first));
    const runs = [
      () => project.run(['-e', '0']),
      () => project.run(['-e', HASH, project.directory]),
      () => project.settled(),
      () => project.change(1) ?? project.sync(),
      () => project.compared(),
    ];
    const figures = await interleave(RUNS, runs);
    const [bare = NaN, hash = NaN, idle = NaN, one = NaN, compared = NaN] = figures.map(leastCpu);
    printRow('sync       reading + SHA-256 of all files', `CPU ${milliseconds(hash)}`);
    const aim = { text: '<= 4 x', met: idle / hash <= 4 };
    const ratio = `CPU ${milliseconds(idle)}  ${(idle / hash).toFixed(2)} x hashing`;
    printRow('sync       with nothing to do', ratio, aim);
    printRow('sync       both without node -e 0', `${((idle - bare) / (hash - bare)).toFixed(2)} x hashing`);
    const changed = `CPU ${milliseconds(one)}  ${(one / compared).toFixed(2)} x comparing, ${(one / idle).toFixed(2)} x nothing to do`;
    printRow('sync       one key of 1000 x 10 files', changed, {
      text: '<= 3 x comparing',
      met: one / compared <= 3,
    });
    const opens = median((figures[3] ?? []).map((one) => one.opens)) / (1000 * (LANGUAGES.length + 1));
    printRow('sync       the same: times each file is opened', opens.toFixed(2), {
      text: '<= 1.2',
      met: opens <= 1.2,
    });
  } finally {
    project.remove();
  }
}

interface Size {
  readonly files: number;
  readonly keys: number;
  readonly languages: number;
}

async function benchChanged({ changed, ...size }: Size & { readonly changed: number }): Promise<void> {
  const project = new BenchProject(size);
  try {
    project.sync();
    const runs = [
      () => project.compared(),
      () => project.change(changed) ?? project.sync(),
      () => project.run(['-e', REWRITE, project.directory]),
    ];
    const [compared = NaN, work = NaN, rewriting = NaN] = (await interleave(RUNS, runs)).map(leastCpu);
    const { files, keys, languages } = size;
    const ratio = work / rewriting;
    const text = `CPU ${milliseconds(work)}  ${ratio.toFixed(2)} x rewriting, ${(work / compared).toFixed(2)} x comparing`;
    printRow(`sync       ${changed} keys of ${files} files x ${keys} keys x ${languages}`, text, {
      text: `<= ${MOST_OF_REWRITING} x rewriting`,
      met: ratio <= MOST_OF_REWRITING,
    });
  } finally {
    project.remove();
  }
}

function leastCpu(figures: readonly Figures[]): number {
  return Math.min(...figures.map(({ cpu }) => cpu));
}

/** A project in a separate directory, with all files that a run leaves there. */
class BenchProject {
  readonly directory: string;
  readonly #home: string;
  readonly #files: number;
  readonly #keys: number;
  readonly #argv: readonly string[];
  #changes = 0;

  constructor({ files, keys, languages }: Size) {
    this.#home = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
    this.directory = join(this.#home, 'project');
    this.#files = files;
    this.#keys = keys;
    const targets = LANGUAGES.slice(0, languages).join();
    this.#argv = ['bin/dragoman.js', 'sync', this.directory, '-s', 'en', '-t', targets];
    const sentences = new Sentences();
    mkdirSync(join(this.directory, 'en'), { recursive: true });
    for (let file = 0; file < files; file++) {
      const messages = Array.from({ length: keys }, (_, key) => [`key${key}`, sentences.next()]);
      this.#write(file, Object.fromEntries(messages));
    }
  }

  sync(): Figures {
    return this.run([...this.#argv, '--engine', 'pseudo', '--no-memory']);
  }

  /** A run without changes after another one, as in a hook or a pipeline. */
  settled(): Figures {
    this.sync();
    return this.sync();
  }

  /** The gate, which neither opens an engine nor writes. */
  compared(): Figures {
    return this.run([...this.#argv, '--frozen']);
  }

  /** Uses an engine whose translations enter the memory, unlike pseudo-translations. */
  echo(options: readonly string[]): Figures {
    const program = join(this.#home, 'echo.cjs');
    writeFileSync(program, ECHO);
    const command = `"${process.execPath}" "${program}"`;
    return this.run([...this.#argv, '--engine', 'exec', '--engine-command', command, ...options]);
  }

  run(argv: readonly string[]): Figures {
    return runMeasured(this.#home, argv);
  }

  /** Changes the text of one key in each of the first files. */
  change(files: number): undefined {
    this.#changes++;
    for (let file = 0; file < files; file++) {
      const messages = JSON.parse(readFileSync(this.#path(file), 'utf8')) as Record<string, string>;
      this.#write(file, { ...messages, [`key${this.#changes % this.#keys}`]: `Changed ${this.#changes}` });
    }
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  #path(file: number): string {
    return join(this.directory, 'en', `file${file % this.#files}.json`);
  }

  #write(file: number, messages: Readonly<Record<string, string>>): void {
    writeFileSync(this.#path(file), `${JSON.stringify(messages, null, 2)}\n`);
  }
}
