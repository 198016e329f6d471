import type { ScanOptions } from '../format.ts';
import type { SubtitleDocument, SubtitleFormat } from './document.ts';
import { scanSrt } from './srt.ts';
import { scanVtt } from './vtt.ts';

export const SUBTITLE_FORMATS: readonly SubtitleFormat[] = ['srt', 'vtt'];

/** @throws DragomanError `unreadable_input` with line and column when the text is not well-formed. */
export function scanSubtitles(
  text: string,
  format: SubtitleFormat,
  options: ScanOptions = {},
): SubtitleDocument {
  return format === 'srt' ? scanSrt(text, options) : scanVtt(text, options);
}

/** By the extension; undefined when it is neither. */
export function subtitleFormatOfPath(path: string): SubtitleFormat | undefined {
  return SUBTITLE_FORMATS.find((format) => path.toLowerCase().endsWith(`.${format}`));
}

/** What a text without a name is: a WebVTT file says so in its first line. */
export function subtitleFormatOfText(text: string): SubtitleFormat {
  return /^\ufeff?WEBVTT/.test(text) ? 'vtt' : 'srt';
}
