import { Option } from 'commander';
import { SUBTITLE_FORMATS } from '../../formats/subtitles/format.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { wholeNumber } from '../engine-options.ts';
import { addExamples } from '../examples.ts';
import { OK, PARTIAL } from '../exit-code.ts';
import { expandFiles } from '../files.ts';
import { addFormalityOption } from '../formality.ts';
import { addGlossaryOption } from '../glossary-option.ts';
import { addLanguageOptions, targetsOf } from '../language-options.ts';
import { openEach, type Opened } from '../open-each.ts';
import { addServiceOptions } from '../service/options.ts';
import { planJobs, withoutExisting } from '../subtitles/destinations.ts';
import type { SubtitleFlags } from '../subtitles/flags.ts';
import { isWhole, runJobs } from '../subtitles/run-jobs.ts';
import { openSubtitles, type SubtitleFile } from '../subtitles/subtitle-file.ts';
import { printProblems, subtitleDocument } from '../subtitles/subtitle-report.ts';

export const subtitles: CommandModule<SubtitleFlags> = {
  configure(command) {
    command
      .argument('<file...>', 'SRT or VTT files; - for standard input')
      .addOption(
        new Option('--format <format>', 'write this format, with or without -t').choices(SUBTITLE_FORMATS),
      )
      .option(
        '-o, --output <path>',
        'a directory, a file, or - for standard output; default: beside the source',
      )
      .option('--skip-existing', 'skip files that already exist')
      .option('--per-cue', 'translate every cue alone, also where a sentence runs over several')
      .addOption(
        new Option(
          '--max-line <n>',
          'characters of a line; default: 42, or the widest line of the source',
        ).argParser(wholeNumber),
      )
      .addOption(
        new Option('--max-lines <n>', 'most lines of a cue that becomes too long; default: 2').argParser(
          wholeNumber,
        ),
      )
      .option('--bilingual', 'put the source text below the translation')
      .option(
        '--strict',
        'refuse a file with an unreadable subtitle instead of leaving that subtitle as it is',
      )
      .option('--rtl-marks', 'put right-to-left marks around lines of Arabic, Hebrew and similar scripts')
      .option('--encoding <name>', 'the encoding of files that are not Unicode, such as windows-1252');
    addLanguageOptions(command);
    addServiceOptions(command);
    // Sentences go over cues: no memory knows them.
    addGlossaryOption(command);
    addFormalityOption(command);
    addExamples(command, [
      [
        "dragoman subtitles 'season1/*.srt' -s en -t fr,es -o out",
        'write out/{name}.fr.srt and out/{name}.es.srt',
      ],
      ['dragoman subtitles movie.srt --format vtt > movie.vtt', 'convert, without translating'],
    ]);
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    const { files, unreadable } = await openAll(args, flags, context);
    for (const file of files) printProblems(file, output);
    const targets = targetsOf(flags);
    const jobs = await planJobs(files, {
      targets,
      format: flags.format,
      output: flags.output,
      cwd: terminal.cwd,
      isOneNamed: files.length + unreadable.length === 1,
    });
    const { open, skipped } = flags.skipExisting ? await withoutExisting(jobs) : { open: jobs, skipped: [] };
    for (const path of skipped) output.message(`${path} is there already`);
    // Most of the program is for translating: a conversion does not wait for it to load.
    const translate = targets && open.length > 0 ? await import('../subtitles/translate-jobs.ts') : undefined;
    const result = await (translate ? translate.translateJobs(open, flags, context) : runJobs(open, context));
    const document = subtitleDocument(result, { skipped, unreadable });
    if (result.error) return output.failure(result.error, document);
    if (output.json) output.document(document);
    return unreadable.length === 0 && isWhole(result) ? OK : PARTIAL;
  },
};

/** All inputs are read before the first one is translated. */
async function openAll(
  args: readonly string[],
  flags: SubtitleFlags,
  { terminal, output }: CommandContext,
): Promise<Opened<SubtitleFile>> {
  const named = args.filter((argument) => argument !== '-');
  const paths = await expandFiles(named, terminal);
  const all = args.includes('-') ? ['-', ...paths] : paths;
  return openEach(all, (path) => openSubtitles(path, flags, terminal), output);
}
