import {
  TransportError,
  type Stop,
  type Transport,
  type TransportRequest,
} from '../../src/base/http/transport.ts';

/** The part of a Hono app that these tests use. */
export interface FetchApp {
  fetch(request: Request): Response | Promise<Response>;
}

/** Passes requests to an app in this process: the whole system without a socket. */
export function inProcessTransport(app: FetchApp): Transport {
  return {
    send: async (request) => {
      const abort = new AbortController();
      const answered = Promise.resolve(app.fetch(requestOf(request, abort.signal)));
      const response = await interruptible(answered, request.stop, abort);
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: chunksOf(response, request.stop),
      };
    },
    close: () => Promise.resolve(),
  };
}

function requestOf({ method, origin, path, headers, body }: TransportRequest, signal: AbortSignal): Request {
  const init = { method, headers, signal };
  if (body === undefined) return new Request(origin + path, init);
  if (typeof body === 'string') return new Request(origin + path, { ...init, body });
  const stream = ReadableStream.from(body.chunks());
  const sized = { ...headers, 'content-length': String(body.length) };
  return new Request(origin + path, { ...init, headers: sized, body: stream, duplex: 'half' });
}

function interruptible<T>(work: Promise<T>, stop: Stop, abort?: AbortController): Promise<T> {
  return new Promise((resolve, reject) => {
    stop.onStop(() => {
      abort?.abort();
      reject(new TransportError(true, new Error('aborted')));
    });
    work.then(resolve, (error: unknown) => reject(new TransportError(true, error)));
  });
}

async function* chunksOf({ body }: Response, stop: Stop): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    for (;;) {
      const { done, value } = await interruptible(reader.read(), stop);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
