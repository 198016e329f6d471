import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attemptCall, type AttemptOptions } from '../../src/webhooks/attempt.ts';
import { HostResolution } from '../../src/webhooks/host-resolution.ts';
import { eventually } from './eventually.ts';
import { certificateFor, startReceiver, status, type Receiver } from './receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = JSON.stringify({ event: 'i18n_translation.completed', text: 'été 🎉' });
const never = new AbortController().signal;

async function call(receiver: Pick<Receiver, 'url' | 'ca'>, options: Partial<AttemptOptions> = {}) {
  return (await attempt(receiver, options))?.reason;
}

function attempt(receiver: Pick<Receiver, 'url' | 'ca'>, options: Partial<AttemptOptions> = {}) {
  return attemptCall(
    { id: 'msg_1', url: receiver.url, body: BODY, secret: SECRET },
    { allowPrivate: true, ca: receiver.ca, timeoutMs: 5_000, signal: never, now: Date.now(), ...options },
  );
}

/** A server that sends raw bytes, without TLS. */
async function startSocketServer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

describe('a call', () => {
  it('is a signed POST of the unchanged body', async () => {
    const receiver = await startReceiver(status(204));
    expect(await call(receiver)).toBeUndefined();
    const [{ method, path, headers, body, protocol } = { headers: {}, body: Buffer.of() }] =
      receiver.received;
    expect({ method, path }).toEqual({ method: 'POST', path: '/hook' });
    expect(body.toString()).toBe(BODY);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(BODY)),
      'user-agent': expect.stringMatching(/^dragoman\/\d+\.\d+\.\d+/) as string,
      'webhook-id': 'msg_1',
    });
    expect(protocol).toMatch(/^TLSv1\.[23]$/);
    new Webhook(SECRET).verify(body.toString(), headers as Record<string, string>);
  });

  it('keeps path and query of the address', async () => {
    const receiver = await startReceiver(status(200));
    const url = `https://127.0.0.1:${receiver.port}/a%20b?c=d&e#f`;
    expect(await call({ ...receiver, url })).toBeUndefined();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/a%20b?c=d&e']);
  });

  it.each([200, 201, 202, 204, 226, 299])('is acknowledged by %d', async (code) => {
    expect(await call(await startReceiver(status(code)))).toBeUndefined();
  });

  it.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])('is not acknowledged by %d', async (code) => {
    expect(await call(await startReceiver(status(code)))).toContain(`answered ${code}`);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with %d', async (code) => {
    const target = await startReceiver(status(200));
    const receiver = await startReceiver((response) => {
      response.writeHead(code, { location: target.url });
      response.end();
    });
    expect(await call(receiver)).toContain('redirects are not followed');
    expect(target.connections()).toBe(0);
  });

  it('ignores proxies in the environment', async () => {
    const proxy = await startReceiver(status(200));
    const receiver = await startReceiver(status(200));
    const names = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    onTestFinished(() => {
      for (const name of names) delete process.env[name];
    });
    expect(await call(receiver)).toBeUndefined();
    expect(proxy.connections()).toBe(0);
  });

  it('is not waited for beyond its time limit', async () => {
    const started = performance.now();
    const hanging = await startReceiver(() => undefined);
    expect(await call(hanging, { timeoutMs: 300 })).toBe('no answer within 0.3 seconds');
    const silent = await startSocketServer(() => undefined);
    expect(await call({ ...hanging, url: silent }, { timeoutMs: 300 })).toContain('no answer within');
    const slowHeaders = await startReceiver((response) => {
      const drip = setInterval(() => response.socket?.write('H'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await call(slowHeaders, { timeoutMs: 300 })).toBeDefined();
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('ends when aborted', async () => {
    const receiver = await startReceiver(() => undefined);
    const controller = new AbortController();
    const pending = call(receiver, { signal: controller.signal });
    await eventually(() => receiver.received.length).toBe(1);
    controller.abort();
    expect(await pending).toBeDefined();
    expect(await call(receiver, { signal: controller.signal })).toBeDefined();
    expect(receiver.received).toHaveLength(1);
  });

  it('fails if the receiver cuts the connection', async () => {
    const cut = await startReceiver((response) => response.socket?.destroy());
    expect(await call(cut)).toBe('the connection was cut');
    const garbage = await startReceiver((response) =>
      response.socket?.end('220 smtp.example.com ESMTP\r\n\r\n'),
    );
    expect(await call(garbage)).toMatch(/^the answer is not HTTP/);
    const switching = await startReceiver((response) =>
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    );
    expect(await call(switching)).toBe('the receiver answered 101');
  });

  it('ends with the status: the body is read for a moment, not completely', async () => {
    let written = 0;
    const huge = await startReceiver((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024);
      const write = () => {
        if (response.destroyed || written > 64 * 1024 * 1024) return;
        written += chunk.length;
        response.write(chunk, write);
      };
      write();
    });
    expect(await call(huge)).toBeUndefined();
    expect(written).toBeLessThan(16 * 1024 * 1024);
    const started = performance.now();
    const dripping = await startReceiver((response) => {
      response.writeHead(500);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await call(dripping, { timeoutMs: 20_000 })).toContain('answered 500');
    const cut = await startReceiver((response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{', () => response.socket?.destroy());
    });
    expect(await call(cut)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('requires a certificate that is trusted, valid for the name, and not expired', async () => {
    const receiver = await startReceiver(status(200));
    expect(await call({ url: receiver.url, ca: (await certificateFor('localhost')).cert })).toMatch(
      /certificate .* not accepted/,
    );
    const other = await certificateFor('example.com');
    const wrongName = await startReceiver(status(200), { certificate: other });
    expect(await call(wrongName)).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    // The environment does not matter.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    });
    expect(await call(wrongName)).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    expect([...receiver.received, ...wrongName.received]).toEqual([]);
  });

  it('requires TLS 1.2 or newer', async () => {
    const old = await startReceiver(status(200), { minVersion: 'TLSv1' });
    expect(await call(old)).toBeDefined();
    expect(old.received).toEqual([]);
    const bytes: Buffer[] = [];
    const plain = await startSocketServer((socket) => {
      socket.on('data', (chunk: Buffer) => bytes.push(chunk));
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    expect(await call({ ...old, url: plain })).toBeDefined();
    expect(Buffer.concat(bytes).includes('i18n')).toBe(false);
  });

  it('goes to the checked addresses, even if the name changes afterwards', async () => {
    const certificate = await certificateFor('hook.example.com');
    const receiver = await startReceiver(status(200), { certificate });
    let lookups = 0;
    const resolution = new HostResolution(() => {
      const address = lookups++ === 0 ? '127.0.0.1' : '192.0.2.1';
      return Promise.resolve([{ address, family: 4 }]);
    });
    const url = `https://hook.example.com:${receiver.port}/`;
    expect(await call({ ...receiver, url }, { resolution })).toBeUndefined();
    expect(lookups).toBe(1);
    expect(receiver.received[0]?.headers.host).toBe(`hook.example.com:${receiver.port}`);
    const private6 = new HostResolution(() => Promise.resolve([{ address: '::1', family: 6 }]));
    expect(await call({ ...receiver, url }, { resolution: private6, allowPrivate: false })).toContain(
      'public',
    );
    expect(receiver.connections()).toBe(1);
  });

  it('does not connect to forbidden addresses', async () => {
    const receiver = await startReceiver(status(200));
    const { port } = receiver;
    const hosts = ['localhost', '127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', '2130706433', 'LOCALHOST.'];
    for (const host of hosts) {
      const url = `https://${host}:${port}/`;
      expect(await call({ ...receiver, url }, { allowPrivate: false })).toBe(
        'webhook_url must lead to a public address',
      );
    }
    expect(await call({ ...receiver, url: `http://localhost:${port}/` })).toContain('HTTPS');
    expect(receiver.connections()).toBe(0);
  });

  it('fails without a listener', async () => {
    expect(await call({ url: 'https://localhost:1/', ca: '' })).toBe('the connection was refused');
    expect(await call({ url: 'https://does-not-exist.invalid/', ca: '' })).toMatch(
      /^the name of the receiver/,
    );
  });
});

describe('a receiver that cannot take a call now', () => {
  const answering = (code: number, headers: Record<string, string>) =>
    startReceiver((response) => {
      response.writeHead(code, headers);
      response.end();
    });

  it.each([
    [503, { 'retry-after': '30' }, 30_000],
    [429, { 'retry-after': 'Thu, 01 Jan 1970 00:00:20 GMT' }, 15_000],
    [500, { 'retry-after': '999999999' }, 3_600_000],
    [503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' }, undefined],
    [503, { 'retry-after': 'soon' }, undefined],
    [503, {}, undefined],
  ] as const)('says when to retry: %i %j', async (code, headers, expected) => {
    const failure = await attempt(await answering(code, headers), { now: 5_000 });
    expect(failure).toMatchObject({ isFinal: false, reason: `the receiver answered ${code}` });
    expect(failure?.retryAfterMs).toBe(expected);
  });

  it('says with 410 that it is gone', async () => {
    expect(await attempt(await answering(410, {}))).toMatchObject({ isFinal: true });
  });
});
