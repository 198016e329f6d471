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

/** The answer that gives a file: its bytes as they are, under its name, for a program to save and none to open. */
export function answerFile({ filename, size, content }: JobFile): Response {
  const extension = extname(filename).toLowerCase();
  const type = Object.entries(FILE_TYPES).find(([known]) => known === extension)?.[1];
  return new Response(streamOf(content), {
    status: 200,
    headers: {
      'content-type': type === undefined ? 'application/octet-stream' : MEDIA_TYPES[type],
      'content-disposition': attachment(filename.toWellFormed()),
      ...(size !== undefined && { 'content-length': String(size) }),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}

/** A stream that ends the file's reading with the client's. */
function streamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
