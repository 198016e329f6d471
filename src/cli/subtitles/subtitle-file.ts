import { DragomanError } from '../../base/errors.ts';
import { decode, type Decoded } from '../../formats/encoding.ts';
import { readCueText, wordsOf } from '../../formats/subtitles/cue-text.ts';
import type { SubtitleDocument, SubtitleFormat } from '../../formats/subtitles/document.ts';
import { scanSubtitles, subtitleFormatOfPath, subtitleFormatOfText } from '../../formats/subtitles/format.ts';
import { readInput } from '../../pipeline/open-file.ts';
import { readStandardBytes } from '../input.ts';
import type { Terminal } from '../terminal.ts';

/** A subtitle file that was read and scanned. Holds no handle. */
export interface SubtitleFile {
  /** As the user knows it. */
  readonly name: string;
  /** Undefined for standard input. */
  readonly path: string | undefined;
  readonly format: SubtitleFormat;
  readonly document: SubtitleDocument;
  readonly decoded: Decoded;
}

/**
 * Reads a file, or standard input for `-`.
 *
 * @throws DragomanError `usage` for another extension, `unreadable_input` with the file's name and the place.
 */
export async function openSubtitles(
  path: string,
  encoding: string | undefined,
  terminal: Terminal,
): Promise<SubtitleFile> {
  if (path === '-') return read(await readStandardBytes(terminal), 'standard input', undefined, encoding);
  const format = subtitleFormatOfPath(path);
  if (!format) {
    throw new DragomanError('usage', `${path} is not named as a subtitle file`, {
      hint: 'Known extensions: srt, vtt. What standard input holds is told by its first line.',
    });
  }
  return read(await readInput(path), path, format, encoding);
}

async function read(
  bytes: Uint8Array,
  name: string,
  named: SubtitleFormat | undefined,
  encoding: string | undefined,
): Promise<SubtitleFile> {
  try {
    const decoded = await decode(bytes, named ?? 'srt', encoding);
    const format = named ?? subtitleFormatOfText(decoded.text);
    const document = scanSubtitles(decoded.text, format);
    return { name, path: named && name, format, document, decoded };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(name) : error;
  }
}

/** The words of all cues, for detection. */
export function spokenTexts({ document }: SubtitleFile): readonly string[] {
  return document.cues.map((cue) => wordsOf(readCueText(cue.text))).filter((words) => /\p{L}/u.test(words));
}

/**
 * The bytes of a result: encoded as its source, or as UTF-8 where that cannot hold it, and where a SubRip file becomes
 * WebVTT, which is always UTF-8.
 */
export function encodeResult(
  { decoded, format }: SubtitleFile,
  content: string,
  to: SubtitleFormat,
): { readonly bytes: Uint8Array; readonly charset: string } {
  const { charset, bom } = decoded.encoding;
  const converted = to === 'vtt' && format === 'srt' && charset !== 'utf-8';
  if (!converted && decoded.encodable(content)) return { bytes: decoded.encode(content), charset };
  return { bytes: Buffer.from(bom && charset === 'utf-8' ? `\ufeff${content}` : content), charset: 'utf-8' };
}
