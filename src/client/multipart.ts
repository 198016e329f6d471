import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readChunks } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import { reasonOf } from '../base/system-error.ts';
import { MAX_FILE_BYTES } from '../contract/limits.ts';
import type { JobUpload } from '../service/service.ts';
import type { StreamedBody } from '../base/http/transport.ts';

/** A form with a file that is read while it is sent. */
export interface Multipart extends StreamedBody {
  readonly contentType: string;
  /** Whether the last attempt sent everything: services do not process partial requests. */
  readonly wasComplete: boolean;
}

/**
 * The fields, then the file (RFC 7578). Does not use `FormData`, so that the length is known before the file is
 * read, and an attempt can be repeated; `fs.openAsBlob` is experimental in Node 20.
 *
 * @throws DragomanError `unreadable_input`, also while it is sent; `limit_exceeded` for a file over 10 MiB.
 */
export async function createMultipart(
  fields: Readonly<Record<string, string | undefined>>,
  file: JobUpload,
): Promise<Multipart> {
  const size = await sizeOf(file);
  const boundary = `dragoman-${randomUUID()}`;
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`],
  );
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\n${disposition('file', file.filename)}\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  let wasComplete = false;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: head.length + size + tail.length,
    get wasComplete() {
      return wasComplete;
    },
    async *chunks() {
      wasComplete = false;
      yield head;
      yield* contentOf(file, size);
      wasComplete = true;
      yield tail;
    },
  };
}

async function sizeOf({ path }: JobUpload): Promise<number> {
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, reasonOf(cause), cause);
  });
  if (!found.isFile()) throw unreadable(path, 'is not a file');
  if (found.size <= MAX_FILE_BYTES) return found.size;
  throw new DragomanError(
    'limit_exceeded',
    `the file has ${found.size.toLocaleString('en')} bytes; a job accepts at most ${MAX_FILE_BYTES.toLocaleString('en')}`,
  ).inFile(path);
}

async function* contentOf({ path }: JobUpload, size: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  try {
    // One byte more than allowed shows that the file has grown.
    for await (const chunk of readChunks(path, { limit: MAX_FILE_BYTES + 1 })) {
      read += chunk.length;
      if (read > size) break;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof DragomanError ? error : unreadable(path, reasonOf(error), error);
  }
  if (read !== size) throw unreadable(path, 'changed while it was sent');
}

function unreadable(path: string, reason: string, cause?: unknown): DragomanError {
  return new DragomanError('unreadable_input', reason, { cause }).inFile(path);
}

/** Escaped as in browsers, because RFC 7578 defines no escapes. */
function disposition(name: string, filename?: string): string {
  const escape = (text: string): string =>
    text.replace(/["\r\n]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  const file = filename === undefined ? '' : `; filename="${escape(filename)}"`;
  return `content-disposition: form-data; name="${escape(name)}"${file}`;
}
