import { extname } from 'node:path';
import type { SubtitleOptions } from '../../../documents/subtitles/file-translation.ts';
import { type SubtitleFormat, subtitleFormatOfPath } from '../../../formats/subtitles/names.ts';
import { subtitleNotation } from '../../../formats/subtitles/format.ts';
import type { DocumentFlags } from '../../documents/options.ts';
import type { SubtitleFile } from '../../documents/subtitle-file.ts';

export interface SubtitleFlags extends DocumentFlags, SubtitleOptions {
  readonly format?: SubtitleFormat;
  readonly encoding?: string;
  readonly strict?: boolean;
  /** The maximum number of characters per second. */
  readonly maxCps?: number;
  readonly fps?: number;
  /** Milliseconds. */
  readonly shift?: number;
  readonly stretch?: number;
  /** Whether to only report faults and cues that are hard to read. */
  readonly check?: boolean;
}

/** The output format: the requested one, otherwise that of the `-o` file, otherwise that of the input. */
export function formatFor({ format }: SubtitleFile, flags: SubtitleFlags): SubtitleFormat {
  return namedFormat(flags) ?? format;
}

export function namedFormat({ format, output }: SubtitleFlags): SubtitleFormat | undefined {
  if (format !== undefined || output === undefined || extname(output) === '') return format;
  return subtitleFormatOfPath(output);
}

/**
 * Whether a service gets whole files. It cannot split sentences and wrap lines, so with such options it gets single
 * texts, at the same price.
 */
export function takesWholeFiles({ perCue, maxLine, maxLines }: SubtitleFlags): boolean {
  return !perCue && maxLine === undefined && maxLines === undefined;
}

/** Whether the times of the results differ from their sources. */
export function changesTimes({ shift, stretch }: Pick<SubtitleFlags, 'shift' | 'stretch'>): boolean {
  return shift !== undefined || stretch !== undefined;
}

/** The extension of a result: the file's own if the format stays the same, such as `.ssa`. */
export function extensionFor(file: SubtitleFile, flags: SubtitleFlags): string {
  const { path, format } = file;
  const to = formatFor(file, flags);
  const isNamed = path !== undefined && subtitleFormatOfPath(path) === to && format === to;
  return isNamed ? extname(path) : `.${subtitleNotation(to).extensions[0]}`;
}
