import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { supportedLanguages } from '../../src/languages/catalog.ts';
import { timed } from './echo.ts';
import { makeDocument } from './made-documents.ts';
import { printRow } from './measure.ts';
import { createKey, startServer } from './server-process.ts';

const BYTES = 9_990_000;
const SINGLE_VALUE = 9_000_000;
const CODES = supportedLanguages()
  .map(({ code }) => code)
  .filter((code) => code !== 'en')
  .slice(0, 15);
const CREDITS = 1e9;
/** The file is read only once for all languages. */
const AIM = 0.8 * CODES.length;
const JOB_MS = 180_000;
const ANSWER_MS = 30_000;

interface JobRun {
  readonly seconds: number;
  readonly peakMemory: number;
}

/** Translating a 10 MB file into many languages, compared with one language, each on a separate server. */
export async function benchJob(directory: string): Promise<void> {
  const document = makeDocument('json', BYTES);
  const one = await runJob(directory, document, CODES.slice(0, 1));
  const many = await runJob(directory, document, CODES);
  printRow(
    'server     job of 10 MB, 1 language',
    `${one.seconds.toFixed(1)} s  ${megabytes(one.peakMemory)}`,
  );
  const ratio = many.seconds / one.seconds;
  const what = `server     job of 10 MB, ${CODES.length} languages`;
  printRow(what, `${many.seconds.toFixed(1)} s  ${ratio.toFixed(1)} x`, {
    text: `<= ${AIM} x`,
    met: ratio <= AIM,
  });
  printRow('server     peak memory of its processes', megabytes(many.peakMemory), {
    text: '< 500 MB',
    met: many.peakMemory < 500e6,
  });
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Runs a separate server with an account until `work` is done. */
async function withServer<T>(
  directory: string,
  work: (server: JobServer) => Promise<T>,
): Promise<T & { readonly peakMemory: number }> {
  const data = mkdtempSync(join(directory, 'job-'));
  const key = createKey(data, CREDITS);
  const args = ['--data-dir', data, '--port', '0', '--engine', 'pseudo', '--rate-limit', '0'];
  const measured = await startServer(directory, ['bin/dragoman.js', 'serve', ...args]);
  let peakMemory = 0;
  const sampler = setInterval(() => (peakMemory = Math.max(peakMemory, measured.memory())), 100);
  try {
    const result = await work(new JobServer(measured.url, key));
    return { ...result, peakMemory };
  } finally {
    clearInterval(sampler);
    await measured.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Jobs of one account, as a client sees them. */
class JobServer {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#headers = { 'X-API-KEY': key };
  }

  /** @returns its id */
  async create(document: string, codes: readonly string[]): Promise<string> {
    const body = new FormData();
    body.set('source_language', 'en');
    body.set('target_languages', codes.join());
    body.set('file', new File([document], 'messages.json'));
    const path = `${this.#url}/v2/translate/i18n`;
    const signal = AbortSignal.timeout(ANSWER_MS);
    const created = await fetch(path, { method: 'POST', body, headers: this.#headers, signal });
    const { job_id } = (await created.json()) as { readonly job_id?: string };
    if (created.status !== 201 || job_id === undefined) throw new Error(`answered with ${created.status}`);
    return job_id;
  }

  async end(id: string): Promise<void> {
    const deadline = performance.now() + JOB_MS;
    while (performance.now() < deadline) {
      const path = `${this.#url}/v2/translate/i18n/jobs/${id}/status`;
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer = await fetch(path, { headers: this.#headers, signal });
      const { status } = (await answer.json()) as { readonly status: string };
      if (status === 'completed') return;
      if (status !== 'pending' && status !== 'processing')
        throw new Error(`the job ended with status ${status}`);
      await delay(100);
    }
    throw new Error(`the job took longer than ${JOB_MS / 1000} s`);
  }

  /**
   * Requests the server's health until `work` is done, from a separate process, because this process sends large
   * uploads at the same time.
   * @returns the longest time of a request, in milliseconds
   */
  async longestHealth(work: () => Promise<unknown>): Promise<number> {
    const script = ['--import', 'tsx', 'scripts/bench/server-health.ts', this.#url];
    const asking = spawn('node', script, { stdio: ['pipe', 'pipe', 'inherit'] });
    const longest = text(asking.stdout);
    // Waits until the first request has been made.
    await once(asking.stdout, 'readable');
    try {
      await work();
    } finally {
      asking.stdin.end();
    }
    return Math.max(...(await longest).trim().split('\n').map(Number));
  }
}

function runJob(directory: string, document: string, codes: readonly string[]): Promise<JobRun> {
  return withServer(directory, async (server) => {
    const started = performance.now();
    await server.end(await server.create(document, codes));
    return { seconds: (performance.now() - started) / 1000 };
  });
}

const SMALL_JOBS = 30;
const SMALL_EVERY_MS = 300;

/** Small jobs during a large one, and the server's response time during a job with a single large value. */
export async function benchSharing(directory: string): Promise<void> {
  const small = JSON.stringify(
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, `Text ${i}`])),
  );
  const { slowest, health, peakMemory } = await withServer(directory, async (server) => {
    await server.create(makeDocument('json', BYTES), CODES);
    const ends: Promise<number>[] = [];
    const all = async (): Promise<void> => {
      for (let i = 0; i < SMALL_JOBS; i++) {
        ends.push(timed(async () => server.end(await server.create(small, ['fr'])))());
        await delay(SMALL_EVERY_MS);
      }
      await Promise.all(ends);
    };
    const health = await server.longestHealth(all);
    return { slowest: Math.max(...(await Promise.all(ends))) / 1000, health };
  });
  printRow(
    `server     slowest of ${SMALL_JOBS} small jobs meanwhile`,
    `${slowest.toFixed(1)} s  ${megabytes(peakMemory)}  /health ${Math.round(health)} ms`,
    { text: '<= 10 s, < 500 MB', met: slowest <= 10 && peakMemory < 500e6 },
  );
  const single = JSON.stringify({ one: 'A sentence that is one of many. '.repeat(SINGLE_VALUE / 32) });
  const { longest } = await withServer(directory, async (server) => {
    return {
      longest: await server.longestHealth(async () => server.end(await server.create(single, ['fr']))),
    };
  });
  printRow('server     /health during a job with a 9 MB value', `${Math.round(longest)} ms`, {
    text: '<= 200 ms',
    met: longest <= 200,
  });
}
