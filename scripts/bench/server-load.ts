import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

/**
 * Sends the same translation over and over, in a process of its own: `server-load.ts URLS KEYS SECONDS CONNECTIONS`, to
 * the servers in turn, which commas divide, with the keys of a file in turn, a line each. Prints what came back as JSON.
 */
const [urls = '', keyFile = '', seconds = '1', connections = '64'] = process.argv.slice(2);
const servers = urls.split(',');
const perServer = Math.ceil(Number(connections) / servers.length);
const pools = servers.map((url) => new Pool(url, { connections: perServer, pipelining: 1 }));
const body = JSON.stringify({ text: 'Good morning, {name}!', source: 'en', target: 'fr' });
const allHeaders = readFileSync(keyFile, 'utf8')
  .split('\n')
  .map((key) => ({ 'X-API-KEY': key, 'content-type': 'application/json' }));
let sent = 0;
const times: number[] = [];
let failed = 0;
const end = performance.now() + Number(seconds) * 1000;

function send(pool: Pool): Promise<void> {
  return new Promise((resolve) => {
    let status = 0;
    const headers = allHeaders[sent++ % allHeaders.length] ?? {};
    const started = performance.now();
    pool.dispatch(
      { path: '/v2/translate', method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, code) => {
          status = code;
        },
        onResponseData: () => undefined,
        onResponseEnd: () => {
          times.push(performance.now() - started);
          if (status !== 200) failed++;
          resolve();
        },
        onResponseError: () => {
          failed++;
          resolve();
        },
      },
    );
  });
}

async function work(pool: Pool): Promise<void> {
  while (performance.now() < end) await send(pool);
}

await Promise.all(pools.flatMap((pool) => Array.from({ length: perServer }, () => work(pool))));
await Promise.all(pools.map((pool) => pool.close()));
times.sort((a, b) => a - b);
const p99 = times[Math.floor(times.length * 0.99)];
process.stdout.write(JSON.stringify({ perSecond: times.length / Number(seconds), p99, failed }));
