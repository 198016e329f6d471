import { basename } from 'node:path';
import { Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { convertSubtitles } from '../../formats/subtitles/convert.ts';
import type { SubtitleFormat } from '../../formats/subtitles/document.ts';
import { scanSubtitles, SUBTITLE_FORMATS } from '../../formats/subtitles/format.ts';
import type { SubtitleOptions, TranslatedSubtitles } from '../../pipeline/subtitles/options.ts';
import { translateCues } from '../../pipeline/subtitles/translate-subtitles.ts';
import type { SegmentJournal } from '../../pipeline/unit.ts';
import { refuseResources, type ResourceFlags } from '../translation-resources.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { wholeNumber } from '../engine-options.ts';
import { addExamples } from '../examples.ts';
import { addFormalityOption } from '../formality.ts';
import { addGlossaryOption } from '../glossary.ts';
import { OK, PARTIAL } from '../exit-code.ts';
import { expandFiles } from '../files.ts';
import { addLanguageOptions, sourceOf, targetsOf, type LanguageOptions } from '../language-options.ts';
import type { Progress } from '../output.ts';
import { addServiceOptions, type ServiceFlags } from '../service/options.ts';
import { withTranslator, type Translator } from '../service/translator.ts';
import { resolveSource } from '../source-language.ts';
import { planJobs, withoutExisting, type Job } from '../subtitles/destinations.ts';
import { translateSubtitlesThere } from '../subtitles/remote-subtitles.ts';
import { encodeResult, openSubtitles, spokenTexts, type SubtitleFile } from '../subtitles/subtitle-file.ts';
import { openSubtitleJournal } from '../subtitles/subtitle-journal.ts';
import { printSubtitles, subtitleDocument, type Done, type Subtitles } from '../subtitles/subtitle-report.ts';
import { doTasks } from '../tasks.ts';
import { printUnavailable } from '../unavailable.ts';
import { writeOutput } from '../write-output.ts';

interface Flags extends LanguageOptions, ServiceFlags, ResourceFlags, SubtitleOptions {
  readonly format?: SubtitleFormat;
  readonly output?: string;
  readonly encoding?: string;
  readonly skipExisting?: boolean;
}

export const subtitles: CommandModule<Flags> = {
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
      .option('--skip-existing', 'leave files alone that are there already')
      .option('--per-cue', 'translate every cue alone, also where a sentence runs over several')
      .addOption(new Option('--max-line <n>', 'characters of a line; default: 42').argParser(wholeNumber))
      .addOption(
        new Option('--max-lines <n>', 'lines of a cue that gets too long; default: 2').argParser(wholeNumber),
      )
      .option('--bilingual', 'put the source text below the translation')
      .option('--rtl-marks', 'put right-to-left marks around lines of Arabic, Hebrew and the like')
      .option('--encoding <name>', 'what the files are in, when it is not Unicode, such as windows-1252');
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
    const files = await openAll(args, flags, context);
    const targets = targetsOf(flags);
    const jobs = await planJobs(files, {
      targets,
      format: flags.format,
      output: flags.output,
      cwd: terminal.cwd,
    });
    const { open, skipped } = flags.skipExisting ? await withoutExisting(jobs) : { open: jobs, skipped: [] };
    for (const path of skipped) output.message(`${path} is there already`);
    const result =
      targets && open.length > 0 ? await translateAll(open, flags, context) : await runAll(open, context);
    const document = subtitleDocument(result, skipped);
    if (result.error) return output.failure(result.error, document);
    if (output.json) output.document(document);
    return isWhole(result) ? OK : PARTIAL;
  },
};

function isWhole({ done, unavailable }: Subtitles): boolean {
  return unavailable.length === 0 && done.every(({ failures }) => failures.length === 0);
}

/** All inputs are read before the first one is translated: mistakes show at once, and then nothing is written. */
async function openAll(
  args: readonly string[],
  { encoding }: Flags,
  { terminal }: CommandContext,
): Promise<readonly SubtitleFile[]> {
  const paths = await expandFiles(
    args.filter((argument) => argument !== '-'),
    terminal,
  );
  const files: SubtitleFile[] = [];
  for (const path of args.includes('-') ? ['-', ...paths] : paths)
    files.push(await openSubtitles(path, encoding, terminal));
  return files;
}

