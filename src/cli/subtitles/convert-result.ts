import { convertSubtitles } from '../../formats/subtitles/convert.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import { scanSubtitles } from '../../formats/subtitles/format.ts';
import { findHurried } from '../../documents/subtitles/reading-speed.ts';
import type { TranslatedSubtitles } from '../../documents/subtitles/options.ts';
import type { SubtitleFlags } from './flags.ts';
import type { SubtitleJob } from './jobs.ts';
import { encodeResult } from './subtitle-file.ts';
import type { SubtitleResult } from './subtitle-report.ts';

/** Brings a result into the format and the encoding that it is written in. Without one, the file itself is converted. */
export function convertResult(
  { file, to, target }: SubtitleJob,
  translated: TranslatedSubtitles | undefined,
  { maxCps }: Pick<SubtitleFlags, 'maxCps'>,
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
  if (maxCps !== undefined) warnings.push(...speedWarnings(scanSubtitles(conversion.content, to), maxCps));
  return { ...result, content: conversion.content, bytes, isUntouched, warnings };
}

/** So many of a file are named. */
const MOST_HURRIED = 20;

function speedWarnings(document: SubtitleDocument, most: number): readonly string[] {
  const hurried = findHurried(document, most);
  const named = hurried
    .slice(0, MOST_HURRIED)
    .map(({ number, rate }) => `subtitle ${number} has ${rate} characters a second, more than ${most}`);
  const others = hurried.length - named.length;
  return others > 0 ? [...named, `${others} more cues have more than ${most} characters a second`] : named;
}
