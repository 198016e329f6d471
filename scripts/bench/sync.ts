import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interleave, median, milliseconds, printRow, runTimed } from './measure.ts';
import { Sentences } from './words.ts';

const FILES = 1000;
const KEYS = 10;
const RUNS = 5;
const LANGUAGES = ['es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'cs', 'ja'];

/** Reads and hashes every file below a directory. */
const HASH = `
const { readdirSync, readFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const { join } = require('node:path');
for (const entry of readdirSync(process.argv[1], { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) createHash('sha256').update(readFileSync(join(entry.path, entry.name))).digest('hex');
}`;

/** A `sync` that has nothing to do, on a large project, against reading and hashing the same files. */
export async function benchSync(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    makeProject(directory);
    const sync = [
      'bin/dragoman.js',
      'sync',
      directory,
      '-s',
      'en',
      '-t',
      LANGUAGES.join(),
      '--engine',
      'pseudo',
    ];
    const first = runTimed('node', sync).milliseconds;
    printRow(`sync       ${FILES} files x ${LANGUAGES.length} languages, first`, milliseconds(first));
    const commands = [['-e', '0'], ['-e', HASH, directory], sync];
    const runs = commands.map((args) => () => runTimed('node', args).milliseconds);
    const [bare = NaN, hash = NaN, again = NaN] = (await interleave(RUNS, runs)).map(median);
    printRow('sync       reading + SHA-256 of all files', milliseconds(hash));
    const ratio = again / hash;
    const aim = { text: '<= 2 x', met: ratio <= 2 };
    printRow('sync       with nothing to do', `${milliseconds(again)}  ${ratio.toFixed(2)} x hashing`, aim);
    printRow('sync       both without node -e 0', `${((again - bare) / (hash - bare)).toFixed(2)} x hashing`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function makeProject(directory: string): void {
  const sentences = new Sentences();
  mkdirSync(join(directory, 'en'));
  for (let file = 0; file < FILES; file++) {
    const messages = Object.fromEntries(
      Array.from({ length: KEYS }, (_, key) => [`key${key}`, sentences.next()]),
    );
    writeFileSync(join(directory, 'en', `file${file}.json`), `${JSON.stringify(messages, null, 2)}\n`);
  }
}
