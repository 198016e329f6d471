import { InvalidArgumentError, Option } from 'commander';
import { resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { SUBTITLE_EXTENSIONS, SUBTITLE_FORMATS } from '../../formats/subtitles/format.ts';
import { markRare } from '../output/help.ts';
import { addDestinationOptions, nameWithLanguage, STDOUT } from '../documents/destinations.ts';
import { documentCommand, openInputs } from '../documents/document-command.ts';
import { listInputs } from '../documents/files.ts';
import { printFailures, unreadableDocuments } from '../documents/open-each.ts';
import { openSubtitleFile, type SubtitleFile } from '../documents/subtitle-file.ts';
import { addFormalityOption, wholeNumber } from '../options/engine.ts';
import { addGlossaryOption } from '../options/glossary.ts';
import { addLanguageOptions, targetsOf } from '../options/language.ts';
import { addPriceOption } from '../options/prices.ts';
import { addServiceOptions } from '../options/service.ts';
import {
  changesTimes,
  extensionFor,
  formatFor,
  namedFormat,
  type SubtitleFlags,
  takesWholeFiles,
} from './subtitles/flags.ts';
import {
  convertResult,
  printProblems,
  printSummary,
  problemsOf,
  type SubtitleResult,
} from './subtitles/result.ts';

export const subtitles = documentCommand<SubtitleFile, SubtitleFlags, SubtitleResult, string | undefined>({
  examples: [
    [
      "dragoman subtitles 'season1/*.srt' -s en -t fr,es -o out",
      'write out/{name}.fr.srt and out/{name}.es.srt',
    ],
    ['dragoman subtitles movie.srt --format vtt > movie.vtt', 'convert, without translating'],
    ['dragoman subtitles movie.srt --shift -1.5s -o fixed', 'show them 1.5 seconds earlier'],
    ['dragoman subtitles season1 --check --max-cps 17', 'find cues that are hard to read; needs no engine'],
  ],
  configure(command) {
    command
      .argument(
        '[file...]',
        `files or directories: ${SUBTITLE_EXTENSIONS.join(', ')}; - or nothing for standard input`,
      )
      .addOption(
        new Option('--format <format>', 'write this format, with or without -t').choices(SUBTITLE_FORMATS),
      )
      .option('--per-cue', 'translate each cue by itself, even if a sentence spans several')
      .option('--max-line <n>', 'maximum characters per line; default: 42, or as in the source', wholeNumber)
      .option('--max-lines <n>', 'maximum lines of a cue that must be wrapped; default: 2', wholeNumber)
      .option('--max-cps <n>', 'warn about cues with more characters per second, such as 21', wholeNumber)
      .option(
        '--fps <n>',
        'frames per second of MicroDVD files that do not declare them; default: 23.976',
        positiveNumber,
      )
      .option('--shift <time>', 'show all subtitles later (1.5s) or earlier (-500ms)', shiftOf)
      .option('--stretch <factor>', 'multiply all times, such as 25/23.976; before --shift', stretchOf)
      .option('--check', 'only report faults and cues that are hard to read')
      .option('--bilingual', 'put the source text below the translation')
      .option(
        '--strict',
        'refuse a file with an unreadable subtitle instead of leaving that subtitle as it is',
      )
      .option('--rtl-marks', 'put right-to-left marks around lines of Arabic, Hebrew and similar scripts')
      .option('--encoding <name>', 'the encoding of files that are not Unicode, such as windows-1252');
    markRare(
      command,
      '--per-cue',
      '--max-cps',
      '--max-lines',
      '--fps',
      '--shift',
      '--stretch',
      '--strict',
      '--rtl-marks',
      '--encoding',
    );
    addDestinationOptions(command, 'beside the source, or standard output for a conversion');
    addLanguageOptions(command);
    addServiceOptions(command);
    addPriceOption(command);
    // Sentences can span several cues, so the memory cannot store them.
    addGlossaryOption(command);
    addFormalityOption(command);
  },

  targetsOf(flags) {
    const targets = targetsOf(flags);
    if (flags.check && (targets !== undefined || flags.format !== undefined || changesTimes(flags))) {
      throw new DragomanError('usage', '--check writes nothing', {
        hint: 'Leave out -t, --format, --shift and --stretch, and check the results afterwards.',
      });
    }
    return targets ?? [undefined];
  },

  open: openInputs({
    missing: new DragomanError('usage', 'no subtitles', { hint: 'Name a file, or pipe one in.' }),
    list: (args, { flags, context }) =>
      listInputs(args, { what: 'subtitles', extensions: SUBTITLE_EXTENSIONS, flags }, context),
    async open({ path = '-', below }, _, { flags, context }) {
      return { ...(await openSubtitleFile(path, flags, context.terminal)), below };
    },
  }),

  review(opened, { flags, context }) {
    if (flags.check)
      return import('./subtitles/check.ts').then(({ reportSubtitles }) =>
        reportSubtitles(opened, flags, context),
      );
    for (const file of opened.files) printProblems(file, context.output);
    return undefined;
  },

  place(files, { flags, context }) {
    const isTranslated = targetsOf(flags) !== undefined;
    if (!isTranslated && !changesTimes(flags) && namedFormat(flags) === undefined) {
      throw new DragomanError('usage', 'nothing to do', {
        hint: 'Name target languages with -t, such as -t fr,es, another format with --format, or --check.',
      });
    }
    return {
      nameOf: (file, target) =>
        nameWithLanguage(
          file.path ?? resolve(context.terminal.cwd, 'stdin'),
          target,
          extensionFor(file, flags),
        ),
      // Standard input, or a single file to convert.
      prefersStandardOutput: !isTranslated || files.every(({ path }) => path === undefined),
    };
  },

  // Loaded here, because a conversion does not need this module.
  async textsOf({ document }) {
    const { SUBTITLES } = await import('../../documents/subtitles/translate-subtitles.ts');
    return SUBTITLES.textsOf(document);
  },
  async chargeOf(file, flags) {
    const { chargeOf } = await import('./subtitles/translate-job.ts');
    return chargeOf(file, flags);
  },
  // Progress is counted in cues, which users know.
  extentOf: ({ document }) => document.cues.length,
  unit: 'cues',

  atOnce: (service, _, flags) => (takesWholeFiles(flags) ? service.parallelCalls : 1),
  convert: (job, flags) => convertResult(job, undefined, flags),

  async translate(job, by, { flags }) {
    const { translateOne } = await import('./subtitles/translate-job.ts');
    return convertResult(job, await translateOne(job, by, flags), flags);
  },

  async perform({ jobs }, { context }, translate) {
    const { withJournal } = await import('./subtitles/translate-job.ts');
    return withJournal(jobs, context.terminal, (journal) => translate({ journal }));
  },

  print(written, output) {
    const { file, target, warnings } = written;
    printFailures(written, output);
    const language = target === undefined ? '' : ` (${target})`;
    for (const warning of warnings) output.message(`${file.name}:${language} ${warning}`);
  },
  printSummary,

  describe: ({ file, format, destination, content, blocks, failures, warnings }) => ({
    format,
    blocks,
    failed_blocks: failures.length,
    failures,
    problems: problemsOf(file),
    warnings,
    ...(destination === STDOUT && { content }),
  }),
  describeUnavailable: ({ file }, _, flags) => {
    const blocks = file.document.cues.length;
    return { format: formatFor(file, flags), blocks, failed_blocks: blocks };
  },
  document: (files, _, { unreadable, skipped }) => ({
    files: [...files, ...unreadableDocuments(unreadable)],
    skipped,
  }),
});

function positiveNumber(text: string): number {
  const value = Number(text);
  if (/^\d{1,3}(?:\.\d{1,6})?$/.test(text) && value >= 1) return value;
  throw new InvalidArgumentError('Expected a number from 1 to 999, such as 25 or 23.976.');
}

/** Milliseconds. */
function shiftOf(text: string): number {
  const [, value, unit] = /^([+-]?\d{1,7}(?:\.\d{1,3})?)(ms|s|min)$/.exec(text) ?? [];
  if (value !== undefined)
    return Math.round(Number(value) * (unit === 'ms' ? 1 : unit === 's' ? 1000 : 60_000));
  throw new InvalidArgumentError('Expected a time with its unit, such as 1.5s, -500ms or 2min.');
}

function stretchOf(text: string): number {
  const [, value, under = '1'] = /^(\d{1,6}(?:\.\d{1,6})?)(?:\/(\d{1,6}(?:\.\d{1,6})?))?$/.exec(text) ?? [];
  const factor = Number(value) / Number(under);
  if (factor >= 0.01 && factor <= 100) return factor;
  throw new InvalidArgumentError('Expected a factor from 0.01 to 100, such as 25/23.976 or 1.001.');
}
