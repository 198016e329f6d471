import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { takeAtMost } from '../../../base/bounded-read.ts';
import { DragomanError } from '../../../base/errors.ts';
import { isLoopback } from '../../../base/http/base-url.ts';
import { escapeControls } from '../../../base/escape-controls.ts';
import { interrupted } from '../../../base/interruption.ts';
import { reasonOf } from '../../../base/system-error.ts';

/** How files are requested. The caller closes it. */
export interface Net {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

export interface NetOptions {
  readonly signal: AbortSignal;
  /** The environment with proxy settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Maximum time without a byte. Default 30 s. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

export function openNet({ signal, env, timeoutMs = TIMEOUT_MS }: NetOptions): Net {
  const proxy = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // Always set, because the default would read the environment of the process.
    httpProxy: proxy('HTTP_PROXY'),
    httpsProxy: proxy('HTTPS_PROXY'),
    noProxy: proxy('NO_PROXY'),
  });
  return { dispatcher, signal, close: () => dispatcher.destroy() };
}

/** The part of a file from `offset` on. */
export interface Stream {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Offset of the first byte. 0 if the whole file is sent. */
  readonly offset: number;
  /** Identifies the version of the file, to request the rest later. */
  readonly validator: string | undefined;
}

/** @throws DragomanError `limit_exceeded` for a larger file, and errors of {@link openStream} */
export async function fetchText(url: URL, maxBytes: number, net: Net): Promise<string> {
  const tooLong = (): Error =>
    new DragomanError('limit_exceeded', `${nameOf(url)} is larger than ${maxBytes} bytes`);
  try {
    const { chunks } = await openStream(url, 0, undefined, net);
    return (await buffer(takeAtMost(chunks, maxBytes, tooLong))).toString('utf8');
  } catch (error) {
    throw failureOf(error, url, net);
  }
}

/**
 * Opens a file at an offset, if it is still the version of `validator`; otherwise at its beginning.
 *
 * @throws DragomanError `not_found`, `service_failed`, `unreachable`, `unreadable_input`, `interrupted`. For errors
 * while reading, see {@link failureOf}.
 */
export async function openStream(
  url: URL,
  offset: number,
  validator: string | undefined,
  net: Net,
): Promise<Stream> {
  try {
    return url.protocol === 'file:'
      ? await openFile(url, offset)
      : await openHttp(url, offset, validator, net, MAX_REDIRECTS);
  } catch (error) {
    throw failureOf(error, url, net);
  }
}

async function openFile(url: URL, offset: number): Promise<Stream> {
  const { size } = await stat(url);
  const start = offset <= size ? offset : 0;
  return { chunks: createReadStream(url, { start }), offset: start, validator: undefined };
}

async function openHttp(
  url: URL,
  offset: number,
  validator: string | undefined,
  net: Net,
  redirects: number,
): Promise<Stream> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (offset > 0) {
    headers['range'] = `bytes=${offset}-`;
    if (validator !== undefined) headers['if-range'] = validator;
  }
  const { dispatcher, signal } = net;
  const { origin, pathname, search } = url;
  const path = `${pathname}${search}`;
  const response = await dispatcher.request({ origin, path, method: 'GET', signal, headers });
  const { statusCode, body } = response;
  const header = (name: string): string | undefined => [response.headers[name]].flat()[0];
  const location = header('location');
  if (statusCode >= 300 && statusCode < 400 && location !== undefined && redirects > 0) {
    await body.dump();
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
    if (!next || next.protocol === 'file:' || !isAllowed(next)) {
      throw new DragomanError(
        'service_failed',
        `${nameOf(url)} redirects to a host that may not provide models`,
      );
    }
    return openHttp(next, offset, validator, net, redirects - 1);
  }
  if (statusCode === 416 && offset > 0) {
    await body.dump();
    return openHttp(url, 0, undefined, net, redirects);
  }
  if (statusCode !== 200 && statusCode !== 206) {
    await body.dump();
    throw statusError(url, statusCode);
  }
  const first = /^bytes (\d+)-/.exec(header('content-range') ?? '')?.[1];
  const start = statusCode === 206 ? Number(first ?? NaN) : 0;
  if (start !== 0 && start !== offset) {
    await body.dump();
    return openHttp(url, 0, undefined, net, redirects);
  }
  const tag = header('etag');
  // A weak tag may stay the same for different bytes.
  return {
    chunks: body,
    offset: start,
    validator: tag?.startsWith('W/') ? undefined : (tag ?? header('last-modified')),
  };
}

function statusError(url: URL, status: number): DragomanError {
  const name = nameOf(url);
  if (status === 404 || status === 410)
    return new DragomanError('not_found', `there is no ${name}`, { status });
  return new DragomanError('service_failed', `the request for ${name} got status ${status}`, { status });
}

/** Converts an error of the network or disk. */
export function failureOf(error: unknown, url: URL, { signal }: Pick<Net, 'signal'>): DragomanError {
  if (signal.aborted) return interrupted();
  if (error instanceof DragomanError) return error;
  const name = nameOf(url);
  if (url.protocol === 'file:') {
    return new DragomanError('unreadable_input', `cannot read ${name}: ${reasonOf(error)}`, { cause: error });
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const reason = reasonOf(cause instanceof Error ? cause : error);
  return new DragomanError('unreachable', `cannot download ${name}: ${reason || 'no connection'}`, {
    hint: 'Set DRAGOMAN_FIREFOX_RECORDS_URL to a mirror or a copy, or HTTPS_PROXY to a proxy.',
    cause: error,
  });
}

/** A URL, or a path for a copy on this machine. */
export function addressOf(text: string, name: string): URL {
  const url = text.startsWith('/') ? pathToFileURL(text) : URL.canParse(text) ? new URL(text) : undefined;
  if (url && isAllowed(url)) return url;
  throw new DragomanError('configuration', `${name} is not an allowed address for models: ${shown(text)}`, {
    hint: 'Expected an https: or file: address; http: only for this machine, because only TLS protects against a forged list of models.',
  });
}

/** Whether models may come from this address: the file with the expected hashes must not be changed in transit. */
export function isAllowed({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || protocol === 'file:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Resolves a record's location, which cannot leave the base address. */
export function resolveBelow(base: URL, location: string): URL {
  const parts = location.split('/');
  const isPlain = parts.every((part) => /^[\w.@+-]{1,200}$/.test(part) && !/^\.+$/.test(part));
  if (!isPlain) throw new DragomanError('contract_violation', `invalid model location: ${shown(location)}`);
  const root = new URL(base);
  if (!root.pathname.endsWith('/')) root.pathname += '/';
  return new URL(location, root);
}

/** The name for messages; for a local file, its path. */
export function nameOf(url: URL): string {
  return url.protocol === 'file:' ? fileURLToPath(url) : `${url.origin}${url.pathname}`;
}

/** Escapes a name from a record or user for a message. */
function shown(text: string): string {
  return escapeControls(text.slice(0, 100));
}
