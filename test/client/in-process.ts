import { TransportError, type Transport, type TransportRequest } from '../../src/client/transport.ts';

/** What a Hono app is, as far as it matters here. */
export interface FetchApp {
  fetch(request: Request): Response | Promise<Response>;
}

/** Gives requests to an app of this process: the whole system without a socket. */
export function inProcessTransport(app: FetchApp): Transport {
  return {
    send: async (request) => {
      const answered = Promise.resolve(app.fetch(requestOf(request)));
      const response = await interruptible(answered, request.signal);
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: chunksOf(response, request.signal),
      };
    },
    close: () => Promise.resolve(),
  };
}

function requestOf({ method, origin, path, headers, body, signal }: TransportRequest): Request {
  const init = { method, headers, signal };
  if (body === undefined) return new Request(origin + path, init);
  if (typeof body === 'string') return new Request(origin + path, { ...init, body });
  const stream = ReadableStream.from(body.chunks());
  const sized = { ...headers, 'content-length': String(body.length) };
  return new Request(origin + path, { ...init, headers: sized, body: stream, duplex: 'half' });
}

function interruptible<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new TransportError(true, new Error('aborted')));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, (error: unknown) => reject(new TransportError(true, error)));
  });
}

async function* chunksOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    for (;;) {
      const { done, value } = await interruptible(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
