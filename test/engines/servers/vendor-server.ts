import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

export interface VendorRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export interface VendorAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** JSON, or a literal text. */
  readonly body: unknown;
}

/** A way in which the server fails to answer normally. */
export type Fault =
  /** The connection ends in the middle of the answer. */
  | 'cut'
  /** There is no answer. */
  | 'stall'
  /** The answer is not HTTP. */
  | 'garbage'
  /** The answer is larger than the client's limit. */
  | 'huge'
  | VendorAnswer
  /** Changes the answer. */
  | ((answer: VendorAnswer, request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>);

/** A local server that speaks the protocol of a service. */
export interface VendorServer {
  readonly url: string;
  readonly requests: VendorRequest[];
  /** The requests for a translation. */
  readonly translations: VendorRequest[];
  /** The faults of the next translation requests, in order; `always` applies to all later ones. */
  readonly faults: Fault[];
  always: Fault | undefined;
  /** The faults of the next requests of other kinds. */
  readonly otherFaults: Fault[];
  close(): Promise<void>;
}

export interface Protocol {
  isTranslation(request: VendorRequest): boolean;
  answer(request: VendorRequest): VendorAnswer;
}

export async function startVendor(protocol: Protocol): Promise<VendorServer> {
  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch(() => response.destroy());
  });
  const started: VendorServer = {
    url: '',
    requests: [],
    translations: [],
    faults: [],
    always: undefined,
    otherFaults: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const sent = await readText(incoming);
    const body = sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>);
    const request = { method, path: url, headers, body };
    started.requests.push(request);
    const isTranslation = protocol.isTranslation(request);
    if (isTranslation) started.translations.push(request);
    const fault = isTranslation ? (started.faults.shift() ?? started.always) : started.otherFaults.shift();
    if (fault === 'stall') return;
    if (fault === 'garbage') {
      incoming.socket.end('This is \u0001 not HTTP\r\n\r\n');
      return;
    }
    if (fault === 'huge') return write(response, { status: 200, body: 'x'.repeat(20 * 1024 * 1024) });
    const answer = protocol.answer(request);
    if (fault === 'cut') {
      const whole = JSON.stringify(answer.body);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length + 100 });
      response.write(whole.slice(0, 20), () => incoming.socket.destroy());
      return;
    }
    if (typeof fault === 'function') return write(response, await fault(answer, request));
    write(response, fault ?? answer);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(started, { url: `http://127.0.0.1:${port}` });
}

function write(response: ServerResponse, { status, headers, body }: VendorAnswer): void {
  if (status === 204) {
    response.writeHead(status).end();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

/** Translates the words of markup and keeps its tags and escapes, and untranslatable content. */
export function shout(markup: string, kept: RegExp): string {
  const parts = markup.split(new RegExp(`(${kept.source}|<[^>]*>|&[^;\\s]+;)`));
  return parts.map((part, i) => (i % 2 === 0 ? part.toUpperCase() : part)).join('');
}
