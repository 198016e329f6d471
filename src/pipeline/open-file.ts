import { readFile, stat } from 'node:fs/promises';
import { DragomanError } from '../base/errors.ts';
import { reasonOf } from '../base/system-error.ts';
import { decode, type Decoded } from '../formats/encoding.ts';
import type { Document, Format, FormatId, ScanOptions } from '../formats/format.ts';
import { loadFormat, requireFormatOfPath } from '../formats/registry.ts';

/** A file that was read, decoded and scanned. Holds no handle. */
export interface OpenFile {
  readonly path: string;
  readonly format: Format;
  readonly document: Document;
  readonly scanOptions: ScanOptions;
  readonly encoding: Decoded['encoding'];
  encode(text: string): Uint8Array;
}

export interface OpenOptions {
  /** Default: by the extension. */
  readonly format?: FormatId | undefined;
  /** The language of the file, canonical, when the caller knows it. */
  readonly locale?: string | undefined;
  /** The document that the file is a translation of, where the caller has it: the same keys get the same names. */
  readonly source?: Document | undefined;
}

/** Larger inputs are refused before they are read: nothing people keep in repositories comes near. */
const MAX_BYTES = 256 * 1024 * 1024;

/** @throws DragomanError `unreadable_input` (missing, not a file, wrong encoding, not well-formed), `limit_exceeded`, `usage` for an unknown extension; always with the file's name. */
export async function openFile(path: string, options: OpenOptions = {}): Promise<OpenFile> {
  return openBytes(await readInput(path), path, options);
}

/** As {@link openFile}, for bytes that are there already; `path` gives the extension and the name in errors. */
export async function openBytes(
  bytes: Uint8Array,
  path: string,
  options: OpenOptions = {},
): Promise<OpenFile> {
  const format = await loadFormat(options.format ?? requireFormatOfPath(path));
  try {
    const decoded = await decode(bytes, format.id);
    const { locale, source } = options;
    const scanOptions: ScanOptions = { locale, source, encodable: (text) => decoded.encodable(text) };
    return {
      path,
      format,
      document: format.scan(decoded.text, scanOptions),
      scanOptions,
      encoding: decoded.encoding,
      encode: (text) => decoded.encode(text),
    };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

/** The bytes of a regular file. @throws DragomanError `unreadable_input` or `limit_exceeded`, with the file's name. */
export async function readInput(path: string): Promise<Uint8Array> {
  try {
    const info = await stat(path);
    if (!info.isFile())
      throw unreadable(path, info.isDirectory() ? 'is a directory' : 'is not a regular file');
    if (info.size > MAX_BYTES) {
      throw new DragomanError(
        'limit_exceeded',
        `the file has more than ${MAX_BYTES / 1024 / 1024} MiB`,
      ).inFile(path);
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw unreadable(path, reasonOf(error), error);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): DragomanError {
  return new DragomanError('unreadable_input', `cannot read ${path}: ${reason}`, { cause });
}
