import { interleave, median, milliseconds, printRow, runTimed } from './measure.ts';

const RUNS = 21;

/** How long the program takes to say its version, against a Node that does nothing. */
export async function benchStart(): Promise<void> {
  const commands = [
    ['-e', '0'],
    ['bin/dragoman.js', '--version'],
    ['bin/dragoman.js', '--help'],
  ];
  const runs = commands.map((args) => () => runTimed('node', args).milliseconds);
  const [bare = NaN, version = NaN, help = NaN] = (await interleave(RUNS, runs)).map(median);
  printRow('start      node -e 0', milliseconds(bare));
  const ratio = version / bare;
  const figures = `${milliseconds(version)}  ${ratio.toFixed(2)} x node -e 0`;
  printRow('start      dragoman --version', figures, { text: '<= 1.25 x', met: ratio <= 1.25 });
  printRow('start      dragoman --help', `${milliseconds(help)}  ${(help / bare).toFixed(2)} x node -e 0`);
}
