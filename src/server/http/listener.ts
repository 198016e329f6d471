import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import { isIPv6, type Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { DragomanError } from '../../base/errors.ts';
import { listenOn } from '../../base/listen.ts';
import { reasonOf } from '../../base/system-error.ts';
import { answerFailure, failureOf } from './answer.ts';
import { Connections, type ConnectionLimits } from '../guards/connections.ts';
import { closeLingering } from './lingering-close.ts';
import type { Log } from '../log/log.ts';
import type { AppEnvironment } from './dependencies.ts';
import { Refusal } from '../guards/refusal.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Serves HTTPS only, with this certificate. */
  readonly tls?: Certificate | undefined;
  /** Reads the certificate again regularly: a renewed certificate applies to new connections. */
  readonly renewal?: { readonly read: () => Promise<Certificate>; readonly everyMs: number } | undefined;
  readonly connections?: ConnectionLimits | undefined;
  /** Where connections come from. Default: the server listens itself. */
  readonly source?: ConnectionSource | undefined;
  /** Accepts the hosts, in lower case and without ports, that requests may name; undefined allows any. */
  readonly hosts?: ((host: string) => boolean) | undefined;
  /** How long a client may take to send the head of a request. */
  readonly headersTimeoutMs?: number | undefined;
  readonly log?: Pick<Log, 'error' | 'info'> | undefined;
}

/** Another process that listens, and passes connections to this one. */
export interface ConnectionSource {
  /** The address listened on. */
  readonly url: string;
  onConnection(accept: (socket: Socket) => void): void;
}

/** PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A listening server. The caller closes it. */
interface Listener {
  /** The address listened on, without a trailing slash. */
  readonly url: string;
  /**
   * Accepts no new connections, answers received requests, and closes other connections. Resolves when all connections
   * are closed, after `graceMs` at the latest.
   */
  close(graceMs: number): Promise<void>;
}

const CONNECTIONS: ConnectionLimits = { total: 1_000, perAddress: 800 };

/** The limits for one of several processes that receive connections in turn. */
export function connectionsOf(processes: number): ConnectionLimits {
  const { total, perAddress } = CONNECTIONS;
  return { total: Math.ceil(total / processes), perAddress: Math.ceil(perAddress / processes) };
}

const HEADERS_MS = 10_000;

const LIMITS = {
  // Longer than a body may take, because that limit is enforced where bodies are read.
  requestTimeout: 150_000,
  keepAliveTimeout: 15_000,
  maxHeaderSize: 16 * 1024,
  // How often the times above are checked.
  connectionsCheckingInterval: 1_000,
  // The application itself answers requests without a host, in JSON.
  requireHostHeader: false,
  noDelay: true,
} satisfies ServerOptions;

const OLDEST_TLS = 'TLSv1.2';
const HANDSHAKE_MS = 10_000;
/** The time between the last accepted connection and the closing of idle ones. */
const WAITING_GRACE_MS = 1_000;

/**
 * Listens, and passes requests to the application. Every answer is JSON, even to invalid requests.
 *
 * @throws DragomanError `usage` if the address is unavailable, `configuration` for an unusable certificate or key
 */
export async function listen(app: Hono<AppEnvironment>, options: ListenerOptions): Promise<Listener> {
  const connections = new Connections(options.connections ?? CONNECTIONS);
  const server = create(options);
  const respond = responder(app, connections, options.hosts);
  server
    .on('connection', (socket) => connections.accept(socket))
    .on('request', respond)
    // The application sends `100 Continue` when it reads the body.
    .on('checkContinue', respond)
    .on('checkExpectation', (incoming, outgoing) => {
      respond(incoming, outgoing, new Refusal(417, 'the only supported expectation is 100-continue'));
    })
    .on('clientError', (error: NodeJS.ErrnoException, socket) => failParsing(connections, error, socket))
    .on('tlsClientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === SPOKE_HTTP) refusePlain(connections.under(socket));
    })
    .on('connect', (_incoming, socket) => answerRaw(socket, 405, 'this server is not a proxy'));
  if (options.source) takeFrom(server, options.source);
  else await listenOn(server, options.host, options.port);
  // Running out of file descriptors only delays new connections, so the server continues.
  server.on('error', (err) => options.log?.error({ err }, 'a connection could not be accepted'));
  const renewal = watchCertificate(server, options);
  return {
    url: options.source?.url ?? urlOf(server, options),
    close: (graceMs) => {
      clearInterval(renewal);
      return close(server, connections, graceMs);
    },
  };
}

/**
 * Files that are unreadable or do not match, for example while only one of them is replaced, are tried again at
 * the next check.
 */
function watchCertificate(
  server: Server,
  { tls, renewal, log }: ListenerOptions,
): NodeJS.Timeout | undefined {
  if (!tls || !renewal || !(server instanceof SecureServer)) return undefined;
  let used = tls;
  let refused = '';
  const renew = async (): Promise<void> => {
    try {
      const { cert, key } = await renewal.read();
      if (cert === used.cert && key === used.key) return;
      server.setSecureContext({ cert, key, minVersion: OLDEST_TLS });
      used = { cert, key };
      refused = '';
      log?.info({}, 'the certificate was renewed');
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== refused)
        log?.error({ err: error }, 'the new certificate cannot be used; the old one stays in use');
      refused = reason;
    }
  };
  return setInterval(() => void renew(), renewal.everyMs).unref();
}

