import { positionsIn } from '../../base/span.ts';
import type { SubtitleFailure, TranslatedSubtitles } from '../../documents/subtitles/options.ts';
import { unreadableDocuments, type UnreadableFile } from '../documents/open-each.ts';
import type { Output } from '../output.ts';
import { STDOUT } from '../documents/destinations.ts';
import type { Written } from '../documents/run.ts';
import type { Done } from '../documents/tasks.ts';
import { unavailableDocument } from '../documents/unavailable.ts';
import type { SubtitleJob } from './jobs.ts';
import type { SubtitleFile } from './subtitle-file.ts';

/** How much was done, where several files were. */
export function printSummary({ done, unavailable }: Subtitles, output: Output): void {
  const cues = done.reduce((sum, { blocks }) => sum + blocks, 0);
  const kept = done.reduce((sum, { failures }) => sum + failures.length, 0);
  const failed = unavailable.length === 0 ? '' : `, ${unavailable.length} not written`;
  const left = kept === 0 ? '' : `, ${kept} of them with their source text`;
  output.message(`${done.length} files written with ${cues} cues${left}${failed}`);
}

/** What a job makes of its file. */
export interface SubtitleResult extends TranslatedSubtitles {
  readonly bytes: Uint8Array;
  readonly isUntouched: boolean;
  readonly warnings: readonly string[];
}

export type WrittenSubtitles = Written<SubtitleJob, SubtitleResult>;

export type Subtitles = Done<SubtitleJob, WrittenSubtitles>;

/** The document of `--json`. A result that goes to standard output stands in it as `content`. */
export function subtitleDocument(
  { done, unavailable }: Subtitles,
  {
    skipped,
    unreadable,
  }: { readonly skipped: readonly string[]; readonly unreadable: readonly UnreadableFile[] },
): object {
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
  const files = done.map(({ file, target, to, destination, content, blocks, failures, warnings }) => ({
    source: file.path ?? null,
    path: destination === STDOUT ? null : destination,
    language_code: target ?? null,
    format: to,
    blocks,
    failed_blocks: failures.length,
    failures,
    problems: problemsOf(file),
    warnings,
    ...(destination === STDOUT && { content }),
  }));
  return { files: [...files, ...failed, ...unreadableDocuments(unreadable)], skipped };
}

/** So many of a file are printed; `--json` has all of them. */
const MOST_PROBLEMS = 20;

/** What was meant as a subtitle and cannot be read as one, on standard error. */
export function printProblems(file: SubtitleFile, output: Output): void {
  const problems = problemsOf(file);
  for (const { line, column, reason } of problems.slice(0, MOST_PROBLEMS))
    output.message(`${file.name}:${line}:${column}: warning: ${reason}: it stays as it is`);
  const more = problems.length - MOST_PROBLEMS;
  if (more > 0) output.message(`${file.name}: warning: ${more} more subtitles cannot be read`);
  if (problems.length > 0) output.message('  --strict refuses such a file.');
}

function problemsOf({ document }: SubtitleFile): readonly SubtitleFailure[] {
  const positionOf = positionsIn(document.text);
  return document.problems.map(({ offset, message }) => ({ ...positionOf(offset), reason: message }));
}

/** Paths on standard output, everything else on standard error. */
export function printSubtitles(
  { file, target, destination, failures, warnings }: WrittenSubtitles,
  output: Output,
): void {
  if (destination !== STDOUT && !output.json) output.result(destination);
  const language = target === undefined ? '' : ` (${target})`;
  for (const { line, column, reason } of failures) {
    output.problem(`${file.name}:${line}:${column}:${language} keeps its source text: ${reason}`);
  }
  for (const warning of warnings) output.message(`${file.name}:${language} ${warning}`);
}
