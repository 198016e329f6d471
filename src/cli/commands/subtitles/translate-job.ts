import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import { interrupted, isInterrupted } from '../../../base/interruption.ts';
import { cacheDirectory } from '../../../base/user-directories.ts';
import { CuePassages } from '../../../documents/subtitles/cue-passages.ts';
import { SUBTITLES, type TranslatedSubtitles } from '../../../documents/subtitles/translate-subtitles.ts';
import { isSpecified } from '../../../contract/documents.ts';
import { segmentOf } from '../../../formats/subtitles/passage.ts';
import { Journal } from '../../../project/state/journal.ts';
import type { Results, Translating } from '../../documents/document-command.ts';
import type { DocumentJob } from '../../documents/run.ts';
import { sourceOfDocument } from '../../documents/source-language.ts';
import { sourceOf } from '../../options/language.ts';
import { translateSubtitlesRemotely } from '../../documents/remote-documents.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { refuseResources } from '../../execution/translation-resources.ts';
import type { SubtitleFile } from '../../documents/subtitle-file.ts';
import { type SubtitleFlags, takesWholeFiles } from './flags.ts';
import type { SubtitleResult } from './result.ts';

type SubtitleJob = DocumentJob<SubtitleFile, string | undefined>;

/** Translates a file with an engine or a service. */
export async function translateOne(
  { file }: SubtitleJob,
  { segments, service }: Translating,
  flags: SubtitleFlags,
): Promise<TranslatedSubtitles> {
  const { format } = file;
  const { engine, target, signal, journal } = segments;
  const named = sourceOf(flags);
  const isSilent = SUBTITLES.textsOf(file.document).length === 0;
  if (service && !isSilent && isSpecified(format) && takesWholeFiles(flags)) {
    refuseResources(flags, 'With --per-cue or --max-line, a service gets single texts, at the same price.');
    const direction = { source: named ?? 'auto', target, signal };
    return translateSubtitlesRemotely({ service, engine }, { ...file, format }, direction, flags);
  }
  // A file without words is not sent to the engine.
  const source =
    named ??
    (isSilent ? target : await sourceOfDocument(SUBTITLES, file.document, { named, what: file.name }));
  try {
    return await SUBTITLES.translate(file.document, { ...segments, source, options: flags });
  } catch (error) {
    if (!isInterrupted(error) || journal === undefined) throw error;
    throw interrupted(error.message, {
      hint: 'Finished translations are saved: the same command continues from there. Files that exist already need --force.',
      cause: error,
    });
  }
}

/** A service's price in credits: one per cue if it gets the whole file, otherwise one per text. */
export function chargeOf({ document, format }: SubtitleFile, flags: SubtitleFlags): number {
  if (isSpecified(format) && takesWholeFiles(flags)) return document.cues.length;
  const segments = [...new CuePassages(document, flags).each()].map((passage) => segmentOf(passage).tagged);
  return new Set(segments).size;
}

/**
 * Runs the work with the journal of these jobs, if a journal is possible. The next run retries failed texts without
 * repeating others: the journal is kept unless everything succeeded.
 */
export async function withJournal<R extends SubtitleResult>(
  jobs: readonly SubtitleJob[],
  terminal: Terminal,
  work: (journal: Journal | undefined) => Promise<Results<SubtitleJob, R>>,
): Promise<Results<SubtitleJob, R>> {
  const journal = await openSubtitleJournal(jobs, terminal);
  try {
    const result = await work(journal);
    const { done, unavailable, error } = result;
    const isWhole = unavailable.length === 0 && done.every(({ failures }) => failures.length === 0);
    if (!error && isWhole) await journal?.finish();
    return result;
  } finally {
    await journal?.close();
  }
}

/**
 * The journal of these jobs in the user's cache: after an interruption, the same command reuses finished translations.
 * Undefined without a cache directory. The caller closes or finishes it.
 */
async function openSubtitleJournal(
  jobs: readonly SubtitleJob[],
  { env }: Terminal,
): Promise<Journal | undefined> {
  const directory = cacheDirectory(env);
  if (directory === undefined) return undefined;
  const inputs = jobs.map(({ file, target }) => [file.path ?? hash('sha256', file.document.text), target]);
  const path = join(directory, 'subtitles', hash('sha256', JSON.stringify(inputs), 'hex').slice(0, 32));
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await Journal.open(path);
  } catch (error) {
    // With a read-only home directory, the work runs without a journal and cannot be resumed.
    if (error instanceof DragomanError || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  }
}
