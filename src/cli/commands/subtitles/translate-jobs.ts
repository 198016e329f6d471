import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import { interrupted, isInterrupted } from '../../../base/interruption.ts';
import { cacheDirectory } from '../../../base/user-directories.ts';
import { SUBTITLES, type TranslatedSubtitles } from '../../../documents/subtitles/translate-subtitles.ts';
import { isSpecified } from '../../../contract/documents.ts';
import type { SegmentContext, SegmentJournal } from '../../../pipeline/unit.ts';
import { Journal } from '../../../project/state/journal.ts';
import type { CommandContext } from '../../output/command.ts';
import { runJobs } from '../../documents/run.ts';
import { sourceOfDocument } from '../../documents/source-language.ts';
import { sourceOf } from '../../options/language.ts';
import { translateSubtitlesRemotely } from '../../documents/remote-documents.ts';
import { type Translator, withTranslator } from '../../execution/translator.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { refuseResources } from '../../execution/translation-resources.ts';
import type { SubtitleFlags, SubtitleJob } from './jobs.ts';
import { convertResult, EXTENT, type SubtitleResult, type Subtitles } from './result.ts';

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
          translate: async (job: SubtitleJob, onProgress): Promise<SubtitleResult> =>
            convertResult(job, await translateOne(job, { ...translating, onProgress }), flags),
          ...EXTENT,
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
  { translator, flags, context, journal, onProgress }: Translating & Pick<SegmentContext, 'onProgress'>,
): Promise<TranslatedSubtitles> {
  const { file, target = '' } = job;
  const { format } = file;
  const { engine, resources, service } = translator;
  const isSilent = SUBTITLES.textsOf(file.document).length === 0;
  if (service && !isSilent && takesWholeFiles(flags) && isSpecified(format)) {
    refuseResources(flags, 'With --per-cue or --max-line a service is sent texts, at the same price.');
    const direction = { source: sourceOf(flags) ?? 'auto', target, signal: context.terminal.signal };
    return translateSubtitlesRemotely({ service, engine }, { ...file, format }, direction, flags);
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
      onProgress,
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

/**
 * The journal of these jobs in the user's cache: the same command, run again after it was stopped, finds what the engine
 * had finished. Undefined where there is no place for one. Whoever opens it closes or finishes it.
 */
async function openSubtitleJournal(
  jobs: readonly SubtitleJob[],
  { env }: Terminal,
): Promise<Journal | undefined> {
  const directory = cacheDirectory(env);
  if (directory === undefined || jobs.every((job) => job.target === undefined)) return undefined;
  const inputs = jobs.map(({ file, target }) => [file.path ?? hash('sha256', file.document.text), target]);
  const path = join(directory, 'subtitles', hash('sha256', JSON.stringify(inputs), 'hex').slice(0, 32));
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await Journal.open(path);
  } catch (error) {
    // A read-only home: the work is done all the same, only not resumed.
    if (error instanceof DragomanError || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  }
}
