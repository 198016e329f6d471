import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Faults of a mirror; each field applies until it is cleared. */
export interface Faults {
  /** Sends `after` bytes of the next `times` longer files; {@link Mirror.drop} then ends the connections. */
  cut?: { after: number; times: number };
  /** Answers the next `times` requests for files with this status. */
  status?: { code: number; times: number };
  /** Changes a byte of every file. */
  corrupt?: boolean;
  /** Answers with the whole file, ignoring ranges. */
  noRanges?: boolean;
  /** Claims that the file has changed. */
  changed?: boolean;
  /** Sends this many bytes more than the file has. */
  excess?: number;
  /** Accepts a request and never answers. */
  silent?: boolean;
}

export interface Mirror {
  readonly url: string;
  readonly recordsUrl: string;
  readonly faults: Faults;
  /** Method, path and range of every request. */
  readonly requests: string[];
  /** The records to serve, instead of those in the directory. */
  records: string | undefined;
  /** Ends cut connections once their bytes have arrived. */
  drop(): void;
  close(): Promise<void>;
}

/** Serves a collection on this machine as the servers of Firefox do, with faults. */
export async function startMirror(directory: string): Promise<Mirror> {
  const faults: Faults = {};
  const requests: string[] = [];
  const cut = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path} ${request.headers.range ?? ''}`.trim());
    const json = (text: string): void =>
      void response.setHeader('content-type', 'application/json').end(text);
    if (path === '/v1/')
      return json(JSON.stringify({ capabilities: { attachments: { base_url: `${mirror.url}/files/` } } }));
    if (path === '/moved/records') return void response.writeHead(302, { location: mirror.recordsUrl }).end();
    if (path.endsWith('/records'))
      return json(mirror.records ?? readFileSync(join(directory, 'records.json'), 'utf8'));
    if (path.startsWith('/files/'))
      return sendFile(join(directory, path.slice(7)), request, response, faults, cut);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mirror: Mirror = {
    url,
    faults,
    requests,
    records: undefined,
    recordsUrl: `${url}/v1/buckets/main/collections/translations-models-v2/records`,
    drop() {
      for (const response of cut) response.destroy();
      cut.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return mirror;
}

function sendFile(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  faults: Faults,
  cut: Set<ServerResponse>,
): void {
  if (faults.silent) return;
  if (faults.status && faults.status.times-- > 0) return void response.writeHead(faults.status.code).end();
  let bytes = readFileSync(path);
  if (faults.corrupt) bytes = Buffer.from(bytes.map((byte, i) => (i === 100 ? byte ^ 1 : byte)));
  const etag = `"${faults.changed ? 'other' : createHash('md5').update(bytes).digest('hex')}"`;
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? NaN);
  const condition = request.headers['if-range'];
  const partial = !Number.isNaN(from) && !faults.noRanges && (condition === undefined || condition === etag);
  const body = partial ? bytes.subarray(from) : Buffer.concat([bytes, Buffer.alloc(faults.excess ?? 0)]);
  response.writeHead(partial ? 206 : 200, {
    etag,
    'content-length': body.length,
    ...(partial ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  });
  if (faults.cut && faults.cut.times > 0 && body.length > faults.cut.after) {
    faults.cut.times--;
    response.write(body.subarray(0, faults.cut.after));
    cut.add(response);
  } else response.end(body);
}
