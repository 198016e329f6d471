import type { ScanOptions } from '../format.ts';
import type { SubtitleDocument, SubtitleFormat } from './document.ts';
import { CueCollector, type ReadCue } from './cue-collector.ts';
import { collectSrt, scanSrt } from './srt.ts';
import { collectVtt, scanVtt } from './vtt.ts';

export const SUBTITLE_FORMATS: readonly SubtitleFormat[] = ['srt', 'vtt'];

/** @throws DragomanError `unreadable_input` with line and column when the text is not well-formed. */
export function scanSubtitles(
  text: string,
  format: SubtitleFormat,
  options: ScanOptions = {},
): SubtitleDocument {
  return format === 'srt' ? scanSrt(text, options) : scanVtt(text, options);
}

/** Reads the cues alone, which proves what was written. @throws DragomanError as {@link scanSubtitles}. */
export function readSubtitles(text: string, format: SubtitleFormat, visit: ReadCue): void {
  const found = new CueCollector(text, format, {}, visit);
  if (format === 'srt') collectSrt(found);
  else collectVtt(found);
}

/** By the extension; undefined when it is neither. */
export function subtitleFormatOfPath(path: string): SubtitleFormat | undefined {
  return SUBTITLE_FORMATS.find((format) => path.toLowerCase().endsWith(`.${format}`));
}

/** What a text without a name is: a WebVTT file says so in its first line. */
export function subtitleFormatOfText(text: string): SubtitleFormat {
  return /^\ufeff?WEBVTT/.test(text) ? 'vtt' : 'srt';
}
