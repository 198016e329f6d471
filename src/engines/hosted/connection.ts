import { setMaxListeners } from 'node:events';
import { isUtf8 } from 'node:buffer';
import { systemClock, type Clock } from '../../base/clock.ts';
import { DragomanError } from '../../base/errors.ts';
import { abortAfter, interrupted, linkSignals } from '../../base/interruption.ts';
import {
  readBytes,
  type Transport,
  TransportError,
  type TransportResponse,
} from '../../base/http/transport.ts';
import {
  delayBeforeRetry,
  type AttemptFailure,
  whyLost,
  whyUnsent,
  withoutKey,
} from '../../base/http/failures.ts';
import { chooseProxy, type Environment } from '../../base/http/proxy.ts';
import { readRateHeaders } from '../../base/http/rate-headers.ts';
import { TimeLimit } from '../../base/http/time-limit.ts';
import { type ServiceAccess, describeRefusal, type Detail, readAccess, type Provider } from './provider.ts';

/** Options of every hosted engine. */
export interface HostedOptions {
  /** Milliseconds for one request, including its answer and retries. Default 60 s. */
  readonly timeoutMs?: number | undefined;
  /** How long a pending request may continue after an interruption, because its answer is paid for. Default 4 s. */
  readonly graceMs?: number | undefined;
  /** The environment with the service's key and address. */
  readonly env: Environment;
  readonly clock?: Clock | undefined;
}

/** The parts of requests and answers that differ between services. */
export interface ServiceProtocol {
  /** The headers with the key. Default: none. */
  readonly keyHeaders?: ((key: string) => Readonly<Record<string, string>>) | undefined;
  /** The service's reason for a refusal. @param body JSON; undefined if it is not JSON */
  readonly readDetail: (status: number, body: unknown) => Detail;
}

export interface HostedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path after the base address. */
  readonly path: string;
  /** Becomes JSON. */
  readonly body?: object | undefined;
  readonly signal: AbortSignal;
}

/** Opened on demand, as many as the maximum number of concurrent batches. */
const CONNECTIONS = 64;
const TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const GRACE_MS = 4_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/** Enough to wait for a rate limit of up to a minute, if time permits. */
const MOST_TRIES = 6;

type ExchangeOutcome =
  { readonly value: unknown } | { readonly error: DragomanError; readonly obstacle: AttemptFailure };

/**
 * The connections to one service. Requests and answers are JSON. Requests that certainly were not processed are retried
 * within the time limit, with growing delays or as the service asks; redirects are not followed. Errors never contain
 * the key.
 *
 * The code that creates it closes it.
 */
export class HostedConnection {
  readonly provider: Provider;
  readonly access: ServiceAccess;
  readonly #env: Environment;
  readonly #timeoutMs: number;
  readonly #graceMs: number;
  readonly #clock: Clock;
  readonly #protocol: ServiceProtocol;
  readonly #closing = new AbortController();
  /** The time until which the service refuses requests, and its message. */
  #pause: { readonly until: number; readonly error?: DragomanError } = { until: 0 };
  #transport: Promise<Transport> | undefined;

