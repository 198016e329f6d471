import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import type { BuiltInFormatId } from '../../src/formats/registry.ts';
import { SPECIMENS } from '../../test/specimens/specimens.ts';
import { makeDocument } from './made-documents.ts';
import { interleave, median, printRow, runMeasured, withDirectory } from './measure.ts';

const SIZE = 10_000_000;
const RUNS = 3;
interface Measured {
  /** Excludes the start of the process. */
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** Scanning and splicing a 10 MB document, each run in a fresh process, compared with the format's usual parser. */
export async function benchFormats(formats: readonly BuiltInFormatId[]): Promise<void> {
  await withDirectory(async (directory) => {
    const program = await buildRun('format-run', directory);
    for (const format of formats) await benchFormat(format, program, directory);
  });
}

/** Bundles a script of this directory that processes one file. */
export async function buildRun(name: 'format-run' | 'inspection-run', directory: string): Promise<string> {
  const program = join(directory, `${name}.mjs`);
  await build({
    input: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
    platform: 'node',
    // jsonc-parser's main field names a module that bundlers cannot follow.
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'silent',
    output: { file: program, codeSplitting: false },
  });
  return program;
}

async function benchFormat(format: BuiltInFormatId, program: string, directory: string): Promise<void> {
  const { name: document, reference: usual } = SPECIMENS[format].made[0];
  const path = join(directory, `document.${format}`);
  writeFileSync(path, makeDocument(format, SIZE));
  const size = statSync(path).size / 1e6;
  const modes = ['reference', 'identity', 'changed'];
  const runs = modes.map((mode) => (): Measured => {
    const { stdout, megabytes } = runMeasured(directory, [program, document, mode, path]);
    const { milliseconds } = JSON.parse(stdout) as Omit<Measured, 'megabytes'>;
    return { milliseconds, megabytes };
  });
  const results = await interleave(RUNS, runs);
  const middles = results.map((some) => ({
    milliseconds: median(some.map((one) => one.milliseconds)),
    megabytes: median(some.map((one) => one.megabytes)),
  }));
  const reference = middles[0]?.milliseconds ?? NaN;
  for (const [index, mode] of modes.entries()) {
    const { milliseconds, megabytes } = middles[index] ?? { milliseconds: NaN, megabytes: NaN };
    const ratio = milliseconds / reference;
    const rate = `${(size / (milliseconds / 1000)).toFixed(1).padStart(7)} MB/s  ${megabytes.toFixed(0).padStart(5)} MB`;
    const name = mode === 'reference' ? usual.name : `${mode}, scan and splice`;
    const figures = `${rate}${mode === 'reference' ? '' : `  ${ratio.toFixed(2)} x the reference's time`}`;
    const aimed = format === 'json' && mode === 'identity';
    const aim = { text: '<= 5 x and < 300 MB', met: ratio <= 5 && megabytes < 300 };
    printRow(`${format.padEnd(11)}${name}`, figures, aimed ? aim : undefined);
  }
}
