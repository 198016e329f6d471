import { readBounded } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { decode, type Decoded } from '../../formats/encoding.ts';
import type { Document, Key, ScanOptions } from '../../formats/format.ts';
import type { MessageRules } from '../../formats/message-rules.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import {
  BUILT_IN_FORMATS,
  type DescribedFormat,
  type Formats,
  type KnownFormat,
  loadFormat,
} from '../../formats/registry.ts';

/** A file, decoded and scanned. Holds no handle. */
export interface OpenFile {
  readonly path: string;
  readonly format: KnownFormat;
  readonly document: Document;
  /** The document for skeletons, if it differs from the scanned one. */
  readonly template?: Document | undefined;
  readonly scanOptions: ScanOptions;
  readonly encoding: Decoded['encoding'];
  encode(text: string): Uint8Array;
}

export interface OpenOptions {
  /** Default: the one among {@link formats} with the extension of the file. */
  readonly format?: DescribedFormat | undefined;
  /** Default: the built-in ones. */
  readonly formats?: Formats | undefined;
  /** The language of the file, canonical, if known. */
  readonly locale?: string | undefined;
  /** The document that the file translates, if available: equal keys get equal names. */
  readonly source?: Document | undefined;
  /** How the file's framework reads its messages, if known. */
  readonly messages?: MessageRules | undefined;
  /** The limits that the project's configuration states. */
  readonly limitOf?: ((key: Key) => LengthLimit | undefined) | undefined;
  readonly isUpload?: boolean | undefined;
}

/** Large enough that a licence may precede the text that identifies the format. */
const RECOGNIZED_WITHIN = 65_536;

/** A separate function, so that the closure that an open file keeps does not hold the bytes. */
function headReader(bytes: Uint8Array): () => string {
  return () => Buffer.from(bytes.subarray(0, RECOGNIZED_WITHIN)).toString('latin1');
}

function foreignFile({ title }: KnownFormat): DragomanError {
  return new DragomanError('unreadable_input', `this file is not in the format ${title}`, {
    at: { line: 1, column: 1 },
    hint: 'Other programs use this extension for files that cannot be translated.',
  });
}

/** The limit for files, far above any file in a repository. Larger files are refused before reading. */
export const MAX_INPUT_BYTES = 256 * 1024 * 1024;

/**
 * @throws DragomanError `not_a_file`, `unreadable_input` (missing, wrong encoding, malformed), `limit_exceeded`,
 * `usage` for an unknown extension; each with the file's name
 */
export async function openFile(path: string, options: OpenOptions = {}): Promise<OpenFile> {
  return openBytes(await readInput(path), path, options);
}

/** Same as {@link openFile}, for bytes in memory; `path` determines the extension and the name in errors. */
export async function openBytes(
  bytes: Uint8Array,
  path: string,
  options: OpenOptions = {},
): Promise<OpenFile> {
  const { formats = BUILT_IN_FORMATS } = options;
  const format = await loadFormat(options.format ?? formats.requireOfPath(path, headReader(bytes)));
  try {
    const decoded = await decodeFile(bytes, format);
    if (!format.isCode && format.recognizes?.(decoded.text.slice(0, RECOGNIZED_WITHIN), path) === false)
      throw foreignFile(format);
    const { locale, source, messages, isUpload } = options;
    const scanOptions: ScanOptions = {
      locale,
      source,
      messages,
      isUpload,
      encodable: (text) => decoded.encodable(text),
    };
    const document = format.scan(decoded.text, scanOptions);
    for (const slot of options.limitOf ? document.slots : []) {
      const limit = options.limitOf?.(slot.key);
      if (limit) slot.limit = limit;
    }
    return {
      path,
      format,
      document,
      scanOptions,
      encoding: decoded.encoding,
      encode: (text) => decoded.encode(text),
    };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

const decodings = new WeakMap<Uint8Array, Promise<Decoded>>();

/** Decodes a multilingual file once for all languages read from the same bytes. */
function decodeFile(bytes: Uint8Array, format: KnownFormat): Promise<Decoded> {
  const decoded = decodings.get(bytes) ?? decode(bytes, format);
  if (format.multilingual) decodings.set(bytes, decoded);
  return decoded;
}

/** Whether a file has only these keys. False for a malformed file. */
export async function hasNoOtherKeys(
  bytes: Uint8Array,
  options: Pick<OpenOptions, 'messages'> & { readonly format: DescribedFormat },
  isKnown: (key: Key) => boolean,
): Promise<boolean> {
  const { messages } = options;
  const format = await loadFormat(options.format);
  try {
    const { text } = await decode(bytes, format);
    return format.scan(text, { messages }).slots.every(({ key }) => isKnown(key));
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return false;
  }
}

/** The messages that a catalogue marks obsolete; none if it is unreadable. */
export async function readGoneKeys(
  read: () => Uint8Array,
  options: { readonly format: DescribedFormat },
): Promise<readonly Key[]> {
  const format = await loadFormat(options.format);
  if (!format.goneKeys) return [];
  try {
    return format.goneKeys((await decode(read(), format)).text);
  } catch (error) {
    if (error instanceof DragomanError) return [];
    throw error;
  }
}

/**
 * The bytes of a regular file.
 *
 * @throws DragomanError `not_a_file`, `unreadable_input` or `limit_exceeded`, with the file's name
 */
export function readInput(path: string, limit: number = MAX_INPUT_BYTES): Promise<Uint8Array> {
  return readBounded(path, { limit });
}
