import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { DragomanError } from '../../../base/errors.ts';
import { listenOn } from '../../../base/listen.ts';
import { webhookPayload, type WebhookPayload } from '../../../contract/jobs.ts';
import { WEBHOOK_TIMEOUT_MS } from '../../../contract/limits.ts';
import { validate } from '../../../contract/validation.ts';
import { verifyWebhook, WEBHOOK_HEADERS, type VerificationFailure } from '../../../webhooks/signature.ts';
import type { KeyPair } from './self-signed.ts';

/** A payload lists at most 50 files. */
const MAX_BODY_BYTES = 1024 * 1024;
const CLOSE_MS = 1_000;
/** Enough, because senders only retry within minutes. */
const MAX_REMEMBERED = 10_000;

export interface WebhookEvent {
  /** The `webhook-id`, which is the same for a repeated event. */
  readonly id: string;
  readonly payload: WebhookPayload;
  /** The body as received. */
  readonly body: string;
}

export interface EventReceiverOptions extends KeyPair {
  readonly port: number;
  /** A signature with any of these is valid. */
  readonly secrets: readonly string[];
  /** Handles a new event. Returns false if it cannot be accepted now: the sender is then asked to retry. */
  readonly onEvent: (event: WebhookEvent) => boolean;
  /** Called for a request that is not an event, or repeats one. */
  readonly onOther: (what: string) => void;
}

/** Receives webhooks over HTTPS on loopback. The caller closes it. */
export interface EventReceiver {
  readonly url: string;
  /** Accepts no more requests, and finishes pending answers. */
  close(): Promise<void>;
}

/** @throws DragomanError `usage` if the port is in use */
export async function startEventReceiver(options: EventReceiverOptions): Promise<EventReceiver> {
  const seen = new Set<string>();
  const server = createServer(
    {
      key: options.key,
      cert: options.cert,
      minVersion: 'TLSv1.2',
      requestTimeout: WEBHOOK_TIMEOUT_MS,
      headersTimeout: WEBHOOK_TIMEOUT_MS,
    },
    (request, response) => {
      void answer(request, response, options, seen);
    },
  );
  server.on('tlsClientError', (error) => {
    options.onOther(`the TLS handshake failed (${'code' in error ? String(error.code) : 'unknown'})`);
  });
  const port = await listenOn(server, '127.0.0.1', options.port);
  return { url: `https://127.0.0.1:${port}/`, close: () => closeServer(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: EventReceiverOptions,
  seen: Set<string>,
): Promise<void> {
  const refuse = (status: number, detail: string): void => {
    options.onOther(`refused with ${status}: ${detail}`);
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ detail }));
  };
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return refuse(405, 'webhooks are sent with POST');
  }
  const body = await readBody(request);
  if (body === 'cut') return;
  if (body === 'too long') return refuse(413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
  const failures = options.secrets.map((secret) => verifyWebhook(secret, request.headers, body));
  const [failure] = failures;
  if (failure !== undefined && !failures.includes(undefined)) return refuse(401, REFUSALS[failure]);
  const event = readEvent(String(request.headers[WEBHOOK_HEADERS.id]), body.toString());
  if (typeof event === 'string') return refuse(400, event);
  if (seen.has(event.id)) options.onOther(`${event.id} was delivered again`);
  else if (options.onEvent(event)) remember(seen, event.id);
  else return refuse(503, 'cannot accept events now');
  response.writeHead(204).end();
}

const REFUSALS: Readonly<Record<VerificationFailure, string>> = {
  missing_header: 'the headers of a signed webhook are missing',
  malformed_timestamp: 'webhook-timestamp is not a number of seconds',
  too_old: 'the request was signed too long ago',
  too_new: 'the request was signed in the future: the clocks differ',
  wrong_signature: 'the signature is wrong: the secret or the body differs',
};

/** The event, or the reason why it is invalid. */
function readEvent(id: string, body: string): WebhookEvent | string {
  try {
    return { id, payload: validate(webhookPayload, JSON.parse(body)), body };
  } catch (error) {
    return error instanceof DragomanError ? error.message : 'the body is not JSON';
  }
}

/** Not `for await`, which would close the connection before the answer is sent. */
function readBody(request: IncomingMessage): Promise<Buffer | 'too long' | 'cut'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) return chunks.push(chunk);
      request.pause();
      return resolve('too long');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve('cut'));
    request.on('close', () => resolve('cut'));
  });
}

function remember(seen: Set<string>, id: string): void {
  for (const oldest of seen) {
    if (seen.size < MAX_REMEMBERED) break;
    seen.delete(oldest);
  }
  seen.add(id);
}

/** Answers take no time, so all remaining connections are idle. */
async function closeServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
