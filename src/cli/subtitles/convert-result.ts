import { convertSubtitles } from '../../formats/subtitles/convert.ts';
import { scanSubtitles } from '../../formats/subtitles/format.ts';
import type { TranslatedSubtitles } from '../../documents/subtitles/options.ts';
import type { SubtitleJob } from './jobs.ts';
import { encodeResult } from './subtitle-file.ts';
import type { SubtitleResult } from './subtitle-report.ts';

/** Brings a result into the format and the encoding that it is written in. Without one, the file itself is converted. */
export function convertResult(
  { file, to, target }: SubtitleJob,
  translated?: TranslatedSubtitles,
): SubtitleResult {
  const { document } = file;
  const result = translated ?? { content: document.text, blocks: document.cues.length, failures: [] };
  const unread = document.blocks.filter(({ kind }) => kind === 'unknown').length - document.problems.length;
  const isUntouched = result.content === document.text;
  const conversion = convertSubtitles(
    isUntouched ? document : scanSubtitles(result.content, file.format),
    to,
    target,
  );
  const { bytes, charset } = encodeResult(file, conversion.content, to);
  const warnings = [...conversion.warnings];
  if (unread > 0 && to === file.format)
    warnings.push(`${unread} blocks without a timing line are shown by no player: they stay as they are`);
  if (charset !== file.decoded.encoding.charset)
    warnings.push(`written as UTF-8 instead of ${file.decoded.encoding.charset}`);
  return { ...result, content: conversion.content, bytes, isUntouched, warnings };
}
