import { interrupted, isInterrupted } from '../../base/interruption.ts';
import type { TranslatedSubtitles } from '../../documents/subtitles/options.ts';
import { SUBTITLES } from '../../documents/subtitles/kind.ts';
import { isSpecified } from '../../contract/documents.ts';
import type { SegmentJournal } from '../../pipeline/unit.ts';
import type { CommandContext } from '../command.ts';
import { labelOf, runJobs } from '../documents/run.ts';
import { sourceOfDocument } from '../documents/source-language.ts';
import { sourceOf } from '../language-options.ts';
import type { Progress } from '../output.ts';
import { translateSubtitlesRemotely } from '../service/remote-documents.ts';
import { withTranslator, type Translator } from '../service/translator.ts';
import { refuseResources } from '../translation-resources.ts';
import { convertResult } from './convert-result.ts';
import type { SubtitleFlags } from './flags.ts';
import type { SubtitleJob } from './jobs.ts';
import { openSubtitleJournal } from './subtitle-journal.ts';
import type { Subtitles, SubtitleResult } from './subtitle-report.ts';

/** Translates the files, here or by a service, and writes them. */
export async function translateSubtitles(
  jobs: readonly SubtitleJob[],
  flags: SubtitleFlags,
  context: CommandContext,
): Promise<Subtitles> {
  const journal = await openSubtitleJournal(jobs, context.terminal);
  try {
    const result = await withTranslator(flags, context, (translator) => {
      const translating = { translator, flags, context, journal };
      return runJobs(
        jobs,
        {
          translate: async (job: SubtitleJob, progress): Promise<SubtitleResult> =>
            convertResult(job, await translateOne(job, progress, translating), flags),
          stopped: translator.stopped,
          atOnce: takesWholeFiles(flags) ? translator.service?.parallelCalls : 1,
        },
        context,
      );
    });
    // What failed is asked for again by the next run, what did not need not be.
    const isWhole =
      result.unavailable.length === 0 && result.done.every(({ failures }) => failures.length === 0);
    if (!result.error && isWhole) await journal?.finish();
    return result;
  } finally {
    await journal?.close();
  }
}

interface Translating {
  readonly translator: Translator;
  readonly flags: SubtitleFlags;
  readonly context: CommandContext;
  readonly journal: SegmentJournal | undefined;
}

/** How sentences are cut and lines are wrapped is said to no service: its texts are sent then, at the same price. */
function takesWholeFiles({ perCue, maxLine, maxLines }: SubtitleFlags): boolean {
  return !perCue && maxLine === undefined && maxLines === undefined;
}

async function translateOne(
  job: SubtitleJob,
  progress: Progress,
  { translator, flags, context, journal }: Translating,
): Promise<TranslatedSubtitles> {
  const { file, target = '' } = job;
  const { format } = file;
  const { engine, resources, service } = translator;
  const isSilent = SUBTITLES.textsOf(file.document).length === 0;
  progress.begin(`${labelOf(job)}: ${file.document.cues.length} cues`);
  if (service && !isSilent && takesWholeFiles(flags) && isSpecified(format)) {
    refuseResources(flags, 'With --per-cue or --max-line a service is sent texts, at the same price.');
    const direction = { source: sourceOf(flags) ?? 'auto', target, signal: context.terminal.signal };
    return translateSubtitlesRemotely(service, { ...file, format }, direction, flags);
  }
  // Nothing is asked of the engine for a file without words.
  const named = sourceOf(flags);
  const source =
    named ??
    (isSilent ? target : await sourceOfDocument(SUBTITLES, file.document, { named, what: file.name }));
  try {
    return await SUBTITLES.translate(file.document, {
      ...resources,
      engine,
      source,
      target,
      signal: context.terminal.signal,
      journal,
      concurrency: flags.concurrency,
      onProgress: (cues, total) => progress.update(`${labelOf(job)}: ${cues}/${total} cues`),
      options: flags,
    });
  } catch (error) {
    if (!isInterrupted(error) || journal === undefined) throw error;
    throw interrupted(error.message, {
      hint: 'Finished translations are saved: the same command continues from there. Files that exist already need --force.',
      cause: error,
    });
  }
}
