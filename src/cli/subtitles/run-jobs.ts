import type { DragomanError } from '../../base/errors.ts';
import { convertSubtitles } from '../../formats/subtitles/convert.ts';
import { scanSubtitles } from '../../formats/subtitles/format.ts';
import type { TranslatedSubtitles } from '../../pipeline/subtitles/options.ts';
import type { CommandContext } from '../command.ts';
import type { Progress } from '../output.ts';
import { doTasks } from '../tasks.ts';
import { printUnavailable } from '../unavailable.ts';
import { writeOutput } from '../write-output.ts';
import type { Job } from './destinations.ts';
import { encodeResult } from './subtitle-file.ts';
import { printSubtitles, type Done, type Subtitles } from './subtitle-report.ts';

/** What is done with the texts of a job. */
export interface Work {
  translate(job: Job, progress: Progress): Promise<TranslatedSubtitles>;
  stopped(): DragomanError | undefined;
  readonly atOnce: number | undefined;
}

/** Does the work, converts and writes what becomes of it. Without work the files are only converted. */
export async function runJobs(
  jobs: readonly Job[],
  { output }: CommandContext,
  work?: Work,
): Promise<Subtitles> {
  const progress = await output.progress();
  const finished: Done[] = [];
  const task = async (job: Job): Promise<Done> => {
    const { document } = job.file;
    const untouched = { content: document.text, blocks: document.cues.length, failures: [] };
    const result = (await work?.translate(job, progress)) ?? untouched;
    const stopped = work?.stopped();
    if (stopped && result.content === document.text) throw stopped;
    const done = convert(job, result);
    if (job.path !== undefined) await writeOutput(job.path, done.bytes);
    else if (!output.json) output.content(done.bytes);
    finished.push(done);
    return done;
  };
  try {
    const result = await doTasks(jobs, task, { stopped: () => work?.stopped(), atOnce: work?.atOnce });
    for (const { item, error } of result.unavailable)
      printUnavailable(item.file.name, item.target ?? '', error, output);
    return result;
  } finally {
    progress.stop();
    for (const one of finished) printSubtitles(one, output);
  }
}

export function isWhole({ done, unavailable }: Subtitles): boolean {
  return unavailable.length === 0 && done.every(({ failures }) => failures.length === 0);
}

function convert(job: Job, result: TranslatedSubtitles): Done {
  const { file, to } = job;
  const { document } = file;
  const unread = document.blocks.filter(({ kind }) => kind === 'unknown').length - document.problems.length;
  const isSame = result.content === document.text;
  const conversion = convertSubtitles(isSame ? document : scanSubtitles(result.content, file.format), to);
  const { bytes, charset } = encodeResult(file, conversion.content, to);
  const warnings = [...conversion.warnings];
  if (unread > 0 && to === file.format)
    warnings.push(`${unread} blocks without a timing line are shown by no player: they stay as they are`);
  if (charset !== file.decoded.encoding.charset)
    warnings.push(`written as UTF-8 instead of ${file.decoded.encoding.charset}`);
  return { ...result, content: conversion.content, job, bytes, warnings };
}
