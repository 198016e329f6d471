import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a client may take to read the last answer of its connection. */
const UNREAD_MS = 5_000;

/** Answers on a connection whose request never became one, and ends it. */
export function answerRaw(socket: Duplex, status: number, detail: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  const timer = setTimeout(() => socket.destroy(), UNREAD_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const PARSE_FAILURES: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the request headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the request body has too many chunk extensions'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long'],
};

/** The answer to bytes that are no HTTP request; undefined when the client is gone. */
export function parseFailureOf({ code = '' }: NodeJS.ErrnoException): readonly [number, string] | undefined {
  if (code === 'ECONNRESET' || code === 'EPIPE') return undefined;
  return PARSE_FAILURES[code] ?? [400, 'the request is not valid HTTP'];
}
