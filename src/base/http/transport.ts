/** A body that is produced while it is sent. */
export interface StreamedBody {
  /** The exact number of bytes. */
  readonly length: number;
  /** Starts from the beginning with each call. The last chunk completes the request. */
  chunks(): AsyncIterable<Uint8Array>;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly origin: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | StreamedBody | undefined;
  readonly stop: Stop;
}

/**
 * Ends an exchange from outside, even while the body of the answer is read. An AbortSignal would cost as much as the
 * rest of a request.
 */
export interface Stop {
  readonly stopped: boolean;
  /** Calls the listener (at most one) when the exchange stops, or at once if it has stopped. */
  onStop(listener: () => void): void;
}

export interface TransportResponse {
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Must be iterated once: to its end, or until the caller stops. Throws if the answer is cut off. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends requests to the service, without retries, redirects and time limits. */
export interface Transport {
  /** @throws TransportError */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** No answer was received. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** False if no byte of the request was sent, so that it cannot have been processed. */
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super('no answer', { cause });
    this.sent = sent;
  }
}

/** The first value of a header. */
export function headerOf({ headers }: Pick<TransportResponse, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The body of an answer in memory; undefined if it has more than `max` bytes. @throws errors of the transport */
export async function readBytes(response: TransportResponse, max: number): Promise<Buffer | undefined> {
  const announced = Number(headerOf(response, 'content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > max || announced > max) return undefined;
    chunks.push(chunk);
  }
  const [only] = chunks;
  return only && chunks.length === 1
    ? Buffer.from(only.buffer, only.byteOffset, size)
    : Buffer.concat(chunks, size);
}

export function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type.trim());
}
