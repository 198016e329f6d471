import type { SubtitleDocument, SubtitleNotation, SubtitleScanOptions } from './document.ts';
import { ass } from './ass.ts';
import type { SubtitleFormat } from './names.ts';
import { lrc } from './lrc.ts';
import { microdvd } from './microdvd.ts';
import { sbv } from './sbv.ts';
import { srt } from './srt.ts';
import { ttml } from './ttml.ts';
import { vtt } from './vtt.ts';

/** Every subtitle format. A text without a name is in the first format that recognizes it. */
const notations = [vtt, ass, ttml, lrc, microdvd, sbv, srt] as const;

const all: readonly (SubtitleNotation & { readonly id: SubtitleFormat })[] = notations;

export const SUBTITLE_FORMATS: readonly SubtitleFormat[] = all.map(({ id }) => id).toReversed();

/** Every extension of a subtitle format, without the dot. */
export const SUBTITLE_EXTENSIONS: readonly string[] = all.flatMap(({ extensions }) => extensions);

export function subtitleNotation(format: SubtitleFormat): SubtitleNotation {
  const found = all.find(({ id }) => id === format);
  if (!found) throw new RangeError(`unknown subtitle format ${format}`);
  return found;
}

/** @throws DragomanError `unreadable_input` with line and column if the text is malformed */
export function scanSubtitles(
  text: string,
  format: SubtitleFormat,
  options: SubtitleScanOptions = {},
): SubtitleDocument {
  return subtitleNotation(format).scan(text, options);
}

/** The format of a text without a name, according to its beginning. Default: SubRip. */
export function subtitleFormatOfText(text: string): SubtitleFormat {
  return (all.find(({ recognizes }) => recognizes(text)) ?? srt).id;
}
