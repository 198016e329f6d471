import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { listenTo, openApp, type TestApp } from '../server/harness.ts';
import { dragoman } from './harness.ts';

function translate(url: string, { key }: TestApp): ReturnType<typeof dragoman> {
  const env = { DRAGOMAN_API_KEY: key };
  return dragoman(['translate', 'Hello', '-s', 'en', '-t', 'fr', '--base-url', url], { env });
}

describe('an operator who tries out a server', () => {
  it('learns that it does not speak HTTPS', async () => {
    const app = await openApp();
    const { port } = await listenTo(app);
    const { exitCode, stderr } = await translate(`https://127.0.0.1:${port}`, app);
    expect(exitCode).toBe(6);
    expect(stderr).toBe(
      `error: cannot connect to 127.0.0.1:${port}: it does not speak HTTPS\n` +
        `  If 127.0.0.1:${port} is this machine, use http:// in the base URL; otherwise it needs a certificate.\n`,
    );
  });

  it('learns from the server that it speaks HTTPS', async () => {
    const app = await openApp();
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const { port } = await listenTo(app, { tls: { cert, key } });
    const { stderr } = await translate(`http://127.0.0.1:${port}`, app);
    expect(stderr).toContain('error: this port speaks HTTPS: use https:// in the address\n');
  });

  it('learns that a server which closes the connection may speak only HTTPS', async () => {
    const app = await openApp();
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const server = createServer({ cert, key }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { stderr } = await translate(`http://127.0.0.1:${port}`, app);
    expect(stderr).toContain('If the server speaks HTTPS, use https:// in the base URL.');
  });

  it('learns how an account gets credits', async () => {
    const app = await openApp({ creditsGranted: 0 });
    const { url, port } = await listenTo(app);
    const { exitCode, stderr } = await translate(url, app);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(
      `Ask the operator of 127.0.0.1:${port} for credits. On your own server: dragoman keys credit --email ADDRESS --add N`,
    );
  });
});

describe('a text without letters', () => {
  it.each(['1', '?', '…  42'])('has no language: %s', async (text) => {
    const app = await openApp();
    const second = await app.post('/v2/language_detect', { text });
    expect([second.status, await second.json()]).toEqual([
      200,
      { language_detection: { text, language: 'und' } },
    ]);
    const first = await app.post('/v1/language_detect', { text });
    expect([first.status, await first.json()]).toEqual([200, { language: 'und', confidence: 0 }]);
    expect((await dragoman(['detect', text])).stdout).toBe('und\n');
  });
});

it.each(['xq', 'auto', 'fr'])(
  'error details for the target %s list the same languages as supported-languages',
  async (target) => {
    const pairs = [{ source: 'en', target: 'es' }];
    const engine = {
      ...createPseudoEngine(),
      status: () => Promise.resolve({ id: 'pseudo', ready: true, detail: '', pairs }),
      translate: () =>
        Promise.reject(new DragomanError('engine_unavailable', 'this engine does not translate en to fr')),
    };
    const app = await openApp({ engine });
    const answer = await app.post('/v2/translate', { text: 'Hello', source: 'en', target });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { detail: string }).detail).toMatch(/; supported languages: en, es$/);
  },
);
