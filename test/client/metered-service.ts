import type { Transport, TransportRequest, TransportResponse } from '../../src/base/http/transport.ts';
import type { Clock } from '../../src/base/clock.ts';

export interface MeteredOptions {
  readonly clock: Clock;
  /** Requests per window; without it, there are no headers and no limit. */
  readonly limit?: number;
  readonly windowMs?: number;
  /** The duration of a request in milliseconds. */
  readonly takes?: number;
  /** How many milliseconds the service's clock is ahead of ours. */
  readonly ahead?: number;
  readonly rounding?: 'up' | 'down';
  /** Whether windows begin with the first request, or at whole minutes. */
  readonly begins?: 'with a request' | 'by the clock';
  readonly answer?: (request: TransportRequest) => unknown;
  readonly headers?: (standard: Record<string, string>) => Record<string, string>;
}

/** A service in this process that counts in fixed windows and refuses requests over the limit. */
export class MeteredService implements Transport {
  readonly requests: { readonly path: string; readonly at: number; readonly body: string }[] = [];
  refused = 0;
  most = 0;
  readonly #options: MeteredOptions;
  #running = 0;
  #window = { start: -Infinity, made: 0 };

  constructor(options: MeteredOptions) {
    this.#options = options;
  }

  /** A request of another client with the same key. */
  count(): boolean {
    const { limit = Infinity, windowMs = 60_000, begins = 'with a request' } = this.#options;
    const now = this.#now();
    if (now >= this.#window.start + windowMs) {
      const start = begins === 'with a request' ? now : Math.floor(now / windowMs) * windowMs;
      this.#window = { start, made: 0 };
    }
    this.#window.made++;
    return this.#window.made <= limit;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { clock, takes = 20, answer = echo } = this.#options;
    this.requests.push({ path: request.path, at: clock.now(), body: textOf(request) });
    this.most = Math.max(this.most, ++this.#running);
    const allowed = request.path === '/health' || this.count();
    const headers = this.#headers(allowed);
    await clock.wait(takes, new AbortController().signal);
    this.#running--;
    if (!allowed) this.refused++;
    const body = allowed ? answer(request) : { detail: 'rate limit exceeded' };
    return {
      status: allowed ? 200 : 429,
      headers: { 'content-type': 'application/json', ...headers },
      body: chunksOf(JSON.stringify(body)),
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #now(): number {
    return this.#options.clock.now() + (this.#options.ahead ?? 0);
  }

  #headers(allowed: boolean): Record<string, string> {
    const { limit, windowMs = 60_000, rounding = 'up', headers = (standard) => standard } = this.#options;
    const now = this.#now();
    const date = { date: new Date(Math.floor(now / 1000) * 1000).toUTCString() };
    if (limit === undefined) return headers(date);
    const reset = (this.#window.start + windowMs) / 1000;
    const left = this.#window.start + windowMs - now;
    return headers({
      ...date,
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - this.#window.made)),
      'x-ratelimit-reset': String(rounding === 'up' ? Math.ceil(reset) : Math.floor(reset)),
      ...(allowed ? {} : { 'retry-after': String(Math.max(1, Math.ceil(left / 1000))) }),
    });
  }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

function textOf({ body }: TransportRequest): string {
  return typeof body === 'string' ? body : '';
}

/** The translations of a request's texts. */
export function echo(sent: TransportRequest): unknown {
  const request = JSON.parse(textOf(sent)) as {
    text?: string;
    texts?: string[];
    source: string;
    target: string;
  };
  const { source, target } = request;
  const item = (text: string) => ({ text, translation: `[${text}]`, source, target });
  if (request.texts === undefined) return { translations: item(request.text ?? ''), details: {} };
  const translations = request.texts.map((text) => ({ ...item(text), success: true }));
  return { translations, total: translations.length, successful: translations.length, failed: 0 };
}
