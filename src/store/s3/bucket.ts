import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { AwsClient } from 'aws4fetch';
import { SaxesParser } from 'saxes';
import { takeAtMost } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { delayBeforeRetry } from '../../base/http/failures.ts';
import { reasonOf } from '../../base/system-error.ts';
import type { S3Place } from './place.ts';

/** How long the object store may be silent: it answers only after receiving a whole file. */
const SILENT_MS = 30_000;
/** Large enough for a list of 1,000 keys, or an error. */
const MAX_XML = 4 * 1024 * 1024;

/** The header for the content's digest, which verifies downloads. */
const DIGEST = 'x-amz-meta-sha256';

export interface StoredObject {
  readonly key: string;
  /** Age by the object store's clock. */
  readonly ageMs: number;
}

interface ObjectRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/**
 * The objects of a bucket, accessed with the S3 protocol. Requests that a busy store rejects are retried a few times;
 * redirects are not followed, because a request is signed for one address.
 *
 * All methods throw DragomanError `store_unavailable` if the store does not answer, and `configuration` if it refuses
 * the key or the bucket.
 */
export class Bucket {
  readonly #place: S3Place;
  readonly #client: AwsClient;

  constructor(place: S3Place) {
    this.#place = place;
    const { accessKeyId, secretAccessKey, sessionToken, region } = place;
    const token = sessionToken === undefined ? {} : { sessionToken };
    // By default, the client waits indefinitely and retries requests that must not be repeated.
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...token,
      region,
      service: 's3',
      retries: 0,
    });
  }

  /** When it resolves, the object store has verified and stored the whole content. */
  async put(key: string, body: Buffer): Promise<void> {
    const { sha256, md5 } = await digestsOf(body);
    const headers = { 'x-amz-content-sha256': sha256, [DIGEST]: sha256 };
    await this.#try(async () => {
      const answer = await this.#send({ method: 'PUT', key, headers, body });
      try {
        await requireOk(answer.response);
        const { headers: answered } = answer.response;
        const tag = /^"([0-9a-f]{32})"$/.exec(answered.get('etag') ?? '')?.[1];
        // The tag of content encrypted with a customer's key is not a digest.
        const isOwn = answered.get('x-amz-server-side-encryption')?.startsWith('aws:kms') === true;
        if (tag !== undefined && !isOwn && tag !== md5) throw unavailable('it stored different content');
      } finally {
        answer.end();
      }
    });
  }

  /** Streams the content, and resumes if the answer is cut off. @throws DragomanError `not_found` */
  async get(key: string): Promise<AsyncGenerator<Uint8Array>> {
    return this.#read(key, await this.#try(() => this.#open(key, 0)));
  }

  async delete(key: string): Promise<void> {
    await this.#try(async () => {
      const answer = await this.#send({ method: 'DELETE', key });
      if (answer.response.status !== 404) await requireOk(answer.response);
      answer.end();
    });
  }

  /** Objects whose key begins with the prefix; others in the store's answer are ignored. */
  async *list(prefix: string): AsyncGenerator<StoredObject> {
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) };
      const page = await this.#try(() => this.#page(query));
      yield* page.objects.filter(({ key }) => key.startsWith(prefix));
      if (page.next !== undefined && page.next === token) throw unavailable('its list has no end');
      token = page.next;
    }
  }

  async #page(query: Readonly<Record<string, string>>) {
    const answer = await this.#send({ method: 'GET', key: '', query });
    try {
      await requireOk(answer.response);
      const now = Date.parse(answer.response.headers.get('date') ?? '') || Date.now();
      return readPage(await textOf(answer.response), now);
    } finally {
      answer.end();
    }
  }

  async #open(key: string, from: number): Promise<OpenAnswer> {
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const answer = await this.#send({ method: 'GET', key, headers });
    const { response } = answer;
    if (!response.ok) {
      const code = await codeOf(response);
      answer.end();
      if (response.status !== 404 || code === 'NoSuchBucket') throw refusal(response.status, code);
      throw new DragomanError('not_found', 'there is no such file in the store');
    }
    if (from > 0 && response.status !== 206) throw unavailable('it does not send the rest of a file');
    return answer;
  }

  async *#read(key: string, first: OpenAnswer): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    const expected = first.response.headers.get(DIGEST);
    let size = 0;
    let answer = first;
    for (let interruptions = 1; ; interruptions++) {
      try {
        for await (const piece of answer.pieces()) {
          hash.update(piece);
          size += piece.length;
          yield piece;
        }
        break;
      } catch (error) {
        if (interruptions > MAX_INTERRUPTIONS) throw unavailable(causeOf(error), error);
      } finally {
        answer.end();
      }
      const from = size;
      answer = await this.#try(() => this.#open(key, from));
    }
    if (expected !== null && hash.digest('hex') !== expected)
      throw unavailable('a file has changed since it was written');
  }

  async #send({ method, key, query = {}, headers = {}, body }: ObjectRequest): Promise<OpenAnswer> {
    const url = new URL(key === '' ? `${this.#place.url}/` : `${this.#place.url}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const init = { method, headers: { ...headers }, ...(body && { body: new Uint8Array(body) }) };
    const request = await this.#client.sign(url.href, init);
    const patience = new Patience();
    try {
      const response = await fetch(request, { redirect: 'manual', signal: patience.signal });
      return new OpenAnswer(response, patience);
    } catch (error) {
      patience.end();
      throw unavailable(causeOf(error), error);
    }
  }

  /** Retrying is safe because every request is idempotent. */
  async #try<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        const isLost = error instanceof DragomanError && error.code === 'store_unavailable';
        const pause = isLost
          ? delayBeforeRetry('GET', { kind: 'lost' }, { tries, leftMs: SILENT_MS })
          : undefined;
        if (pause === undefined) throw error;
        await delay(pause);
      }
    }
  }
}

/** How many times the download of one file may be cut off. */
const MAX_INTERRUPTIONS = 3;

/** Aborts after a silence that is too long. */
class Patience {
  readonly #controller = new AbortController();
  #timer = this.#start();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(new Error('no reason given')), SILENT_MS).unref();
  }
}

/** An answer whose body must be read or cancelled. */
class OpenAnswer {
  readonly response: Response;
  readonly #patience: Patience;

  constructor(response: Response, patience: Patience) {
    this.response = response;
    this.#patience = patience;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    const body: AsyncIterable<Uint8Array> | null = this.response.body;
    if (!body) return;
    for await (const piece of body) {
      this.#patience.heard();
      yield piece;
    }
  }

  end(): void {
    this.#patience.end();
    if (this.response.body && !this.response.body.locked)
      void this.response.body.cancel().catch(() => undefined);
  }
}

/** @throws DragomanError */
async function requireOk(response: Response): Promise<void> {
  if (!response.ok) throw refusal(response.status, await codeOf(response));
}

function refusal(status: number, code: string): DragomanError {
  const explanation = code === '' ? `status ${status}` : `${code} (status ${status})`;
  const isPassing = status >= 500 || status === 429 || status === 408 || code === 'RequestTimeTooSkewed';
  if (isPassing) return unavailable(explanation);
  return new DragomanError('configuration', `the file store rejected the request: ${explanation}`, {
    hint: 'Check the bucket in --files, AWS_REGION, and the permissions of AWS_ACCESS_KEY_ID.',
  });
}

function unavailable(reason: string, cause?: unknown): DragomanError {
  return new DragomanError('store_unavailable', `the file store does not answer: ${reason}`, {
    hint: 'Check that it can be reached; then try again.',
    cause,
  });
}

/** fetch wraps the actual cause. */
function causeOf(error: unknown): string {
  return reasonOf(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
}

async function codeOf(response: Response): Promise<string> {
  const text = await textOf(response).catch(() => '');
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
}

async function textOf(response: Response): Promise<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (!body) return '';
  try {
    const bytes = await buffer(takeAtMost(body, MAX_XML, () => new Error('the answer is too long')));
    return bytes.toString();
  } catch (error) {
    throw unavailable(causeOf(error), error);
  }
}

/** Parses one answer of ListObjectsV2. */
function readPage(xml: string, now: number) {
  const objects: StoredObject[] = [];
  const found = new Map<string, string>();
  const parser = new SaxesParser();
  let text = '';
  parser.on('opentag', () => (text = ''));
  parser.on('text', (part) => (text += part));
  parser.on('closetag', ({ name }) => {
    found.set(name, text);
    text = '';
    if (name !== 'Contents') return;
    objects.push({ key: found.get('Key') ?? '', ageMs: now - Date.parse(found.get('LastModified') ?? '') });
  });
  try {
    parser.write(xml).close();
  } catch (error) {
    throw unavailable('its list cannot be read', error);
  }
  const next = found.get('IsTruncated') === 'true' ? found.get('NextContinuationToken') : undefined;
  return { objects, next };
}

/** Hashed without a pause: a megabyte takes three milliseconds. */
const HASHED_BYTES = 1024 * 1024;

/** Hashes a file of any size without blocking the event loop for long. */
async function digestsOf(body: Buffer): Promise<{ readonly sha256: string; readonly md5: string }> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  for (let at = 0; at < body.length; at += HASHED_BYTES) {
    const piece = body.subarray(at, at + HASHED_BYTES);
    sha256.update(piece);
    md5.update(piece);
    await nextTurn();
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex') };
}
