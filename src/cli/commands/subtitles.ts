import { InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { SUBTITLE_EXTENSIONS, SUBTITLE_FORMATS } from '../../formats/subtitles/format.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { addExamples, markRare } from '../output/help.ts';
import { addDestinationOptions, reportSkipped } from '../documents/destinations.ts';
import { listInputs, passedOverText } from '../documents/files.ts';
import { openEach, type Opened } from '../documents/open-each.ts';
import { finish, runJobs } from '../documents/run.ts';
import { addFormalityOption, wholeNumber } from '../options/engine.ts';
import { addGlossaryOption } from '../options/glossary.ts';
import { addLanguageOptions, sourceOf, targetsOf } from '../options/language.ts';
import { addPriceOption } from '../options/prices.ts';
import { addServiceOptions } from '../options/service.ts';
import {
  convertResult,
  EXTENT,
  printProblems,
  printSubtitles,
  printSummary,
  subtitleDocument,
} from './subtitles/result.ts';
import { openSubtitleFile, type SubtitleFile } from '../documents/subtitle-file.ts';
import { changesTimes, planSubtitles, type SubtitleFlags, type SubtitleJob } from './subtitles/jobs.ts';

export const subtitles: CommandModule<SubtitleFlags> = {
  configure(command) {
    command
      .argument(
        '[file...]',
        `files or directories: ${SUBTITLE_EXTENSIONS.join(', ')}; - or nothing for standard input`,
      )
      .addOption(
        new Option('--format <format>', 'write this format, with or without -t').choices(SUBTITLE_FORMATS),
      )
      .option('--per-cue', 'translate every cue alone, also where a sentence runs over several')
      .addOption(
        new Option('--max-line <n>', 'characters of a line; default: 42, or as the source').argParser(
          wholeNumber,
        ),
      )
      .addOption(
        new Option('--max-lines <n>', 'most lines of a cue that becomes too long; default: 2').argParser(
          wholeNumber,
        ),
      )
      .addOption(
        new Option(
          '--max-cps <n>',
          'warn of cues that have more characters a second than people read, such as 21',
        ).argParser(wholeNumber),
      )
      .addOption(
        new Option(
          '--fps <n>',
          'frames a second of MicroDVD files that do not name them; default: 23.976',
        ).argParser(positiveNumber),
      )
      .addOption(
        new Option('--shift <time>', 'show all subtitles later, such as 1.5s, or sooner: -500ms').argParser(
          shiftOf,
        ),
      )
      .addOption(
        new Option('--stretch <factor>', 'multiply all times, such as 25/23.976; before --shift').argParser(
          stretchOf,
        ),
      )
      .option('--check', 'only report what is wrong or hard to read')
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
    addDestinationOptions(command, 'beside the source; standard output for one that is only converted');
    addLanguageOptions(command);
    addServiceOptions(command);
    addPriceOption(command);
    // Sentences go over cues: no memory knows them.
    addGlossaryOption(command);
    addFormalityOption(command);
    addExamples(command, [
      [
        "dragoman subtitles 'season1/*.srt' -s en -t fr,es -o out",
        'write out/{name}.fr.srt and out/{name}.es.srt',
      ],
      ['dragoman subtitles movie.srt --format vtt > movie.vtt', 'convert, without translating'],
      ['dragoman subtitles movie.srt --shift -1.5s -o fixed', 'show them 1.5 seconds sooner'],
      ['dragoman subtitles season1 --check --max-cps 17', 'find what is hard to read; needs no engine'],
    ]);
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    if (flags.check) requireOnlyCheck(flags);
    const opened = await openAll(args, flags, context);
    if (flags.check) {
      const { reportSubtitles } = await import('./subtitles/check.ts');
      return reportSubtitles(opened, flags, context);
    }
    for (const file of opened.files) printProblems(file, output);
    const targets = targetsOf(flags);
    const { jobs, skipped } = await planSubtitles(opened, targets, flags, terminal.cwd);
    reportSkipped(skipped, output);
    if (flags.dryRun) {
      const { reportDryRun } = await import('../documents/dry-run.ts');
      const { SUBTITLES } = await import('../../documents/subtitles/translate-subtitles.ts');
      const textsOf = ({ file }: SubtitleJob): readonly string[] => SUBTITLES.textsOf(file.document);
      return reportDryRun({ jobs, skipped, unreadable: opened.unreadable, textsOf }, flags, context);
    }
    // Most of the program is for translating: a conversion does not wait for it to load.
    const translating =
      targets && jobs.length > 0 ? await import('./subtitles/translate-jobs.ts') : undefined;
    const result = await (translating
      ? translating.translateSubtitles(jobs, flags, context)
      : runJobs(
          jobs,
          { translate: (job) => Promise.resolve(convertResult(job, undefined, flags)), ...EXTENT },
          context,
        ));
    for (const written of result.done) printSubtitles(written, output);
    if (result.done.length > 1) printSummary(result, output);
    const { unreadable } = opened;
    return finish(result, unreadable, subtitleDocument(result, { skipped, unreadable }), output);
  },
};

/** @throws DragomanError `usage` for what a check does not do */
function requireOnlyCheck(flags: SubtitleFlags): void {
  const isMore = targetsOf(flags) !== undefined || flags.format !== undefined || changesTimes(flags);
  if (!isMore) return;
  throw new DragomanError('usage', '--check writes nothing', {
    hint: 'Leave out -t, --format, --shift and --stretch, and check the results afterwards.',
  });
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (/^\d{1,3}(?:\.\d{1,6})?$/.test(text) && value >= 1) return value;
  throw new InvalidArgumentError('It takes a number from 1 to 999, such as 25 or 23.976.');
}

/** Milliseconds. */
function shiftOf(text: string): number {
  const [, value, unit] = /^([+-]?\d{1,7}(?:\.\d{1,3})?)(ms|s|min)$/.exec(text) ?? [];
  if (value !== undefined)
    return Math.round(Number(value) * (unit === 'ms' ? 1 : unit === 's' ? 1000 : 60_000));
  throw new InvalidArgumentError('It takes a time with its unit, such as 1.5s, -500ms or 2min.');
}

function stretchOf(text: string): number {
  const [, value, under = '1'] = /^(\d{1,6}(?:\.\d{1,6})?)(?:\/(\d{1,6}(?:\.\d{1,6})?))?$/.exec(text) ?? [];
  const factor = Number(value) / Number(under);
  if (factor >= 0.01 && factor <= 100) return factor;
  throw new InvalidArgumentError('It takes a factor from 0.01 to 100, such as 25/23.976 or 1.001.');
}

/** All inputs are read before the first one is translated. */
async function openAll(
  args: readonly string[],
  flags: SubtitleFlags,
  { terminal, output }: CommandContext,
): Promise<Opened<SubtitleFile>> {
  if (args.length === 0 && terminal.stdin.isTTY)
    throw new DragomanError('usage', 'no subtitles', { hint: 'Name a file, or pipe one in.' });
  const places = await listInputs(
    args.filter((argument) => argument !== '-'),
    {
      what: 'subtitles',
      extensions: SUBTITLE_EXTENSIONS,
      targets: targetsOf(flags) ?? [],
      source: sourceOf(flags),
      onPassedOver: (paths) => output.message(passedOverText(paths, terminal)),
    },
    terminal,
  );
  const all = args.length === 0 || args.includes('-') ? ['-', ...places.keys()] : [...places.keys()];
  const open = async (path: string): Promise<SubtitleFile> => {
    const file = await openSubtitleFile(path, flags, terminal);
    return { ...file, below: places.get(path) };
  };
  return openEach(all, open, output);
}
