import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const KEY_ID = 'AKIDEXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const TOKEN = 'a session/token==';

/** The next wrong answer; `endless` has no end, and `repeated` is a page without a last one. */
export type S3Fault =
  'cut' | 'tag' | 'damaged' | 'redirect' | 'lost' | 'endless' | 'repeated' | 503 | 429 | 403;

interface StoredObject {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly modified: number;
}

/**
 * A store that implements the necessary part of the S3 protocol. It accepts requests with a valid AWS Signature Version
 * 4, checked by independent code, whose content matches the signed digest.
 */
export class S3Server {
  readonly objects = new Map<string, StoredObject>();
  readonly faults: S3Fault[] = [];
  readonly requests: string[] = [];
  /** Old objects that every list contains, whatever was requested. */
  readonly foreign: string[] = [];
  /** Bytes of answers without an end. */
  poured = 0;
  /** Objects in one answer to a list. */
  pageSize = 3;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  static async start(): Promise<S3Server> {
    const started = new S3Server();
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  get env(): Readonly<Record<string, string>> {
    return {
      AWS_ACCESS_KEY_ID: KEY_ID,
      AWS_SECRET_ACCESS_KEY: SECRET,
      AWS_SESSION_TOKEN: TOKEN,
      AWS_REGION: 'eu-test-1',
      AWS_ENDPOINT_URL_S3: this.url,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    this.requests.push(`${request.method} ${request.url}`);
    const refusal = refusalOf(request, body);
    if (refusal !== undefined) return refuse(response, 403, refusal);
    const fault = this.faults.shift();
    if (fault === 403) return refuse(response, 403, 'AccessDenied');
    if (fault === 503 || fault === 429) return refuse(response, fault, 'SlowDown');
    if (fault === 'redirect') return void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    const url = new URL(request.url ?? '', this.url);
    const [, bucket, ...path] = url.pathname.split('/').map(decodeURIComponent);
    if (bucket !== 'bucket') return refuse(response, 404, 'NoSuchBucket');
    const key = path.join('/');
    if (request.method === 'PUT') return this.#put(response, key, { request, body, fault });
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (key === '') return this.#list(response, url.searchParams, fault);
    if (fault === 'endless') return this.#pour(response);
    return this.#get(response, key, request.headers.range, fault);
  }

  #put(
    response: ServerResponse,
    key: string,
    { request, body, fault }: { request: IncomingMessage; body: Buffer; fault: S3Fault | undefined },
  ): void {
    const own = Object.entries(request.headers).filter(([name]) => name.startsWith('x-amz-meta-'));
    const headers = Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
    this.objects.set(key, { body, headers, modified: Date.now() });
    if (fault === 'lost') return void response.destroy();
    const tag = createHash('md5')
      .update(fault === 'tag' ? 'other' : body)
      .digest('hex');
    response.writeHead(200, { etag: `"${tag}"` }).end();
  }

  #get(response: ServerResponse, key: string, range: string | undefined, fault: S3Fault | undefined): void {
    const found = this.objects.get(key);
    if (!found) return refuse(response, 404, 'NoSuchKey');
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const rest = Buffer.from(found.body.subarray(from));
    if (fault === 'damaged') rest[0] = (rest[0] ?? 0) ^ 1;
    response.writeHead(range === undefined ? 200 : 206, { ...found.headers, 'content-length': rest.length });
    if (fault !== 'cut') return void response.end(rest);
    response.write(rest.subarray(0, rest.length / 2), () => response.destroy());
  }

  #pour(response: ServerResponse): void {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed) {
        this.poured += piece.length;
        if (!response.write(piece)) return;
      }
    };
    response.on('drain', more);
    more();
  }

  #list(response: ServerResponse, query: URLSearchParams, fault: S3Fault | undefined): void {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, this.pageSize);
    const contents = [...page, ...this.foreign].map((key) => {
      const modified = new Date(this.objects.get(key)?.modified ?? 0).toISOString();
      return `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><LastModified>${modified}</LastModified><ETag>&quot;x&quot;</ETag></Contents>`;
    });
    const isCut = keys.length > page.length || fault === 'repeated';
    const next = isCut ? `<NextContinuationToken>${page.at(-1) ?? 'x'}</NextContinuationToken>` : '';
    const truncated = `<IsTruncated>${isCut}</IsTruncated>${next}`;
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><ListBucketResult>${truncated}${contents.join('')}</ListBucketResult>`);
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the reason to reject a request, according to docs.aws.amazon.com, "Create a signed AWS API request". */
function refusalOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string | undefined {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, keyId, day = '', region = '', names = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  const payload = String(headers['x-amz-content-sha256']);
  if (keyId !== KEY_ID || region !== 'eu-test-1') return 'InvalidAccessKeyId';
  if (!time.startsWith(day) || Math.abs(Date.now() - timeOf(time)) > 900_000) return 'RequestTimeTooSkewed';
  if (headers['x-amz-security-token'] !== TOKEN) return 'InvalidToken';
  const signed = names.split(';');
  const needed = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (!needed.every((name) => signed.includes(name))) return 'AccessDenied';
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  if (method === 'PUT' && payload === 'UNSIGNED-PAYLOAD') return 'XAmzContentSHA256Mismatch';
  const { pathname, searchParams } = new URL(url, 'http://x');
  const path = pathname.split('/').map((part) => encode(decodeURIComponent(part)));
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`);
  const canonical = [method, path.join('/'), query.join('&'), lines.join(''), names, payload].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, day));
  const expected = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  return signature === expected ? undefined : 'SignatureDoesNotMatch';
}

function timeOf(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
}
