import { DragomanError } from '../../base/errors.ts';
import { decode, type Decoded } from '../../formats/encoding.ts';
import { problemError, type SubtitleDocument } from '../../formats/subtitles/document.ts';
import { type SubtitleFormat, subtitleFormatOfPath } from '../../formats/subtitles/names.ts';
import {
  scanSubtitles,
  SUBTITLE_EXTENSIONS,
  subtitleFormatOfText,
  subtitleNotation,
} from '../../formats/subtitles/format.ts';
import { readInput } from '../localization/open-file.ts';
import { SUBTITLES, type SubtitleContext, type TranslatedSubtitles } from './translate-subtitles.ts';

/** A subtitle file, read and scanned. Holds no handle. */
export interface OpenSubtitles {
  readonly format: SubtitleFormat;
  readonly document: SubtitleDocument;
  readonly decoded: Decoded;
}

export interface SubtitleOpening {
  /** The charset of a file that is not Unicode: `windows-1252`. */
  readonly encoding?: string;
  /** Rejects a file with unreadable parts. Default: they stay unchanged. */
  readonly strict?: boolean;
  /** Frames per second of a MicroDVD file that does not specify them. Default: 23.976. */
  readonly fps?: number;
  /** Accepts any extension: the beginning of the file determines the format. */
  readonly isAnyName?: boolean;
}

/**
 * Reads and scans a subtitle file.
 *
 * @throws DragomanError `usage` for another extension, `unreadable_input` with the file's name and the place
 */
export async function openSubtitles(path: string, options: SubtitleOpening = {}): Promise<OpenSubtitles> {
  const bytes = await readInput(path);
  if (subtitleFormatOfPath(path) === undefined && options.isAnyName !== true) {
    throw new DragomanError('usage', `${path} does not have a subtitle extension`, {
      hint: `Known extensions: ${SUBTITLE_EXTENSIONS.join(', ')}. With --format, a file may have any name.`,
    });
  }
  return openSubtitleBytes(bytes, path, options);
}

/** Same as {@link openSubtitles}, for bytes in memory; `path` determines the extension and the name in errors. */
export async function openSubtitleBytes(
  bytes: Uint8Array,
  path: string,
  { encoding, strict = false, fps }: SubtitleOpening = {},
): Promise<OpenSubtitles> {
  try {
    const named = subtitleFormatOfPath(path);
    const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1').replace(/^ï»¿/, '');
    const declaredBy = subtitleNotation(named ?? subtitleFormatOfText(head));
    const decoded = await decode(bytes, 'subtitles', encoding ?? declaredBy.charset?.find(head));
    const format = named ?? subtitleFormatOfText(decoded.text);
    const document = scanSubtitles(decoded.text, format, { fps });
    const [problem] = document.problems;
    if (strict && problem) throw problemError(document.text, problem);
    return { format, document, decoded };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

/**
 * Translates a subtitle file; no byte outside texts changes. A cue that fails keeps its source and is reported.
 *
 * @throws DragomanError `engine_unavailable`, `interrupted`, `integrity`
 */
export async function translateSubtitleFile(
  file: OpenSubtitles,
  context: SubtitleContext,
): Promise<TranslatedSubtitles & { readonly bytes: Uint8Array }> {
  const translated = await SUBTITLES.translate(file.document, context);
  return { ...translated, bytes: encodeSubtitles(file, translated.content).bytes };
}

/**
 * Encodes a result like its source, or as UTF-8 if the source's encoding cannot represent it or the new format requires
 * UTF-8.
 *
 * @param to the format of the content; default: that of the file
 */
export function encodeSubtitles(
  { decoded, format }: OpenSubtitles,
  content: string,
  to: SubtitleFormat = format,
): { readonly bytes: Uint8Array; readonly charset: string } {
  const { charset, bom } = decoded.encoding;
  const converted = to !== format && subtitleNotation(to).isUtf8 === true && charset !== 'utf-8';
  if (!converted && decoded.encodable(content)) return { bytes: decoded.encode(content), charset };
  return { bytes: Buffer.from(bom && charset === 'utf-8' ? `\ufeff${content}` : content), charset: 'utf-8' };
}
