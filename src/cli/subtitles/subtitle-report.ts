import type { TranslatedSubtitles } from '../../pipeline/subtitles/options.ts';
import type { Output } from '../output.ts';
import type { Done as TasksDone } from '../tasks.ts';
import { unavailableDocument } from '../unavailable.ts';
import type { Job } from './destinations.ts';

/** What became of one job. */
export interface Done extends TranslatedSubtitles {
  readonly job: Job;
  readonly bytes: Uint8Array;
  readonly warnings: readonly string[];
}

export type Subtitles = TasksDone<Job, Done>;

/** The document of `--json`. A result that goes to standard output stands in it as `content`. */
export function subtitleDocument({ done, unavailable }: Subtitles, skipped: readonly string[]): object {
  const failed = unavailable.map(({ item: { file, target, to }, error }) => {
    const blocks = file.document.cues.length;
    return {
      source: file.path ?? null,
      path: null,
      language_code: target ?? null,
      format: to,
      blocks,
      failed_blocks: blocks,
      ...unavailableDocument(error),
    };
  });
  const files = done.map(({ job, content, blocks, failures, warnings }) => ({
    source: job.file.path ?? null,
    path: job.path ?? null,
    language_code: job.target ?? null,
    format: job.to,
    blocks,
    failed_blocks: failures.length,
    failures,
    warnings,
    ...(job.path === undefined ? { content } : {}),
  }));
  return { files: [...files, ...failed], skipped };
}

/** Paths on standard output, everything else on standard error. */
export function printSubtitles({ job, failures, warnings }: Done, output: Output): void {
  if (job.path !== undefined && !output.json) output.result(job.path);
  const language = job.target === undefined ? '' : ` (${job.target})`;
  for (const { line, column, reason } of failures) {
    output.problem(`${job.file.name}:${line}:${column}:${language} keeps its source text: ${reason}`);
  }
  for (const warning of warnings) output.message(`${job.file.name}:${language} ${warning}`);
}
