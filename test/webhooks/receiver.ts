import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly protocol: string | null;
}

/** Answers a complete request. */
export type Answer = (response: ServerResponse, received: Received, count: number) => void;

export interface Receiver {
  readonly port: number;
  /** At `localhost`; the certificate is valid for `127.0.0.1` as well. */
  readonly url: string;
  readonly ca: string;
  readonly received: Received[];
  /** Connections that came. */
  readonly connections: () => number;
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate. */
export async function certificateFor(...names: readonly string[]): Promise<Certificate> {
  const isAddress = (name: string) => /^[\d.]+$|:/.test(name);
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'dragoman test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isAddress(name) ? { type: 7, ip: name } : { type: 2, value: name })),
      },
    ],
  });
  return { key, cert };
}

let ours: Promise<Certificate> | undefined;

interface ReceiverOptions {
  readonly certificate?: Certificate;
  readonly minVersion?: 'TLSv1';
}

/** A real HTTPS server on loopback that records its requests. Closed at the end of the test. */
export async function startReceiver(answer: Answer, options?: ReceiverOptions): Promise<Receiver> {
  const { close, ...receiver } = await openReceiver(answer, options);
  onTestFinished(close);
  return receiver;
}

/** Opens a receiver that the caller closes. */
export async function openReceiver(
  answer: Answer,
  { certificate, minVersion }: ReceiverOptions = {},
): Promise<Receiver & { readonly close: () => void }> {
  const { key, cert } = certificate ?? (await (ours ??= certificateFor('localhost', '127.0.0.1')));
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const old =
    minVersion === undefined
      ? {}
      : { minVersion, maxVersion: 'TLSv1.1' as const, ciphers: 'ALL:@SECLEVEL=0' };
  const server = createServer({ key, cert, ...old }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
        protocol: (request.socket as TLSSocket).getProtocol(),
      };
      received.push(one);
      answer(response, one, received.length);
    });
  });
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://localhost:${port}/hook`,
    ca: cert,
    received,
    close,
    connections: () => connections,
  };
}

/** Answers with a status and nothing else. */
export function status(code: number): Answer {
  return (response) => {
    response.writeHead(code);
    response.end();
  };
}
