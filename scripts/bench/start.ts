import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPacked, MAX_INSTALLED } from '../packed-program.ts';
import { interleave, median, milliseconds, printRow, runTimed, withDirectory } from './measure.ts';

const RUNS = 21;

const CUE = '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Good morning\n';

/**
 * How long the program takes to print its version and to convert a file, compared with Node doing nothing;
 * the size of its package, and the duration of its `npm install`.
 */
export async function benchStart(): Promise<void> {
  await withDirectory(async (directory) => {
    const file = join(directory, 'movie.srt');
    writeFileSync(file, CUE);
    await measureStarts(file, join(directory, 'movie.vtt'));
    const installation = join(directory, 'installation');
    mkdirSync(installation);
    measureInstallation(installation);
  });
}

async function measureStarts(file: string, converted: string): Promise<void> {
  const commands = [
    ['-e', '0'],
    ['bin/dragoman.js', '--version'],
    ['bin/dragoman.js', '--help'],
    ['bin/dragoman.js', 'subtitles', file, '--format', 'vtt', '-o', converted, '--force'],
  ];
  const runs = commands.map((args) => () => runTimed('node', args).milliseconds);
  const medians = (await interleave(RUNS, runs)).map(median);
  const [bare = NaN, version = NaN, help = NaN, conversion = NaN] = medians;
  printRow('start      node -e 0', milliseconds(bare));
  const ratio = version / bare;
  const figures = `${milliseconds(version)}  ${ratio.toFixed(2)} x node -e 0`;
  printRow('start      dragoman --version', figures, { text: '<= 1.25 x', met: ratio <= 1.25 });
  printRow('start      dragoman --help', `${milliseconds(help)}  ${(help / bare).toFixed(2)} x node -e 0`);
  const times = conversion / bare;
  const measured = `${milliseconds(conversion)}  ${times.toFixed(2)} x node -e 0`;
  printRow('start      dragoman subtitles to VTT', measured, { text: '<= 2 x', met: times <= 2 });
}

function measureInstallation(directory: string): void {
  const { packed, bytes, milliseconds: took } = installPacked(directory);
  printRow('start      packed', megabytes(packed.bytes));
  const limit = `<= ${MAX_INSTALLED / 1e6} MB`;
  printRow('start      installed', megabytes(bytes), { text: limit, met: bytes <= MAX_INSTALLED });
  printRow('start      npm install', milliseconds(took));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