  /** @throws DragomanError `configuration` like {@link readAccess} */
  constructor(
    provider: Provider,
    { timeoutMs = TIMEOUT_MS, graceMs = GRACE_MS, env, clock = systemClock }: HostedOptions,
    protocol: ServiceProtocol,
  ) {
    this.provider = provider;
    this.access = readAccess(provider, env);
    this.#env = env;
    this.#timeoutMs = timeoutMs;
    this.#graceMs = graceMs;
    this.#clock = clock;
    this.#protocol = protocol;
    setMaxListeners(0, this.#closing.signal);
  }

  /** Aborts when the connection is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * The JSON of a successful answer; undefined without content.
   *
   * @throws DragomanError `interrupted`, `unreachable`, `answer_lost`, `contract_violation`, `service_failed`,
   * `unauthenticated`, `insufficient_credits`, `rate_limited`, `invalid_request`, `limit_exceeded`, `not_found`
   */
  async send(request: HostedRequest): Promise<unknown> {
    const { method, signal } = request;
    if (signal.aborted || this.closing.aborted) throw interrupted();
    // Many requests may share one signal; Node would report a leak.
    setMaxListeners(0, signal);
    const grace = method === 'POST' ? abortAfter(signal, this.#graceMs) : undefined;
    const waiting = linkSignals(signal, this.closing);
    const end = linkSignals(grace?.signal ?? signal, this.closing);
    try {
      return await this.#repeat(request, waiting.signal, end.signal);
    } catch (error) {
      throw withoutKey(error, this.access.key);
    } finally {
      grace?.clear();
      waiting.clear();
      end.clear();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await (await this.#transport?.catch(() => undefined))?.close();
  }

  /** @param waiting ends waits before and between attempts  @param end ends an attempt */
  async #repeat(request: HostedRequest, waiting: AbortSignal, end: AbortSignal): Promise<unknown> {
    const body = request.body && JSON.stringify(request.body);
    const deadline = this.#clock.now() + this.#timeoutMs;
    for (let tries = 1; ; tries++) {
      // If the service asks one request to wait, all requests wait.
      const { until, error } = this.#pause;
      if (error && until >= deadline) throw error;
      const pause = until - this.#clock.now();
      if (pause > 0) await this.#wait(pause, waiting);
      const outcome = await this.#try(request, body, Math.max(deadline - this.#clock.now(), 1), end);
      if ('value' in outcome) return outcome.value;
      const obstacle = withPatience(outcome.obstacle, tries);
      const leftMs = deadline - this.#clock.now();
      const delay = delayBeforeRetry(request.method, obstacle, { tries, leftMs, mostTries: MOST_TRIES });
      if (delay === undefined) throw outcome.error;
      if (obstacle.kind === 'refused')
        this.#pause = { until: this.#clock.now() + delay, error: outcome.error };
      await this.#wait(delay, waiting);
    }
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.wait(ms, signal).catch(() => {
      throw interrupted();
    });
  }

  async #try(
    { method, path }: HostedRequest,
    body: string | undefined,
    limitMs: number,
    end: AbortSignal,
  ): Promise<ExchangeOutcome> {
    const limit = new TimeLimit(limitMs, end);
    try {
      const transport = await (this.#transport ??= this.#open());
      const { base, key } = this.access;
      const response = await transport.send({
        method,
        origin: base.origin,
        path: `${base.prefix}${path}`,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'dragoman',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : this.#protocol.keyHeaders?.(key)),
        },
        body,
        stop: limit,
      });
      if (response.status === 204) return { value: undefined };
      const isDone = response.status === 200 || response.status === 201;
      return isDone ? await this.#read(response) : await this.#refuse(response, method);
    } catch (error) {
      return this.#explain(error, { method, limitMs, expired: limit.expired, aborted: end.aborted });
    } finally {
      // Also closes the connection if the answer was not read to its end.
      limit.abandon();
    }
  }

  async #open(): Promise<Transport> {
    const { createUndiciTransport } = await import('../../base/http/undici-transport.ts');
    return createUndiciTransport({
      origin: this.access.base.origin,
      connections: CONNECTIONS,
      connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, this.#timeoutMs),
      proxy: chooseProxy(this.access.base, this.#env),
    });
  }

  async #read(response: TransportResponse): Promise<ExchangeOutcome> {
    const bytes = await readBytes(response, MAX_ANSWER_BYTES);
    if (!bytes) return this.#broken(`the answer has more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`);
    // A damaged character must not become a replacement character in a file.
    const value = isUtf8(bytes) ? parse(bytes) : undefined;
    return value === undefined ? this.#broken('the answer is not JSON') : { value };
  }

  async #refuse(response: TransportResponse, method: HostedRequest['method']): Promise<ExchangeOutcome> {
    const { status } = response;
    if (status < 400) return this.#broken(`it answers with status ${status}`);
    // A truncated body does not matter: the status is enough.
    const bytes = await readBytes(response, MAX_ERROR_BYTES).catch(() => undefined);
    const { retryIn, retryAt, date } = readRateHeaders(response);
    const detail = this.#protocol.readDetail(status, bytes && parse(bytes));
    const wait = retryIn ?? (retryAt === undefined ? undefined : retryAt - (date ?? this.#clock.now()));
    const refusal = describeRefusal(this.provider, { status, detail, retryIn: wait });
    // Requests that only read are free, so they can be retried.
    const isFailedQuestion = method === 'GET' && status >= 500 && refusal.obstacle.kind === 'final';
    return isFailedQuestion ? { ...refusal, obstacle: { kind: 'lost' } } : refusal;
  }

  #broken(problem: string): ExchangeOutcome {
    const { name, urlVariable } = this.provider;
    const hint = `If ${urlVariable} is set, check that it is the address of such a service.`;
    return {
      error: new DragomanError('contract_violation', `${name}: ${problem}`, { hint }),
      obstacle: { kind: 'final' },
    };
  }

  #explain(
    error: unknown,
    now: {
      readonly method: string;
      readonly limitMs: number;
      readonly expired: boolean;
      readonly aborted: boolean;
    },
  ): ExchangeOutcome {
    const { provider, access } = this;
    const final: AttemptFailure = { kind: 'final' };
    if (now.aborted) return { error: interrupted(), obstacle: final };
    if (error instanceof DragomanError) return { error, obstacle: final };
    if (!(error instanceof TransportError)) throw error;
    const { sent, cause } = error;
    const limit = `${Number((now.limitMs / 1000).toPrecision(3))} seconds`;
    if (!sent) {
      const { reason, untrusted } = now.expired
        ? { reason: `no connection within ${limit}`, untrusted: false }
        : whyUnsent(cause);
      const hint = untrusted
        ? 'Set NODE_EXTRA_CA_CERTS to trust your own certificates.'
        : `Check the network, and ${provider.urlVariable} if it is set.`;
      return {
        error: new DragomanError('unreachable', `cannot connect to ${access.base.host}: ${reason}`, {
          hint,
          cause,
        }),
        obstacle: untrusted || now.expired ? final : { kind: 'unsent' },
      };
    }
    const reason = now.expired ? `no complete answer within ${limit}` : whyLost(cause);
    if (reason === undefined) return this.#broken('the answer is not HTTP');
    const hint = now.method === 'POST' ? 'It may have been charged, so it was not sent again.' : 'Try again.';
    return {
      error: new DragomanError('answer_lost', `${provider.name}: ${reason}`, { hint, cause }),
      obstacle: now.expired ? final : { kind: 'lost' },
    };
  }
}

/** The wait for a service that names none: one second, then two, four and so on. */
function withPatience(obstacle: AttemptFailure, tries: number): AttemptFailure {
  if (obstacle.kind !== 'refused') return obstacle;
  return { kind: 'refused', retryIn: obstacle.retryIn ?? 1000 * 2 ** (tries - 1) };
}

/** Undefined for invalid JSON; the parser's message would quote the input. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
