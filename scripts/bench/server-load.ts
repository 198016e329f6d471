import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { cpuSecondsOf } from './process-figures.ts';

/** The requests, their destination, and the processes whose CPU time is measured meanwhile. */
export interface LoadTask {
  readonly urls: readonly string[];
  /** A file with the keys to use in turn, one per line. */
  readonly keyFile: string;
  readonly seconds: number;
  /** Ends the load earlier. */
  readonly requests?: number | undefined;
  /** To each server. */
  readonly connections: number;
  /** Processes that are measured with their children. */
  readonly pids: readonly number[];
}

/** The answers during the measurement, from the first request to the last answer. */
export interface LoadFigures {
  readonly answered: number;
  readonly seconds: number;
  /** In milliseconds. */
  readonly p99: number;
  /** Processor time of each of the measured processes, then of this one, in seconds. */
  readonly cpu: readonly number[];
}

/** The figures of a task, or why they are missing. */
export type LoadResult = LoadFigures | { readonly failed: string };

const body = JSON.stringify({ text: 'Good morning, {name}!', source: 'en', target: 'fr' });
/** The time limit of an answer, after which its request counts as failed. */
const ANSWER_MS = 10_000;

type RequestHeaders = Readonly<Record<string, string>>;

/** @returns why the request failed, or undefined */
function send(pool: Pool, headers: RequestHeaders): Promise<string | undefined> {
  return new Promise((resolve) => {
    let status = 0;
    pool.dispatch(
      { path: '/v2/translate', method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, code) => {
          status = code;
        },
        onResponseData: () => undefined,
        onResponseEnd: () => resolve(status === 200 ? undefined : `status ${status}`),
        onResponseError: (_, error) => resolve(error.message),
      },
    );
  });
}

/**
 * Sends the same translation repeatedly: each connection waits for its answer before it sends the next
 * request. Each connection sends one request before the measurement, because opening connections costs more
 * than requests.
 */
async function run({
  urls,
  keyFile,
  seconds,
  requests = Infinity,
  connections,
  pids,
}: LoadTask): Promise<LoadFigures> {
  const options = { connections, pipelining: 1, headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS };
  const pools = urls.map((url) => new Pool(url, options));
  const allHeaders = readFileSync(keyFile, 'utf8')
    .split('\n')
    .map((key): RequestHeaders => ({ 'X-API-KEY': key, 'content-type': 'application/json' }));
  let sent = 0;
  const request = async (pool: Pool): Promise<void> => {
    const failure = await send(pool, allHeaders[sent++ % allHeaders.length] ?? {});
    if (failure !== undefined) throw new Error(`a request to ${urls.join(', ')} failed: ${failure}`);
  };
  const onAll = (work: (pool: Pool) => Promise<void>): Promise<unknown> =>
    Promise.all(pools.flatMap((pool) => Array.from({ length: connections }, () => work(pool))));
  await onAll(request);
  const times: number[] = [];
  const measured = [...pids, process.pid];
  const cpuBefore = measured.map(cpuSecondsOf);
  const begin = performance.now();
  const end = begin + seconds * 1000;
  await onAll(async (pool) => {
    for (let now = performance.now(); now < end && times.length < requests;) {
      await request(pool);
      const started = now;
      now = performance.now();
      times.push(now - started);
    }
  });
  const took = (performance.now() - begin) / 1000;
  const cpu = measured.map((pid, i) => cpuSecondsOf(pid) - (cpuBefore[i] ?? 0));
  await Promise.all(pools.map((pool) => pool.destroy()));
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? NaN;
  return { answered: times.length, seconds: took, p99, cpu };
}

/** Runs each {@link LoadTask} that the parent sends, and answers with a {@link LoadResult}; ends with the parent. */
process.on('message', (task: LoadTask) => {
  run(task).then(
    (figures) => process.send?.(figures satisfies LoadResult),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies LoadResult),
  );
});
process.once('disconnect', () => process.exit());
