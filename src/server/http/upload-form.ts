import { createWriteStream } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { DragomanError } from '../../base/errors.ts';
import { systemError } from '../../base/system-error.ts';
import { MAX_FILE_BYTES } from '../../contract/limits.ts';
import { eachChunk, type BodyLimits } from './body.ts';
import { Refusal } from '../guards/refusal.ts';

/** Enough for fifty codes or a long URL. */
const MAX_FIELD_BYTES = 16 * 1024;
const MAX_FIELDS = 16;
const MAX_HEADER_BYTES = 8 * 1024;

/** The file, the fields, and the lines between them. Even a slow connection can send ten megabytes in this time. */
export const FORM_LIMITS: BodyLimits = { bytes: MAX_FILE_BYTES + 512 * 1024, ms: 120_000 };

interface FilePart {
  readonly name: string;
  readonly stream: BusboyFileStream;
  readonly filename: string | undefined;
}

/** A completely received form. */
export class UploadedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly filename: string; readonly path: string };

  constructor(fields: ReadonlyMap<string, string>, file: UploadedForm['file']) {
    this.fields = Object.fromEntries(fields);
    this.file = file;
  }
}

/** Receives a form with one file, which is written to a path as it arrives. */
export class UploadForm {
  readonly #path: string;
  readonly #fields = new Map<string, string>();
  #filename: string | undefined;
  #stream: BusboyFileStream | undefined;
  #written: Promise<void> = Promise.resolve();
  /** Why the form is refused. The rest of it is not read. */
  #problem: unknown;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Nothing writes to the path after it settles.
   *
   * @throws Refusal 413; DragomanError `invalid_request` for an invalid or incomplete form, without exactly one file,
   *   or with a repeated field.
   */
  async receive(body: Readable, contentType: string): Promise<UploadedForm> {
    const parser = this.#open(contentType);
    const done = finished(parser).catch(() => this.#refuse('the form is malformed or was cut off'));
    try {
      await eachChunk(body, FORM_LIMITS, (chunk) => this.#feed(parser, chunk));
      parser.end();
      await done;
      await this.#written;
    } catch (error) {
      this.#problem ??= error;
    }
    if (this.#problem !== undefined) {
      this.#stream?.destroy();
      await this.#written.catch(() => undefined);
      throw this.#problem;
    }
    if (this.#filename === undefined) throw invalid('file is required');
    return new UploadedForm(this.#fields, { filename: this.#filename, path: this.#path });
  }

  #open(contentType: string): BusboyInstance {
    const limits = {
      fileSize: MAX_FILE_BYTES,
      files: 1,
      fields: MAX_FIELDS,
      parts: MAX_FIELDS + 1,
      fieldSize: MAX_FIELD_BYTES,
      headerPairs: 16,
      headerSize: MAX_HEADER_BYTES,
    };
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits,
        preservePath: true,
        isPartAFile: (name, _type, filename) => name === 'file' || filename !== undefined,
      });
    } catch {
      throw invalid('the form has no boundary in its Content-Type');
    }
    return parser
      .on('file', (name, stream, filename) => this.#takeFile(parser, { name, stream, filename }))
      .on('field', (name, value, nameTruncated, valueTruncated) => {
        if (nameTruncated || valueTruncated)
          this.#refuse(`a form field cannot be longer than ${MAX_FIELD_BYTES} bytes`);
        else if (this.#fields.has(name)) this.#refuse('the form has a field twice');
        else this.#fields.set(name, value);
      })
      .on('filesLimit', () => this.#refuse('the form can contain only one file'))
      .on('fieldsLimit', () => this.#refuse('the form has too many fields'))
      .on('partsLimit', () => this.#refuse('the form has too many fields'));
  }

  #feed(parser: BusboyInstance, chunk: Buffer): Promise<void> | undefined {
    if (this.#problem !== undefined) return Promise.reject(this.#problem);
    if (parser.write(chunk)) return undefined;
    return new Promise((resolve) => {
      const go = (): void => {
        parser.off('drain', go).off('close', go);
        resolve();
      };
      parser.once('drain', go).once('close', go);
    });
  }

  /** Busboy neither drains nor finishes unless its file is read to the end, so it is destroyed with the file. */
  #takeFile(parser: BusboyInstance, { name, stream, filename }: FilePart): void {
    this.#stream = stream;
    stream.once('limit', () => {
      this.#problem ??= new Refusal(
        413,
        `the file cannot be larger than ${MAX_FILE_BYTES.toLocaleString('en')} bytes`,
      );
      stream.destroy();
      parser.destroy();
    });
    try {
      if (name !== 'file') throw invalid('the file must be in the form field "file"');
      this.#filename = uploadName(filename);
      this.#written = pipeline(stream, createWriteStream(this.#path, { flags: 'wx', mode: 0o600 }));
      // This promise is awaited later; until then a failure must not count as unhandled.
      this.#written.catch((error: unknown) => {
        this.#problem ??= storageError(error);
        parser.destroy();
      });
    } catch (error) {
      this.#problem ??= error;
      stream.on('error', () => undefined).resume();
    }
  }

  #refuse(message: string): void {
    this.#problem ??= invalid(message);
  }
}

/** The error of a disk that rejects an upload; other errors stay as they are. */
function storageError(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return systemError('unwritable_output', 'store the upload', error);
}

function invalid(message: string): DragomanError {
  return new DragomanError('invalid_request', message);
}

/** Leaves room for a language code in the name. */
const MAX_NAME_BYTES = 200;

/**
 * A job's name for an uploaded file: the last part of its path, in any system's notation, without control characters.
 *
 * @throws DragomanError `invalid_request` for a file without a name, or with one that is too long
 */
export function uploadName(sent: string | undefined): string {
  const base = win32.basename(posix.basename(sent ?? ''));
  const name = base
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .toWellFormed()
    .trim();
  if (name === '' || /^\.+$/.test(name)) throw new DragomanError('invalid_request', 'the file has no name');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new DragomanError(
      'invalid_request',
      `the name of the file cannot be longer than ${MAX_NAME_BYTES} bytes`,
    );
  }
  return name;
}
