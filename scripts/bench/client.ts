import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { Pool } from 'undici';
import type { connectService } from '../../src/client/connect.ts';
import type { BatchRequest, TranslateRequest } from '../../src/contract/texts.ts';
import { interleave, median, printRow } from './measure.ts';
import { Sentences } from './words.ts';

const RUNS = 15;
const CONNECTIONS = 4;
const AIM = 1.3;

/** Answers every request at once with the first argument's answer for the path. */
const SERVER = `
const answers = JSON.parse(process.argv[1]);
const server = require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(answers[request.url]);
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

interface Client {
  readonly connectService: typeof connectService;
}

/**
 * Bundled as in a release, because the TypeScript loader names every function at run time, which is slow.
 */
async function bundleClient(): Promise<Client> {
  mkdirSync('dist', { recursive: true });
  const dir = mkdtempSync(join('dist', 'client-'));
  try {
    await build({
      input: 'src/client/connect.ts',
      platform: 'node',
      external: (id) => !/^[./]|valibot/.test(id),
      output: { dir, entryFileNames: 'client.js', codeSplitting: false },
      logLevel: 'silent',
    });
    return (await import(pathToFileURL(join(dir, 'client.js')).href)) as Client;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** The client's overhead per request, compared with undici alone, which sends, waits and parses. */
export async function benchClient(): Promise<void> {
  const client = await bundleClient();
  const sentences = new Sentences();
  const direction = { source: 'en', target: 'fr' };
  const text: TranslateRequest = { text: sentences.next(), ...direction };
  const batch: BatchRequest = { texts: Array.from({ length: 100 }, () => sentences.next()), ...direction };
  const translations = batch.texts.map((item) => ({
    text: item,
    translation: item,
    ...direction,
    success: true,
  }));
  const answers = {
    '/v2/translate': JSON.stringify({ translations: { ...text, translation: text.text }, details: {} }),
    '/v2/translate/batch': JSON.stringify({ translations, total: 100, successful: 100, failed: 0 }),
  };
  const server = spawn(process.execPath, ['-e', SERVER, JSON.stringify(answers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(createInterface(server.stdout), 'line')) as [string];
    const baseUrl = `http://127.0.0.1:${port}`;
    await compare(client, baseUrl, '/v2/translate', text, 1000);
    await compare(client, baseUrl, '/v2/translate/batch', batch, 200);
  } finally {
    server.kill();
  }
}

async function compare(
  { connectService }: Client,
  baseUrl: string,
  path: '/v2/translate' | '/v2/translate/batch',
  request: TranslateRequest | BatchRequest,
  count: number,
): Promise<void> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const remote = await connectService({ baseUrl, key: 'sk-bench', concurrency: CONNECTIONS, env: {} });
  const { signal } = new AbortController();
  const headers = { 'content-type': 'application/json', 'X-API-KEY': 'sk-bench' };
  const bare = async (): Promise<void> => {
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(request) });
    await answer.body.json();
  };
  const ours = async (): Promise<void> => {
    if ('texts' in request) await remote.service.translateBatch(request, { signal });
    else await remote.service.translate(request, { signal });
  };
  const timed = (call: () => Promise<void>) => async (): Promise<number> => {
    const began = performance.now();
    const rest = Array.from({ length: count }).values();
    const work = async (): Promise<void> => {
      for (const _ of rest) await call();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    return (1000 * (performance.now() - began)) / count;
  };
  await interleave(2, [timed(bare), timed(ours)]);
  const [bares = [], all = []] = await interleave(RUNS, [timed(bare), timed(ours)]);
  await Promise.all([pool.close(), remote.close()]);
  const ratio = median(all) / median(bares);
  printRow(
    `client     ${path}`,
    `${median(bares).toFixed(0)} µs bare, ${median(all).toFixed(0)} µs ours  ${ratio.toFixed(2)} x`,
    { text: `≤ ${AIM} x`, met: ratio <= AIM },
  );
}
