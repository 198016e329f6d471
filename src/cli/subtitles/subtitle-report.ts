import type { TranslatedSubtitles } from '../../pipeline/subtitles/options.ts';
import type { Output } from '../output.ts';
import type { Job } from './destinations.ts';

/** What became of one job. */
export interface Done extends TranslatedSubtitles {
  readonly job: Job;
  readonly bytes: Uint8Array;
  readonly warnings: readonly string[];
}

/** The document of `--json`. A result that goes to standard output stands in it as `content`. */
export function subtitleDocument(done: readonly Done[], skipped: readonly string[]): object {
  return {
    files: done.map(({ job, content, blocks, failures, warnings }) => ({
      source: job.file.path ?? null,
      path: job.path ?? null,
      language_code: job.target ?? null,
      format: job.to,
      blocks,
      failed_blocks: failures.length,
      failures,
      warnings,
      ...(job.path === undefined ? { content } : {}),
    })),
    skipped,
  };
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
