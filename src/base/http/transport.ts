/** A body that is made while it is sent. */
export interface StreamedBody {
  /** Bytes, exactly. */
  readonly length: number;
  /** From the beginning, each time it is called. Its last chunk completes the request. */
  chunks(): AsyncIterable<Uint8Array>;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | StreamedBody | undefined;
  readonly stop: Stop;
}

/**
 * Ends an exchange from outside, also while the body of the answer is read. An AbortSignal would say the same, and
 * cost as much as the rest of a request does here.
 */
export interface Stop {
  readonly stopped: boolean;
  /** The listener, one at most, is called when it stops, or now when it has. */
  onStop(listener: () => void): void;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** To be read to its end, or left by ending the iteration, once. It throws when the answer is cut off. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Carries requests to the service. It retries nothing, follows no redirect, and sets no time limit. */
export interface Transport {
  /** @throws TransportError */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** There is no answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** False when no byte of the request has left: it cannot have been processed. */
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

/** The body of an answer in memory; undefined when it has more than `max` bytes. @throws what the transport throws. */
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
