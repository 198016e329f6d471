import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Answers a complete request.
 * @param number the number of the request, from 1
 */
export type Answerer = (socket: Socket, number: number, request: string) => void;

export interface RawServer {
  readonly baseUrl: string;
  readonly port: number;
  /** Complete requests as received. */
  readonly requests: readonly string[];
  connections: number;
}

/** A server that sends raw bytes, so that it can violate HTTP. Closed when the test ends. */
export async function startRawServer(answer: Answerer): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    started.connections++;
    let open = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      open += chunk.toString('latin1');
      for (let end = endOf(open); end !== undefined; end = endOf(open)) {
        requests.push(open.slice(0, end));
        answer(socket, requests.length, open.slice(0, end));
        open = open.slice(end);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const started = { baseUrl: `http://127.0.0.1:${port}`, port, requests, connections: 0 };
  return started;
}

/** The end of the first request in `text`, once it is complete. */
function endOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length >= end ? end : undefined;
}

/** A well-formed answer. */
export function httpAnswer(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string | number> } = {},
): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n${text}`;
}
