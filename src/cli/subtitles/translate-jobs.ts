import { basename } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import type { TranslatedSubtitles } from '../../pipeline/subtitles/options.ts';
import { translateCues } from '../../pipeline/subtitles/translate-subtitles.ts';
import type { SegmentJournal } from '../../pipeline/unit.ts';
import type { CommandContext } from '../command.ts';
import { sourceOf } from '../language-options.ts';
import type { Progress } from '../output.ts';
import { withTranslator, type Translator } from '../service/translator.ts';
import { resolveSource } from '../source-language.ts';
import { refuseResources } from '../translation-resources.ts';
import type { Job } from './destinations.ts';
import type { SubtitleFlags } from './flags.ts';
import { translateSubtitlesThere } from './remote-subtitles.ts';
import { isWhole, runJobs } from './run-jobs.ts';
import { spokenTexts } from './subtitle-file.ts';
import { openSubtitleJournal } from './subtitle-journal.ts';
import type { Subtitles } from './subtitle-report.ts';

/** Translates the files, here or by a service, and writes them. */
export async function translateJobs(
  jobs: readonly Job[],
  flags: SubtitleFlags,
  context: CommandContext,
): Promise<Subtitles> {
  const journal = await openSubtitleJournal(jobs, context.terminal);
  try {
    const result = await withTranslator(flags, context, (translator) =>
      runJobs(jobs, context, {
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

interface Translating {
  readonly translator: Translator;
  readonly flags: SubtitleFlags;
  readonly context: CommandContext;
  readonly progress: Progress;
  readonly journal: SegmentJournal | undefined;
}

/** How sentences are cut and lines are wrapped is said to no service: its texts are sent then, at the same price. */
function takesWholeFiles({ perCue, maxLine, maxLines }: SubtitleFlags): boolean {
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
      hint: 'Finished translations are saved: the same command continues from there.',
      cause: error,
    });
  }
}
