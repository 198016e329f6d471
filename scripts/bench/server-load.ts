import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { cpuSecondsOf } from './process-figures.ts';

/** What came back in the measured time, from the first request to the last answer. */
export interface LoadFigures {
  readonly answered: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Processor time of each of the measured processes, then of this one, in seconds. */
  readonly cpu: readonly number[];
}

/**
 * Sends the same translation over and over, in a process of its own: `server-load.ts URLS KEYS SECONDS CONNECTIONS PIDS`,
 * to the servers in turn, with the keys of a file in turn, a line each; measures processes and their children meanwhile.
 * Commas divide what there are several of. Prints {@link LoadFigures} as JSON.
 */
const [urls = '', keyFile = '', seconds = '1', connections = '64', pids = ''] = process.argv.slice(2);
const servers = urls.split(',');
const perServer = Math.ceil(Number(connections) / servers.length);
const pools = servers.map((url) => new Pool(url, { connections: perServer, pipelining: 1 }));
const body = JSON.stringify({ text: 'Good morning, {name}!', source: 'en', target: 'fr' });
const allHeaders = readFileSync(keyFile, 'utf8')
  .split('\n')
  .map((key) => ({ 'X-API-KEY': key, 'content-type': 'application/json' }));
let sent = 0;
const times: number[] = [];
const failures = new Set<string>();
const measured = [...pids.split(',').map(Number), process.pid];
const cpuBefore = measured.map(cpuSecondsOf);
const begin = performance.now();
const end = begin + Number(seconds) * 1000;

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
          if (status !== 200) failures.add(`status ${status}`);
          resolve();
        },
        onResponseError: (_, error) => {
          failures.add(error.message);
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
const took = (performance.now() - begin) / 1000;
const cpu = measured.map((pid, i) => cpuSecondsOf(pid) - (cpuBefore[i] ?? 0));
await Promise.all(pools.map((pool) => pool.close()));
if (failures.size > 0) throw new Error(`requests to ${urls} failed: ${[...failures].join(', ')}`);
times.sort((a, b) => a - b);
const p99 = times[Math.floor(times.length * 0.99)] ?? NaN;
const figures: LoadFigures = { answered: times.length, seconds: took, p99, cpu };
process.stdout.write(JSON.stringify(figures));
