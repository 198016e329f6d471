import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createChainEngine } from '../../src/engines/chain.ts';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { createExecEngine } from '../../src/engines/exec/exec.ts';
import { createLibreTranslateEngine } from '../../src/engines/libretranslate/libretranslate.ts';

/** Tests how engines handle an interrupted call whose pending work may have been paid for. */

const GRACE_MS = 60_000;
const PROGRAM = join(import.meta.dirname, '../chaos/counting-engine.mjs');

function countOf(outcomes: readonly EngineOutcome[]): { translated: number; interrupted: number } {
  return {
    translated: outcomes.filter((outcome) => 'translation' in outcome).length,
    interrupted: outcomes.filter((outcome) => 'failure' in outcome && outcome.error?.code === 'interrupted')
      .length,
  };
}

function openProgram(graceMs: number | undefined): { engine: Engine; answered: () => number } {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-grace-'));
  const log = join(directory, 'log');
  const command = [process.execPath, PROGRAM, log, '1'].map((part) => JSON.stringify(part)).join(' ');
  const engine = createExecEngine({ execCommand: command, graceMs });
  onTestFinished(async () => {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { engine, answered: () => readFileSync(log, 'utf8').split('\n').length - 1 };
}

const texts = Array.from({ length: 300 }, (_, i) => `text ${i}`);
const request = { source: 'en', target: 'fr', texts };

it('a program finishes its pending work, and gets no further work', async () => {
  const { engine, answered } = openProgram(GRACE_MS);
  const stop = new AbortController();
  const call = engine.translate(request, stop.signal);
  // The engine has just started with four requests of 64 texts.
  stop.abort();
  expect(countOf(await call)).toEqual({ translated: 256, interrupted: 44 });
  expect(answered()).toBe(256);
  await expect(engine.translate(request, stop.signal)).rejects.toMatchObject({ code: 'interrupted' });
  expect(answered()).toBe(256);
});

it('a program is abandoned without a grace period', async () => {
  const { engine } = openProgram(undefined);
  const stop = new AbortController();
  const call = engine.translate(request, stop.signal);
  stop.abort();
  await expect(call).rejects.toMatchObject({ code: 'interrupted' });
});

/** A service that answers when it is released, and counts its requests. */
async function openHosted(): Promise<{
  server: Server;
  url: string;
  requests: () => number;
  release: () => void;
}> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const say = (body: unknown): void => {
        outgoing.setHeader('content-type', 'application/json');
        outgoing.end(JSON.stringify(body));
      };
      if (incoming.method === 'GET') return say([{ code: 'en', targets: ['fr'] }]);
      requests++;
      const { q } = JSON.parse(Buffer.concat(chunks).toString()) as { q: readonly string[] };
      void released.then(() => say({ translatedText: q }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, requests: () => requests, release };
}

it('a hosted engine waits for the pending request, and neither it nor a chain sends more', async () => {
  const { url, requests, release } = await openHosted();
  const hosted = createLibreTranslateEngine({
    env: { LIBRETRANSLATE_URL: url, LIBRETRANSLATE_BASE_URL: url },
    graceMs: GRACE_MS,
  });
  const { engine: program } = openProgram(GRACE_MS);
  let asked = 0;
  const next: Engine = {
    ...program,
    id: 'next',
    translate: (...given) => {
      asked++;
      return program.translate(...given);
    },
  };
  const chain = await createChainEngine({
    rules: { '*': ['hosted', 'next'] },
    open: (id) => Promise.resolve(id === 'next' ? next : { ...hosted, id }),
  });
  onTestFinished(() => chain.close());
  const stop = new AbortController();
  const call = chain.translate(request, stop.signal);
  await expect.poll(requests, { timeout: 20_000 }).toBe(1);
  stop.abort();
  // Longer than the grace period of commands.
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  release();
  const { translated, interrupted } = countOf(await call);
  expect(translated).toBeGreaterThan(0);
  expect(translated + interrupted).toBe(texts.length);
  expect(requests()).toBe(1);
  expect(asked).toBe(0);
});