function create({ tls, headersTimeoutMs = HEADERS_MS }: ListenerOptions): Server {
  const limits: ServerOptions = { ...LIMITS, headersTimeout: headersTimeoutMs };
  if (!tls) return createServer(limits);
  try {
    return createSecureServer({ ...limits, ...tls, handshakeTimeout: HANDSHAKE_MS, minVersion: OLDEST_TLS });
  } catch (error) {
    throw new DragomanError(
      'configuration',
      `the certificate or its key cannot be used: ${reasonOf(error)}`,
      {
        hint: 'Both must be PEM files, and the key must belong to the certificate.',
        cause: error,
      },
    );
  }
}

type Responder = (incoming: IncomingMessage, outgoing: ServerResponse, refusal?: Refusal) => void;

function responder(
  app: Hono<AppEnvironment>,
  connections: Connections,
  hosts: ListenerOptions['hosts'],
): Responder {
  const respond = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: 'localhost',
    // The code that answers reads the rest of a body, or ends its connection.
    autoCleanupIncoming: false,
    errorHandler: (error) =>
      answerFailure(
        failureOf(
          error instanceof RequestError ? new Refusal(400, 'the request target is not valid') : error,
        ),
      ),
  });
  return (incoming, outgoing, refusal) => {
    if (!connections.begin(incoming, outgoing)) {
      // Earlier requests are still answered; nothing more is read.
      incoming.socket.pause();
      if (!connections.endAfterAnswer(incoming.socket)) incoming.socket.destroy();
      return;
    }
    const wrong = refusal ?? problemOf(incoming) ?? strangeHost(incoming, hosts);
    if (wrong) refuse(incoming, outgoing, wrong);
    else void respond(incoming, outgoing);
  };
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, { status, message }: Refusal): void {
  incoming.resume();
  closeLingering(incoming);
  const body = JSON.stringify({ detail: message });
  outgoing.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  outgoing.end(body);
}

/** RFC 9112, 3.2: an HTTP/1.1 request names its host exactly once. */
function problemOf({ httpVersion, headers, rawHeaders }: IncomingMessage): Refusal | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts++;
  }
  if (hosts > 1 || (httpVersion === '1.1' && headers.host === undefined)) {
    return new Refusal(400, 'the request needs one Host header');
  }
  return undefined;
}

const HOST = 'host';

/**
 * A web page can point its own domain at this machine and send requests to it (DNS rebinding). A server that only this
 * machine can reach therefore answers only to its own names.
 */
function strangeHost({ headers }: IncomingMessage, hosts: ListenerOptions['hosts']): Refusal | undefined {
  const { host } = headers;
  if (!hosts || host === undefined || hosts(host.replace(/:\d*$/, '').toLowerCase())) return undefined;
  return new Refusal(421, 'this server does not answer for that host: name it with --public-url');
}

function failParsing(connections: Connections, error: NodeJS.ErrnoException, socket: Duplex): void {
  const failure = parseFailureOf(error);
  if (!failure || !(socket instanceof Socket) || connections.isAnswering(socket)) {
    socket.destroy();
    return;
  }
  // Excess bytes after a complete request must not change its answer.
  if (!connections.endAfterAnswer(socket)) answerRaw(socket, ...failure);
}

const SPOKE_HTTP = 'ERR_SSL_HTTP_REQUEST';

/** Answers a client that sent HTTP to a TLS port; otherwise it would only see a closed connection. */
function refusePlain(socket: Socket | undefined): void {
  if (!socket) return;
  // Unread bytes would make the system cut off the answer.
  socket.resume();
  answerRaw(socket, 400, 'this port speaks HTTPS: use https:// in the address');
}

/** Emits `listening` although another process listens: only from then on does Node enforce its time limits. */
function takeFrom(server: Server, source: ConnectionSource): void {
  server.emit('listening');
  source.onConnection((socket) => {
    socket.setNoDelay(LIMITS.noDelay);
    server.emit('connection', socket);
    socket.resume();
  });
}

/** The address that a server listens on. */
export function urlOf(server: NetServer, { host, tls }: ListenerOptions): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `${tls ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

async function close(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.drain();
  const waiting = setTimeout(() => connections.closeWaiting(), Math.min(WAITING_GRACE_MS, graceMs));
  const all = setTimeout(() => connections.closeAll(), graceMs);
  await Promise.all([closed, connections.closed()]);
  clearTimeout(waiting);
  clearTimeout(all);
}

/** How long a client may take to read a connection's last answer. */
const UNREAD_MS = 5_000;

/** Answers invalid HTTP directly on the socket, and ends the connection. */
function answerRaw(socket: Duplex, status: number, detail: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  const timer = setTimeout(() => socket.destroy(), UNREAD_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const PARSE_FAILURES: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the request headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the request body has too many chunk extensions'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long'],
};

/** The answer to invalid HTTP; undefined if the client has left. */
function parseFailureOf({ code = '' }: NodeJS.ErrnoException): readonly [number, string] | undefined {
  if (code === 'ECONNRESET' || code === 'EPIPE') return undefined;
  return PARSE_FAILURES[code] ?? [400, 'the request is not valid HTTP'];
}
