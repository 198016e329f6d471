import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { cacheDirectory } from '../../base/user-directories.ts';
import { Journal } from '../../project/state/journal.ts';
import type { Terminal } from '../terminal.ts';
import type { SubtitleJob } from './jobs.ts';

/**
 * The journal of these jobs in the user's cache: the same command, run again after it was stopped, finds what the engine
 * had finished. Undefined where there is no place for one. Whoever opens it closes or finishes it.
 */
export async function openSubtitleJournal(
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