async function translateAll(jobs: readonly Job[], flags: Flags, context: CommandContext): Promise<Subtitles> {
  const journal = await openSubtitleJournal(jobs, context.terminal);
  try {
    const result = await withTranslator(flags, context, (translator) =>
      runAll(jobs, context, {
        translate: (job, progress) => translateOne(job, { translator, flags, context, progress, journal }),
        stopped: translator.stopped,
        atOnce: takesWholeFiles(flags) ? translator.service?.parallelCalls : 1,
      }),
    );
    // What failed is asked for again by the next run, what did not need not be.
    if (!result.error && isWhole(result)) await journal?.finish();
    return result;
  } finally {
    await journal?.close();
  }
}

interface Work {
  translate(job: Job, progress: Progress): Promise<TranslatedSubtitles>;
  stopped(): DragomanError | undefined;
  readonly atOnce: number | undefined;
}

/** Without work the files are only converted. */
async function runAll(jobs: readonly Job[], { output }: CommandContext, work?: Work): Promise<Subtitles> {
  const progress = await output.progress();
  const told: Done[] = [];
  const task = async (job: Job): Promise<Done> => {
    const { document } = job.file;
    const untouched = { content: document.text, blocks: document.cues.length, failures: [] };
    const result = (await work?.translate(job, progress)) ?? untouched;
    const stopped = work?.stopped();
    if (stopped && result.content === document.text) throw stopped;
    const finished = convert(job, result);
    if (job.path !== undefined) await writeOutput(job.path, finished.bytes);
    else if (!output.json) output.content(finished.bytes);
    told.push(finished);
    return finished;
  };
  try {
    const result = await doTasks(jobs, task, { stopped: () => work?.stopped(), atOnce: work?.atOnce });
    for (const { item, error } of result.unavailable)
      printUnavailable(item.file.name, item.target ?? '', error, output);
    return result;
  } finally {
    progress.stop();
    for (const one of told) printSubtitles(one, output);
  }
}

interface Translating {
  readonly translator: Translator;
  readonly flags: Flags;
  readonly context: CommandContext;
  readonly progress: Progress;
  readonly journal: SegmentJournal | undefined;
}

/** How sentences are cut and lines are wrapped is said to no service: its texts are sent then, at the same price. */
function takesWholeFiles({ perCue, maxLine, maxLines }: Flags): boolean {
  return !perCue && maxLine === undefined && maxLines === undefined;
}

async function translateOne(
  { file, target = '' }: Job,
  { translator, flags, context, progress, journal }: Translating,
): Promise<TranslatedSubtitles> {
  const { engine, resources, service } = translator;
  const isSilent = spokenTexts(file).length === 0;
  if (service && !isSilent && takesWholeFiles(flags)) {
    refuseResources(flags, 'With --per-cue or --max-line a service is sent texts, at the same price.');
    progress.begin(`${basename(file.name)} → ${target}: ${file.document.cues.length} cues`);
    const request = { file, source: sourceOf(flags) ?? 'auto', target, options: flags };
    return translateSubtitlesThere(service, request, { signal: context.terminal.signal });
  }
  // Nothing is asked of the engine for a file without words.
  const named = sourceOf(flags);
  const source = named ?? (isSilent ? target : await resolveSource(undefined, spokenTexts(file), file.name));
  const show = (cues: number, total: number): void =>
    progress.update(`${basename(file.name)} → ${target}: ${cues}/${total} cues`);
  progress.begin(`${basename(file.name)} → ${target}: ${file.document.cues.length} cues`);
  try {
    return await translateCues(file.document, {
      ...resources,
      engine,
      source,
      target,
      signal: context.terminal.signal,
      journal,
      concurrency: flags.concurrency,
      onProgress: show,
      options: flags,
    });
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    if (error.code !== 'interrupted' || journal === undefined) throw error;
    throw new DragomanError(error.code, error.message, {
      hint: 'What is done is saved: the same command goes on from there.',
      cause: error,
    });
  }
}

function convert(job: Job, result: TranslatedSubtitles): Done {
  const { file, to } = job;
  const unread = file.document.blocks.filter((block) => block.kind === 'unknown').length;
  const conversion = convertSubtitles(scanSubtitles(result.content, file.format), to);
  const { bytes, charset } = encodeResult(file, conversion.content, to);
  const warnings = [...conversion.warnings];
  if (unread > 0 && to === file.format)
    warnings.push(`${unread} blocks without a timing line are shown by no player: they stay as they are`);
  if (charset !== file.decoded.encoding.charset)
    warnings.push(`written as UTF-8 instead of ${file.decoded.encoding.charset}`);
  return { ...result, content: conversion.content, job, bytes, warnings };
}
