import { request, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';

export type Fields = Readonly<Record<string, unknown>>;

/** A complete answer of the server. */
export class Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  /** The JSON object that is the body of an answer with this status. */
  object(status = 200): Fields {
    expect([this.status, this.text.slice(0, 300)]).toEqual([status, expect.anything()]);
    expect(this.headers['content-type']).toMatch(/^application\/json(;|$)/);
    return fieldsOf(this.json);
  }
}

export interface Sent {
  readonly method?: string;
  /** Sent as written: header names keep their case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends a request over a separate connection. */
export function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(
      url,
      { method, headers: { ...length, ...headers }, agent: false, timeout: 45_000 },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve(new Answer(answer.statusCode ?? 0, answer.headers, Buffer.concat(chunks))),
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${url}`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** An error according to the specification: a JSON object with one string field. */
export function expectError(
  answer: Answer,
  status: number,
  text: string | RegExp,
  field: 'detail' | 'error' = 'detail',
): void {
  const body = answer.object(status);
  expect(Object.keys(body)).toEqual([field]);
  expect(body[field]).toEqual(expect.any(String));
  if (typeof text === 'string') expect(body[field]).toBe(text);
  else expect(body[field]).toMatch(text);
}

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`not an object: ${JSON.stringify(value)}`);
  }
  return value as Fields;
}

export function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) throw new TypeError(`not an array: ${JSON.stringify(value)}`);
  return value.map(fieldsOf);
}

/** Requires exactly these names, in any order. */
export function expectNames(value: unknown, ...names: readonly string[]): void {
  expect(Object.keys(fieldsOf(value)).sort()).toEqual([...names].sort());
}
