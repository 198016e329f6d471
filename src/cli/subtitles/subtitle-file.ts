import { DragomanError } from '../../base/errors.ts';
import { decode, type Decoded } from '../../formats/encoding.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import type { SubtitleFormat } from '../../formats/subtitles/format.ts';
import { problemError } from '../../formats/subtitles/problem.ts';
import {
  scanSubtitles,
  SUBTITLE_EXTENSIONS,
  subtitleFormatOfPath,
  subtitleFormatOfText,
  subtitleNotation,
} from '../../formats/subtitles/format.ts';
import { readInput } from '../../documents/localization/open-file.ts';
import type { NamedFile } from '../documents/run.ts';
import { readStandardBytes } from '../input.ts';
import type { Terminal } from '../terminal.ts';

/** A subtitle file that was read and scanned. Holds no handle. */
export interface SubtitleFile extends NamedFile {
  readonly format: SubtitleFormat;
  readonly document: SubtitleDocument;
  readonly decoded: Decoded;
}

export interface SubtitleOpening {
  /** What the result is to be: a file with another extension may be opened then. */
  readonly format?: SubtitleFormat;
  readonly encoding?: string;
  /** Refuses a file with anything that cannot be read. */
  readonly strict?: boolean;
}

/**
 * Reads a file, or standard input for `-`. By its first line one with another extension is WebVTT or SubRip, like
 * standard input.
 *
 * @throws DragomanError `usage` for another extension without a format, `unreadable_input` with the file's name and the
 * place.
 */
export async function openSubtitles(
  path: string,
  options: SubtitleOpening,
  terminal: Terminal,
): Promise<SubtitleFile> {
  const source: Source =
    path === '-'
      ? { name: 'standard input', path: undefined, format: undefined }
      : { name: path, path, format: subtitleFormatOfPath(path) };
  if (path === '-') return read(await readStandardBytes(terminal), source, options);
  const bytes = await readInput(path);
  if (!source.format && !options.format) {
    throw new DragomanError('usage', `${path} is not named as a subtitle file`, {
      hint: `Known extensions: ${SUBTITLE_EXTENSIONS.join(', ')}. With --format, a file may have any name.`,
    });
  }
  return read(bytes, source, options);
}

interface Source extends Pick<SubtitleFile, 'name' | 'path'> {
  /** As its name says. */
  readonly format: SubtitleFormat | undefined;
}

async function read(
  bytes: Uint8Array,
  { name, path, format: named }: Source,
  { encoding, strict = false }: SubtitleOpening,
): Promise<SubtitleFile> {
  try {
    const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1').replace(/^ï»¿/, '');
    const declaredBy = subtitleNotation(named ?? subtitleFormatOfText(head));
    const decoded = await decode(bytes, 'subtitles', encoding ?? declaredBy.charset?.find(head));
    const format = named ?? subtitleFormatOfText(decoded.text);
    const document = scanSubtitles(decoded.text, format);
    const [problem] = document.problems;
    if (strict && problem) throw problemError(document.text, problem);
    return { name, path, format, document, decoded };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(name) : error;
  }
}

/**
 * The bytes of a result: encoded as its source, or as UTF-8 where that cannot hold it, and where it becomes one of a
 * format that is always in UTF-8.
 */
export function encodeResult(
  { decoded, format }: SubtitleFile,
  content: string,
  to: SubtitleFormat,
): { readonly bytes: Uint8Array; readonly charset: string } {
  const { charset, bom } = decoded.encoding;
  const converted = to !== format && subtitleNotation(to).isUtf8 === true && charset !== 'utf-8';
  if (!converted && decoded.encodable(content)) return { bytes: decoded.encode(content), charset };
  return { bytes: Buffer.from(bom && charset === 'utf-8' ? `\ufeff${content}` : content), charset: 'utf-8' };
}
