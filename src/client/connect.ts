import { DragomanError } from '../base/errors.ts';
import { type JobService, serviceOf, type TranslationService } from '../service/service.ts';
import { type BaseUrl, parseBaseUrl, requireSafeKey } from '../base/http/base-url.ts';
import { type ServiceCaller, createCaller } from './caller.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createLegacyTexts } from './legacy-texts.ts';
import { type Environment, chooseProxy } from '../base/http/proxy.ts';
import { type WaitListener, rateGateOf } from './rate-gate.ts';
import { createLegacyJobs, createRemoteJobs } from './remote-jobs.ts';
import { Semaphore } from './semaphore.ts';
import type { Transport } from '../base/http/transport.ts';
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { readSmallText } from '../base/bounded-read.ts';
import type { BatchRequest, BatchResponse } from '../contract/texts.ts';
import { violation } from './failures.ts';
import { callOperation, callWithBody } from './operation-caller.ts';
import { operations } from '../contract/operations.ts';

export interface RemoteOptions {
  /** The address of the service; the specification's paths are relative to it. */
  readonly baseUrl: string;
  /** Sent only in a header of requests to that address. Without a key, only `health` works. */
  readonly key?: string | undefined;
  /** Default `v2`. Version 1 only offers translate, language detection and the languages. */
  readonly api?: 'v1' | 'v2' | undefined;
  /** Milliseconds for one request including its answer and retries, without waits for the rate limit. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that a rate window may take to reset; a longer wait fails the call. */
  readonly maxWaitMs?: number | undefined;
  /** Concurrent requests. */
  readonly concurrency?: number | undefined;
  /** A file of PEM certificates to trust in addition to Node's. */
  readonly caFile?: string | undefined;
  /**
   * The environment with proxies (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) and NODE_EXTRA_CA_CERTS. Default: the process's.
   */
  readonly env?: Environment | undefined;
  /** Called before each wait for the rate limit and before each retry. */
  readonly onWait?: WaitListener | undefined;
  /** Replaces the network. The caller closes it. */
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
}

export interface RemoteService {
  readonly service: TranslationService;
  readonly jobs: JobService;
  /** Ends pending calls. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Two rate windows of the specification. */
const MAX_WAIT_MS = 120_000;
const CONCURRENCY = 4;
/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Performs the specification's operations with a server. Nothing is sent before the first call. All connections of the
 * process with the same key share its rate limit.
 *
 * Calls reject like those of `TranslationService` and `JobService`, and with `unreachable`, `answer_lost`,
 * `unauthenticated`, `insufficient_credits`, `rate_limited`, `service_failed` and `contract_violation`; every answer
 * with status 400 is `invalid_request`. The error's `status` is the HTTP status.
 *
 * @throws DragomanError `configuration` for an unusable address or key, `unreadable_input` for `caFile`
 */
export async function connectService(options: RemoteOptions): Promise<RemoteService> {
  const { key, clock = systemClock, concurrency = CONCURRENCY, timeoutMs = TIMEOUT_MS } = options;
  requireRange('the time limit', timeoutMs, LONGEST_MS);
  requireRange('the concurrency', concurrency, 1000);
  const base = parseBaseUrl(options.baseUrl);
  if (key !== undefined) requireSafeKey(key, base);
  const transport = options.transport ?? (await openTransport(base, concurrency, timeoutMs, options));
  const caller = createCaller({
    base,
    key,
    transport,
    clock,
    gate: rateGateOf(clock, base.origin, key),
    slots: new Semaphore(concurrency),
    timeoutMs,
    maxWaitMs: Math.min(options.maxWaitMs ?? MAX_WAIT_MS, LONGEST_MS),
    onWait: options.onWait,
  });
  const isLegacy = options.api === 'v1';
  return {
    service: isLegacy
      ? createLegacyTexts(caller, concurrency)
      : createRemoteTexts(caller, base.host, concurrency),
    jobs: isLegacy ? createLegacyJobs() : createRemoteJobs(caller),
    close: async () => {
      if (!options.transport) await transport.close();
    },
  };
}

async function openTransport(
  base: BaseUrl,
  connections: number,
  timeoutMs: number,
  { caFile, env = process.env }: RemoteOptions,
): Promise<Transport> {
  const ca = await readCertificates(caFile, env);
  const proxy = chooseProxy(base, env);
  const { createUndiciTransport } = await import('../base/http/undici-transport.ts');
  const connectTimeoutMs = Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
  return createUndiciTransport({ origin: base.origin, connections, connectTimeoutMs, ca, proxy });
}

function requireRange(what: string, value: number, max: number): void {
  if (value >= 1 && value <= max) return;
  throw new DragomanError('configuration', `${what} must be a number from 1 to ${max}`);
}

/**
 * The certificates to trust if the user adds some: setting any replaces Node's defaults and those of
 * NODE_EXTRA_CA_CERTS, so these are included. Undefined without a file.
 *
 * @throws DragomanError `unreadable_input` with the file
 */
async function readCertificates(
  caFile: string | undefined,
  env: Environment,
): Promise<readonly string[] | undefined> {
  if (caFile === undefined) return undefined;
  const own = await readPem(caFile);
  const extra = env['NODE_EXTRA_CA_CERTS'];
  // Node itself only warns about an unusable file.
  const others = extra ? await readPem(extra).catch(() => []) : [];
  return [...rootCertificates, ...others, ...own];
}

const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g;

async function readPem(path: string): Promise<readonly string[]> {
  const text = await readSmallText(path);
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new DragomanError('unreadable_input', 'is not a file of certificates in PEM format').inFile(path);
  }
  return certificates;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/** The specification's operations with a service of version 2. */
function createRemoteTexts(caller: ServiceCaller, host: string, parallelCalls: number): TranslationService {
  const service = serviceOf(
    (id, request, { signal }) => callWithBody(caller, id, request, signal),
    (id, { signal }) => callOperation(caller, id, { signal }),
  );
  return {
    ...service,
    parallelCalls,
    translateBatch: async (request, options) => {
      const response = await service.translateBatch(request, options);
      requireEach(request, response, host);
      return response;
    },
  };
}

/** A translation of the wrong text is worse than none, so the order is checked, ignoring white space. */
function requireEach({ texts }: BatchRequest, { translations }: BatchResponse, host: string): void {
  const place = { host, operation: operations.translateBatch };
  if (translations.length !== texts.length) {
    throw violation(place, `${translations.length} translations for ${texts.length} texts`).error;
  }
  const wrong = translations.findIndex(({ text }, i) => !isSame(text, texts[i] ?? ''));
  if (wrong !== -1) throw violation(place, `translations.${wrong}.text is not the text that was sent`).error;
}

function isSame(text: string, sent: string): boolean {
  return text === sent || squeeze(text) === squeeze(sent);
}

function squeeze(text: string): string {
  return text.normalize('NFC').toWellFormed().replace(/\s+/g, ' ').trim();
}
