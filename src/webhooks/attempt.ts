import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { LookupFunction, TcpNetConnectOpts } from 'node:net';
import { version } from '../../package.json' with { type: 'json' };
import { DragomanError } from '../base/errors.ts';
import { checkWebhookUrl, receiverAddresses } from './address.ts';
import type { HostAddress, HostResolution } from './host-resolution.ts';
import { signWebhook, WEBHOOK_HEADERS } from './signature.ts';

/** Time limit per address if a name has several. Node's default of 250 ms is too short for distant receivers. */
const ADDRESS_MS = 2_000;
/** How many bytes of an answer are read and discarded, so that its sender is not cut off. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** How long to wait for the rest of an answer; only its status matters. */
const ANSWER_MS = 1_000;

interface WebhookCall {
  /** `webhook-id`. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  readonly secret: string;
}

export interface AttemptOptions {
  readonly allowPrivate: boolean;
  /** Certificates (PEM) to trust instead of Node's own. */
  readonly ca?: string | undefined;
  /** For the whole call: lookup, connection, request and status. */
  readonly timeoutMs: number;
  /** Ends the attempt, with an unknown outcome. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch, for the signature. */
  readonly now: number;
  readonly resolution?: HostResolution | undefined;
}

/** Why a call failed. */
export interface CallFailure {
  readonly reason: string;
  /** How long the receiver asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The receiver refuses this call permanently: it is not retried. */
  readonly isFinal?: boolean | undefined;
}

/** The status of a permanently removed receiver. */
const GONE = 410;

/**
 * Calls a webhook once on a separate connection: HTTPS with a verified certificate, to a checked address, without a
 * proxy or redirects. Undefined if the receiver acknowledged with 200-299; otherwise the failure. Never rejects.
 */
export async function attemptCall(
  call: WebhookCall,
  options: AttemptOptions,
): Promise<CallFailure | undefined> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    checkWebhookUrl(call.url, options);
    const url = new URL(call.url);
    const addresses = await receiverAddresses(url.hostname, { ...options, signal });
    const { status, retryAfter } = await post(url, call, addresses, { ...options, signal });
    if (status >= 200 && status <= 299) return undefined;
    const isRedirect = status >= 300 && status <= 399;
    return {
      reason: `the receiver answered ${status}${isRedirect ? ', and redirects are not followed' : ''}`,
      retryAfterMs: waitOf(retryAfter, options.now),
      isFinal: status === GONE,
    };
  } catch (error) {
    if (timeout.aborted) return { reason: `no answer within ${options.timeoutMs / 1000} seconds` };
    return { reason: failureReason(error) };
  }
}

/** The longest wait that a receiver may request. */
const MAX_WAIT_MS = 60 * 60_000;

/** Parses seconds or a date (RFC 9110, 10.2.3). Undefined for anything else. */
function waitOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return wait >= 0 ? Math.min(wait, MAX_WAIT_MS) : undefined;
}

interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

async function post(
  url: URL,
  call: WebhookCall,
  addresses: readonly HostAddress[],
  { ca, signal, now }: AttemptOptions,
): Promise<Answered> {
  const body = Buffer.from(call.body);
  const timestamp = Math.floor(now / 1000);
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    method: 'POST',
    agent: false,
    lookup: lookupIn(addresses),
    autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    minVersion: 'TLSv1.2',
    // Explicit, so that the environment cannot override it.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': `dragoman/${version}`,
      [WEBHOOK_HEADERS.id]: call.id,
      [WEBHOOK_HEADERS.timestamp]: timestamp,
      [WEBHOOK_HEADERS.signature]: signWebhook(call.secret, { id: call.id, timestamp, body }),
    },
  };
  return new Promise((resolve, reject) => {
    let answered: Answered | undefined;
    const take = ({ statusCode = 0, headers }: IncomingMessage): void => {
      answered = { status: statusCode, retryAfter: headers['retry-after'] };
    };
    const sent = request(url, options, (answer) => {
      take(answer);
      drain(answer, () => sent.destroy());
    });
    // Without a listener, Node closes the connection silently.
    sent.on('upgrade', (answer, socket) => {
      take(answer);
      socket.destroy();
    });
    // After the status, errors no longer matter.
    sent.on('error', (error) => {
      if (!answered) reject(error);
    });
    sent.on('close', () => {
      if (answered) resolve(answered);
      else reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' }));
    });
    sent.end(body);
  });
}

/** Reads an answer to its end or to the limit. */
function drain(answer: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const timer = setTimeout(done, ANSWER_MS);
  const end = (): void => {
    clearTimeout(timer);
    done();
  };
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) end();
  });
  answer.on('error', end);
  answer.on('close', end);
}

/** Connects only to these addresses. An address in the URL itself was checked, and is not looked up. */
function lookupIn(addresses: readonly HostAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (!first) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
    else if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EHOSTUNREACH: 'the receiver cannot be reached',
  ENETUNREACH: 'the receiver cannot be reached',
  ETIMEDOUT: 'the receiver cannot be reached',
  ENOTFOUND: 'the name of the receiver has no address',
  EAI_AGAIN: 'the name of the receiver cannot be looked up',
};

/** Error codes of OpenSSL and Node for unaccepted certificates. */
const CERTIFICATE =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_)/;

/** Why a call failed, in words. Omits the receiver's data, which certificate messages quote. */
function failureReason(error: unknown): string {
  if (error instanceof DragomanError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (CERTIFICATE.test(code)) return `the certificate of the receiver is not accepted (${code})`;
  if (code.startsWith('HPE_')) return `the answer is not HTTP (${code})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `the TLS handshake failed (${code})`;
  return `the connection failed (${code})`;
}
