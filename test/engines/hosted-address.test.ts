import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../client/fake-clock.ts';
import { HOSTED } from './servers/hosted.ts';

/** A proxy that lets nothing through, and records the requested addresses. */
let proxy: Server;
const asked: string[] = [];
beforeAll(async () => {
  proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  proxy.close();
});

describe('the default address of hosted engines', () => {
  it.each([
    ['deepl', 'key:fx', 'api-free.deepl.com:443'],
    ['deepl', 'key', 'api.deepl.com:443'],
    ['google', 'key', 'translation.googleapis.com:443'],
    ['libretranslate', 'key', 'libretranslate.com:443'],
    ['openai', 'key', 'api.openai.com:443'],
  ])('%s with the key %s: %s', async (name, key, host) => {
    const hosted = HOSTED.find((one) => one.name === name)!;
    const { port } = proxy.address() as AddressInfo;
    const env = { [hosted.variables.key]: key, HTTPS_PROXY: `http://127.0.0.1:${port}` };
    const engine = hosted.create(env, { clock: new FakeClock() });
    asked.length = 0;
    expect(await engine.status()).toMatchObject({ ready: false, detail: expect.stringContaining('connect') });
    await engine.close();
    expect(new Set(asked)).toEqual(new Set([host]));
  });
});
