import { extname } from 'node:path';
import { create as attachment } from 'content-disposition';
import { FILE_TYPES } from '../contract/jobs.ts';
import type { JobFile } from '../service/jobs.ts';

type FileType = (typeof FILE_TYPES)[keyof typeof FILE_TYPES];

/** Without a charset: the file says itself what it is in, or its format does. */
const MEDIA_TYPES: Readonly<Record<FileType, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  po: 'text/x-gettext-translation',
  properties: 'text/x-java-properties',
  strings: 'application/octet-stream',
  xml: 'application/xml',
};

/**
 * The answer that gives a file: its bytes as they are, under its name, for a program to save and none to open.
 *
 * @param onFailure is called when the file could not be read to its end, and returns whether it has cut the connection:
 *   the answer must not look whole
 */
export function answerFile(
  { filename, size, content }: JobFile,
  onFailure: (error: unknown) => boolean,
): Response {
  const extension = extname(filename).toLowerCase();
  const type = Object.entries(FILE_TYPES).find(([known]) => known === extension)?.[1];
  return new Response(streamOf(content, onFailure), {
    status: 200,
    headers: {
      'content-type': type === undefined ? 'application/octet-stream' : MEDIA_TYPES[type],
      'content-disposition': disposition(filename),
      ...(size !== undefined && { 'content-length': String(size) }),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}

/** Quoted also where it need not be: many a client looks for the quotes. */
function disposition(filename: string): string {
  return attachment(filename.toWellFormed()).replace(/filename=([^";]+)/, 'filename="$1"');
}

/** A stream that ends the file's reading with the client's. */
function streamOf(
  content: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => boolean,
): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    } catch (error) {
      // A connection that was cut cancels this stream by itself.
      if (!onFailure(error)) controller.error(error);
    }
  };
  const cancel = async (): Promise<void> => {
    await iterator.return?.();
  };
  // The file is read on demand: the answer to HEAD has no body.
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
