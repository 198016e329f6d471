import { readInput } from '../../documents/localization/open-file.ts';
import { decode } from '../../formats/encoding.ts';
import { type Formats, loadFormat } from '../../formats/registry.ts';
import {
  findBrokenPromises,
  isPromise,
  PROMISES,
  type BrokenPromise,
  type Example,
} from '../../plugins/contract/promises.ts';
import { withFormatPrograms } from '../../plugins/format-programs.ts';
import type { CommandContext, CommandGroup, CommandModule } from '../output/command.ts';
import { CHECK_FAILED, type ExitCode, OK } from '../output/exit-code.ts';
import { wholeNumber } from '../options/engine.ts';
import { expandFiles } from '../documents/files.ts';
import { addFormatCommandOption } from '../options/format-programs.ts';

/** The formats of localization files, and a test for programs that read one. */
export const formats: CommandGroup = {
  examples: [
    ['dragoman formats list', 'every format with its extensions'],
    ["dragoman formats check 'python3 lang.py' lang/*.lang", 'try your own program'],
  ],

  commands: [
    { name: 'list', summary: 'list the formats of localization files', load: () => listCommand },
    {
      name: 'check',
      summary: 'check that a program keeps the promises of a format',
      load: () => checkCommand,
    },
  ],
};

const listCommand: CommandModule<object> = {
  examples: [
    ['dragoman formats list', 'every format with its extensions'],
    ['dragoman formats list --json', 'the same as JSON'],
  ],
  configure: addFormatCommandOption,

  async run(_args, _flags, { output, formats: { all } }) {
    const known = all.map(({ id, title, extensions, isProgram = false }) => ({
      id,
      title,
      extensions,
      program: isProgram,
    }));
    const rows = known.map(({ id, title, extensions, program }) => [
      id,
      extensions.map((extension) => `.${extension}`).join(' '),
      program ? 'your own program' : title,
    ]);
    return output.answer({ formats: known }, () => output.table(rows));
  },
};

interface FormatCheckFlags {
  readonly trials: number;
  readonly seed: number;
}

/** A format that takes longer than this for one of the tested files is too slow to be useful. */
const TIMEOUT_MS = 5_000;
const NAME = 'checked';
const TEXT = 1_000;

const checkCommand: CommandModule<FormatCheckFlags> = {
  examples: [
    ["dragoman formats check 'python3 lang.py' lang/*.lang", 'with these files, and 500 damaged ones'],
    ["dragoman formats check 'node lang.mjs' en.lang --trials 10000", 'longer'],
  ],
  details:
    'The files are only read. The exit code is 8 if the program breaks a promise. `docs/formats.md` describes its\nrequests and answers.',
  configure(command) {
    command
      .argument('<command>', 'the command line of the program')
      .argument('<file...>', 'sample files that use all the notation of the format')
      .option('--trials <n>', 'number of damaged files to try', wholeNumber, 500)
      .option('--seed <n>', 'seed for damaging the files', wholeNumber, 1);
  },

  async run([command = '', ...patterns], flags, context) {
    const paths = await expandFiles(patterns, context.terminal);
    const program = { name: NAME, command, extensions: [] };
    return withFormatPrograms([program], (own) => check(paths, flags, own, context), TIMEOUT_MS);
  },
};

async function check(
  paths: readonly string[],
  { trials, seed }: FormatCheckFlags,
  formats: Formats,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, output } = context;
  const format = await loadFormat(formats.require(NAME));
  const examples: Example[] = [];
  for (const path of paths)
    examples.push({ path: output.shown(path), text: (await decode(await readInput(path), format)).text });
  const { broken, untried } = await findBrokenPromises(format, examples, {
    damaged: trials,
    seed,
    signal: terminal.signal,
  });
  output.answer({ files: examples.length, trials, seed, broken, untried }, () => {
    for (const promise of Object.keys(PROMISES).filter(isPromise)) {
      const problems = broken.filter((one) => one.promise === promise);
      if (untried.includes(promise)) output.verdict('warning', `not tried: ${PROMISES[promise]}`);
      else output.verdict(problems.length === 0 ? 'ok' : 'problem', PROMISES[promise]);
      for (const one of problems) for (const line of describeProblem(one)) output.result(`  ${line}`);
    }
  });
  return broken.length === 0 ? OK : CHECK_FAILED;
}

function describeProblem({ path, at, problem, text }: BrokenPromise): readonly string[] {
  const place = at ? `${path}:${at.line}:${at.column}` : path;
  const shown = text === undefined ? [] : [`  ${JSON.stringify(text.slice(0, TEXT))}`];
  return [`${place}: ${problem}`, ...shown];
}
