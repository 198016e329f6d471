import { Readable } from 'node:stream';
import { EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import {
  TransportError,
  type Stop,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

export interface UndiciTransportOptions {
  readonly origin: string;
  /** Persistent connections, with one request at a time on each. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** The certificates of Node and the user, which replace Node's own. */
  readonly ca?: readonly string[] | undefined;
  /** The proxy, and the hosts that are accessed directly. */
  readonly proxy?: { readonly url: string; readonly except: string } | undefined;
}

/**
 * HTTP/1.1 over persistent connections. No pipelining: a broken connection would lose all its requests, most of which
 * must not be sent twice.
 */
export function createUndiciTransport(options: UndiciTransportOptions): Transport {
  const dispatcher = createDispatcher(options);
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        dispatcher.dispatch(
          {
            origin: request.origin,
            path: request.path,
            method: request.method,
            headers: headersOf(request),
            body: bodyOf(request),
          },
          new TransportExchange(request.stop, resolve, reject),
        );
      }),
    close: () => dispatcher.destroy(),
  };
}

function createDispatcher({
  origin,
  connections,
  connectTimeoutMs,
  ca,
  proxy,
}: UndiciTransportOptions): Dispatcher {
  const tls = ca ? { ca: [...ca] } : {};
  const limits = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
  const connect = { ...tls, timeout: connectTimeoutMs };
  if (!proxy) return new Pool(origin, { ...limits, connect });
  return new EnvHttpProxyAgent({
    ...limits,
    connect,
    requestTls: connect,
    proxyTls: connect,
    httpProxy: proxy.url,
    httpsProxy: proxy.url,
    noProxy: proxy.except,
  });
}

function headersOf({ headers, body }: TransportRequest): Readonly<Record<string, string>> {
  // The proxy's dispatcher adds its own headers.
  return typeof body === 'object' ? { ...headers, 'content-length': String(body.length) } : headers;
}

function bodyOf({ body }: TransportRequest): Readable | string | null {
  return typeof body === 'object' ? Readable.from(body.chunks(), { objectMode: false }) : (body ?? null);
}

/** One request and its answer. */
class TransportExchange implements Dispatcher.DispatchHandler {
  readonly #stop: Stop;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (error: TransportError) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #body: AnswerBody | undefined;
  #isOver = false;

  constructor(
    stop: Stop,
    resolve: (response: TransportResponse) => void,
    reject: (error: TransportError) => void,
  ) {
    this.#stop = stop;
    this.#resolve = resolve;
    this.#reject = reject;
    stop.onStop(() => this.#end());
  }

  /** undici calls this method before it writes the first byte. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stop.stopped) controller.abort(new Error('aborted'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: TransportResponse['headers'],
  ): void {
    if (status < 200) return;
    const body = new AnswerBody(controller);
    this.#body = body;
    this.#resolve({ status, headers, body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#body?.add(chunk);
  }

  onResponseEnd(): void {
    this.#isOver = true;
    this.#body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#isOver = true;
    this.#fail(error);
  }

  /** A request that waits for a connection is notified at once, and is not sent later. */
  #end(): void {
    if (this.#isOver) return;
    const reason = new Error('aborted');
    if (this.#controller) this.#controller.abort(reason);
    else this.#fail(reason);
  }

  #fail(cause: unknown): void {
    const error = new TransportError(this.#controller !== undefined, cause);
    if (this.#body) this.#body.fail(error);
    else this.#reject(error);
  }
}

/** Maximum bytes of unread chunks, beyond which the sender must wait. */
const MAX_WAITING = 256 * 1024;

/** The body of an answer as it arrives. */
class AnswerBody implements AsyncIterable<Uint8Array> {
  readonly #controller: Dispatcher.DispatchController;
  readonly #chunks: Uint8Array[] = [];
  #waiting = 0;
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting > MAX_WAITING) this.#controller.pause();
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  fail(error: Error): void {
    this.#error ??= error;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        for (;;) {
          const value = this.#chunks.shift();
          if (value) {
            this.#waiting -= value.length;
            return { done: false, value };
          }
          if (this.#error) throw this.#error;
          if (this.#ended) return END;
          if (this.#controller.paused) this.#controller.resume();
          await new Promise<void>((resolve) => (this.#wake = resolve));
        }
      },
      // A reader that stops early closes the connection instead of waiting for the rest.
      return: () => {
        if (!this.#ended && !this.#error) this.#controller.abort(new Error('not read to its end'));
        return Promise.resolve(END);
      },
    };
  }
}

const END = { done: true, value: undefined } as const;
