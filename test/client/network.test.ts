import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectSocket, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describe as describeError } from '../../src/base/errors.ts';
import { connectService } from '../../src/client/connect.ts';
import { runBuilt } from '../cli/checkout/program.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { responses } from '../contract/examples.ts';
import { connect, EN_FR, failureOf, KEY, signal } from './clients.ts';

const call = { signal };
let pem: { readonly cert: string; readonly private: string };
let caFile: string;

beforeAll(async () => {
  const extensions = [
    {
      name: 'subjectAltName' as const,
      altNames: [
        { type: 2 as const, value: 'service.test' },
        { type: 7 as const, ip: '127.0.0.1' },
      ],
    },
  ];
  pem = await generate([{ name: 'commonName', value: 'service.test' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions,
  });
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-ca-'));
  caFile = join(directory, 'ca.pem');
  writeFileSync(caFile, pem.cert);
  return () => rmSync(directory, { recursive: true, force: true });
});

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A service over TLS. */
async function startService(): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createHttpsServer({ key: pem.private, cert: pem.cert }, (request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers['x-api-key'] as string}`);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(responses.translate));
  });
  return { port: await portOf(server), requests };
}

interface Proxied {
  readonly target: string | undefined;
  readonly credentials: string | undefined;
  readonly key: unknown;
}

/** A proxy that redirects every tunnel to one port, or refuses it. */
async function startProxy(
  to: number,
  status = 200,
): Promise<{ url: string; tunnels: Proxied[]; plain: number }> {
  const tunnels: Proxied[] = [];
  const server = createHttpServer(() => void started.plain++);
  server.on('connect', (request, socket: Socket, head) => {
    const { 'proxy-authorization': credentials, 'x-api-key': key } = request.headers;
    tunnels.push({ target: request.url, credentials, key });
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} X\r\n\r\n`);
      return;
    }
    const onward = connectSocket(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 X\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const started = { url: `http://127.0.0.1:${await portOf(server)}`, tunnels, plain: 0 };
  return started;
}

const request = { text: 'Hello', ...EN_FR };

describe('a certificate', () => {
  it('of an unknown authority is not trusted, and nothing is sent', async () => {
    const { port, requests } = await startService();
    const { service } = await connect({ baseUrl: `https://127.0.0.1:${port}` });
    const error = await failureOf(service.translate(request, call));
    expect(error.code).toBe('unreachable');
    expect(error.message).toMatch(/certificate is not trusted/);
    expect(error.hint).toMatch(/--ca-file/);
    expect(requests).toHaveLength(0);
  });

  it('of the user’s authority is trusted', async () => {
    const { port, requests } = await startService();
    const { service } = await connect({ baseUrl: `https://127.0.0.1:${port}`, caFile });
    expect(await service.translate(request, call)).toEqual(responses.translate);
    expect(requests).toEqual([`POST /v2/translate ${KEY}`]);
  });

  it('for another host is not trusted', async () => {
    const { port } = await startService();
    const { service } = await connect({ baseUrl: `https://localhost:${port}`, caFile });
    const error = await failureOf(service.translate(request, call));
    expect(error.message).toMatch(/not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  });

  it.each([
    ['is missing', undefined],
    ['contains no certificate', 'hello'],
    ['contains a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('file that %s is reported', async (_, content) => {
    const path = `${caFile}.other`;
    if (content !== undefined) writeFileSync(path, content);
    onTestFinished(() => rmSync(path, { force: true }));
    const error = await failureOf(connectService({ baseUrl: 'https://service.example', caFile: path }));
    expect(error).toMatchObject({ code: 'unreadable_input' });
    expect(describeError(error)).toContain(path);
  });

  it('is missing if the server speaks plain HTTP', async () => {
    const port = await portOf(createHttpServer((_, response) => response.end()));
    const { service } = await connect({ baseUrl: `https://127.0.0.1:${port}`, timeoutMs: 2000 });
    expect(await failureOf(service.translate(request, call))).toMatchObject({ code: 'unreachable' });
  });
});

describe('a proxy', () => {
  it('tunnels to the service, with its own credentials and without the key', async () => {
    const { port, requests } = await startService();
    const { url, tunnels } = await startProxy(port);
    const env = { HTTPS_PROXY: url.replace('//', '//anna:secret@') };
    const { service } = await connect({ baseUrl: 'https://service.test/api', caFile, env });
    expect(await service.translate(request, call)).toEqual(responses.translate);
    expect(tunnels).toEqual([
      { target: 'service.test:443', credentials: `Basic ${btoa('anna:secret')}`, key: undefined },
    ]);
    expect(requests).toEqual([`POST /api/v2/translate ${KEY}`]);
  });

  it('also tunnels for the built program, whose bundle has only some parts of the library', async () => {
    const { port, requests } = await startService();
    const { url, tunnels } = await startProxy(port);
    const argv = ['translate', 'Hello', '-s', 'en', '-t', 'fr', '--base-url', 'https://service.test'];
    const env = { HTTPS_PROXY: url, DRAGOMAN_API_KEY: KEY };
    const { stderr } = await runBuilt([...argv, '--ca-file', caFile], { cwd: temporaryDirectory(), env });
    expect(tunnels.map(({ target }) => target)).toContain('service.test:443');
    // The answer of this service is for another endpoint.
    expect(requests, stderr).toContain(`POST /v2/translate/batch ${KEY}`);
  });

  it.each<Record<string, string>>([
    { NO_PROXY: 'service.test' },
    { NO_PROXY: 'other.example, .test' },
    { no_proxy: '*' },
    { HTTPS_PROXY: '' },
  ])('is not used for hosts that %j excludes', async (more) => {
    const { url, tunnels } = await startProxy(1);
    const env = { HTTPS_PROXY: url, ...more };
    const { service } = await connect({ baseUrl: 'https://service.test', caFile, env, timeoutMs: 1000 });
    await failureOf(service.translate(request, call));
    expect(tunnels).toHaveLength(0);
  });

  it('is not used for this machine', async () => {
    const { port } = await startService();
    const proxy = await startProxy(port);
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
    const { service } = await connect({ baseUrl: `https://127.0.0.1:${port}`, caFile, env });
    expect(await service.translate(request, call)).toEqual(responses.translate);
    expect(proxy.tunnels).toHaveLength(0);
  });

  it('that refuses is reported, without its password', async () => {
    const { url } = await startProxy(1, 407);
    const env = { HTTPS_PROXY: url.replace('//', '//anna:secret@') };
    const { service } = await connect({ baseUrl: 'https://service.test', env });
    const error = await failureOf(service.translate(request, call));
    expect(error.code).toBe('unreachable');
    expect(error.message).toMatch(/407/);
    expect(error.message).not.toMatch(/secret/);
  });

  it('that does not answer is abandoned', async () => {
    const silent = createHttpServer();
    silent.on('connect', () => undefined);
    const env = { https_proxy: `http://127.0.0.1:${await portOf(silent)}` };
    const { service } = await connect({ baseUrl: 'https://service.test', env, timeoutMs: 300 });
    const began = performance.now();
    expect(await failureOf(service.translate(request, call))).toMatchObject({ code: 'unreachable' });
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it.each(['nonsense', 'ftp://proxy:1'])('cannot be %s', async (url) => {
    const work = connectService({ baseUrl: 'https://service.test', env: { HTTPS_PROXY: url } });
    expect(await failureOf(work)).toMatchObject({ code: 'configuration' });
  });
});
