import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { benchJob } from './server-job.ts';
import { interleave, median, printRow, printSkipped } from './measure.ts';
import { createKeys, startServer, type MeasuredServer } from './server-process.ts';

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 64;
const KEYS = 1_000;

/** The server under load against the framework alone, and a large job against a small one. */
export async function benchServer(): Promise<void> {
  if (process.platform !== 'linux') {
    printSkipped('server', 'memory and processor time are read from /proc');
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    await benchRequests(directory);
    await benchJob(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Load {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server for a request, in microseconds. */
  readonly cpu: number;
}

async function benchRequests(directory: string): Promise<void> {
  const serve = (...args: readonly string[]): readonly string[] =>
    ['bin/dragoman.js', 'serve', '--port', '0', '--engine', 'pseudo', ...args].flat();
  const unlimited = join(directory, 'unlimited');
  const limited = join(directory, 'limited');
  const many = join(directory, 'many');
  const oneKey = await createKeys(unlimited, 1, 1e9);
  const keys = [oneKey, oneKey, await createKeys(limited, 1, 1e9), await createKeys(many, KEYS, 1e6)];
  const servers = [
    await startServer(directory, ['--import', 'tsx', 'scripts/bench/server-bare.ts']),
    await startServer(directory, serve('--data-dir', unlimited, '--rate-limit', '0')),
    await startServer(directory, serve('--data-dir', limited, '--rate-limit', '999999999')),
    await startServer(directory, serve('--data-dir', many, '--rate-limit', '999999999')),
  ];
  try {
    const runs = servers.map((server, i) => () => load(server, keys[i] ?? ''));
    // The first requests run code that is not compiled yet.
    for (const run of [...runs, ...runs]) await run();
    const [bare, free, windows, keyed] = (await interleave(ROUNDS, runs)).map(summarize);
    printLoad('server     framework alone', bare, bare);
    printLoad('server     POST /v2/translate', free, bare, 0.5);
    printLoad('server     the same, counting windows', windows, bare, 0.5);
    printLoad(`server     the same, with ${KEYS} keys`, keyed, bare, 0.45);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function load(server: MeasuredServer, keyFile: string): Promise<Load> {
  const before = server.cpuSeconds();
  const args = [
    '--import',
    'tsx',
    'scripts/bench/server-load.ts',
    server.url,
    keyFile,
    `${SECONDS}`,
    `${CONNECTIONS}`,
  ];
  const { stdout } = await promisify(execFile)('node', args);
  const { perSecond, p99, failed } = JSON.parse(stdout) as Load & { readonly failed: number };
  if (failed > 0) throw new Error(`${failed} requests to ${server.url} failed`);
  return { perSecond, p99, cpu: ((server.cpuSeconds() - before) / (perSecond * SECONDS)) * 1e6 };
}

function summarize(loads: readonly Load[]): Load {
  const of = (name: keyof Load): number => median(loads.map((one) => one[name]));
  return { perSecond: of('perSecond'), p99: of('p99'), cpu: of('cpu') };
}

function printLoad(what: string, load: Load | undefined, bare: Load | undefined, aim?: number): void {
  if (!load || !bare) return;
  const { perSecond, p99, cpu } = load;
  const ratio = perSecond / bare.perSecond;
  const figures = `${Math.round(perSecond)}/s  p99 ${p99.toFixed(1)} ms  ${Math.round(cpu)} us CPU each`;
  if (aim === undefined) printRow(what, figures);
  else printRow(what, `${figures}  ${ratio.toFixed(2)} x`, { text: `>= ${aim} x`, met: ratio >= aim });
}
