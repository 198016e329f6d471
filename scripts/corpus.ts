import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import {
  BUILT_IN_FORMATS,
  FORMAT_IDS,
  type BuiltInFormatId,
  type FormatId,
} from '../src/formats/registry.ts';
import { examine } from './corpus/examination.ts';
import { readAll } from './corpus/readings.ts';
import { examinePages, type PageCount } from './corpus/html.ts';
import { examineSubtitles, type SubtitleCount } from './corpus/subtitles.ts';
import { judge, type Case } from './corpus/verdict.ts';
import { OutsideTable } from './corpus/outside.ts';
import { printReport } from './corpus/report.ts';

/**
 * Translates every localization file, page and subtitle file below the directories, without changing them, and lets
 * independent readers check the results. Exits with 1 if anything is wrong.
 */
const directories = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const verbose = process.argv.includes('--verbose');
if (directories.length === 0) {
  process.stderr.write('usage: npm run corpus -- [--verbose] DIR...\n');
  process.exit(2);
}

const started = performance.now();
const cases: Case[] = [];
const outside = new OutsideTable();
const others: (SubtitleCount | PageCount)[] = [];
for (const directory of directories) {
  const patterns = BUILT_IN_FORMATS.extensions.map((extension) => `**/*.${extension}`);
  const paths = await fastGlob(patterns, { cwd: directory, absolute: true, followSymbolicLinks: false });
  for (const path of paths.sort()) {
    const bytes = await readFile(path);
    const name = relative(resolve(directory), path);
    const format = builtIn(
      BUILT_IN_FORMATS.requireOfPath(path, () => bytes.toString('latin1', 0, 65_536)).id,
    );
    const examination = await examine(path, bytes);
    if ('pseudo' in examination) outside.add(format, examination.pseudo.outside);
    cases.push({ name, format, bytes, examination });
  }
  others.push(
    await examineSubtitles(resolve(directory), { verbose, outside }),
    await examinePages(resolve(directory)),
  );
}
const sound = others.every(({ wrong }) => wrong === 0);
if (cases.length === 0 && others.some(({ files }) => files > 0)) {
  outside.print();
  process.exit(sound ? 0 : 1);
}
if (cases.length === 0) {
  process.stderr.write(`nothing to translate below ${directories.join(', ')}\n`);
  process.exit(2);
}
const readings = readAll(cases);
const verdicts = cases.map((one) => judge(one, readings));
const ok = printReport(verdicts, readings.skipped, {
  verbose,
  seconds: (performance.now() - started) / 1000,
});
outside.print();
process.exit(ok && sound ? 0 : 1);

/** Only built-in formats are possible here. */
function builtIn(id: FormatId): BuiltInFormatId {
  const found = FORMAT_IDS.find((known) => known === id);
  if (!found) throw new RangeError(`no built-in format ${id}`);
  return found;
}
