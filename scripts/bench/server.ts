import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migratePostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { Cluster, hasPostgres } from '../../test/postgres/cluster.ts';
import { benchJob, benchSharing } from './server-job.ts';
import { interleave, median, printRow, printSkipped } from './measure.ts';
import type { LoadFigures } from './server-load.ts';
import { createKeys, startServer, type MeasuredServer } from './server-process.ts';

const ROUNDS = 5;
const SECONDS = 3;
/** Of each process: with fewer, it answers fewer requests in one turn and one commit, which takes more for each. */
const CONNECTIONS = 64;
/** All connections may belong to one key. */
const MANY_AT_ONCE = ['--max-concurrency', '1000'];
const KEYS = 1_000;
const REPLICAS = 3;
const PROCESSES = 2;
const AIM = 0.45;
const FRAMEWORK = 'framework alone';
/** The processor time of a request with several processes or servers, against one. */
const CPU_AIM = 1.1;

/**
 * The server under load compared with the framework alone, and the effect of large jobs on others.
 *
 * @param withJobs false for the load only
 */
export async function benchServer(withJobs: boolean): Promise<void> {
  if (process.platform !== 'linux') {
    printSkipped('server', 'memory and processor time are read from /proc');
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    // PostgreSQL runs as a user of its own, whose directory is in this one.
    chmodSync(directory, 0o711);
    await benchRequests(directory);
    if (!withJobs) return;
    await benchJob(directory);
    await benchSharing(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Load {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server for a request, in microseconds. */
  readonly cpu: number;
  /** The same of PostgreSQL, 0 without it. */
  readonly database: number;
  /** The same of what sends the requests. */
  readonly generator: number;
}

/** The loaded servers, and the keys. */
interface LoadCase {
  readonly what: string;
  readonly servers: readonly MeasuredServer[];
  /** Number of processes that share the requests. */
  readonly processes: number;
  readonly keyFile: string;
  /** The process of PostgreSQL. */
  readonly database?: number | undefined;
  /** The case of one process, for which the processor time of a request is compared. */
  readonly against?: string | undefined;
  /** How many times the processor time of that one a request may take. */
  readonly aim?: number;
}

async function benchRequests(directory: string): Promise<void> {
  const started: MeasuredServer[] = [];
  const start = async (...args: readonly string[]): Promise<MeasuredServer> => {
    const server = await startServer(directory, args);
    started.push(server);
    return server;
  };
  const serve = (...args: readonly string[]): Promise<MeasuredServer> =>
    start('bin/dragoman.js', 'serve', '--port', '0', '--engine', 'pseudo', ...MANY_AT_ONCE, ...args);
  let cluster: Cluster | undefined;
  try {
    const bare: MeasuredServer[] = [];
    for (let i = 0; i < REPLICAS; i++)
      bare.push(await start('--import', 'tsx', 'scripts/bench/server-bare.ts'));
    const data = join(directory, 'data');
    const one = join(directory, 'data.one');
    const many = join(directory, 'data.many');
    const [key = ''] = await createKeys({ directory: data }, many, KEYS);
    writeFileSync(one, key);
    const cases: LoadCase[] = [...casesOfFramework(bare, one)];
    const free = await serve('--data-dir', data, '--rate-limit', '0');
    cases.push({ what: 'SQLite, 1 key, no windows', servers: [free], processes: 1, keyFile: one });
    const replicas = (...args: readonly string[]): Promise<readonly MeasuredServer[]> =>
      Promise.all(Array.from({ length: REPLICAS }, () => serve('--rate-limit', '999999999', ...args)));
    const processes = (...args: readonly string[]): Promise<MeasuredServer> =>
      serve('--rate-limit', '999999999', '--processes', String(PROCESSES), ...args);
    const ofData = ['--data-dir', data];
    cases.push(...casesOf('SQLite', await replicas(...ofData), await processes(...ofData), [one, many]));
    if (hasPostgres) {
      cluster = await Cluster.start(join(directory, 'cluster'), 'fsync=on');
      const url = cluster.url();
      await migratePostgresStore({ url });
      const pgOne = join(directory, 'postgres.one');
      const pgMany = join(directory, 'postgres.many');
      const [pgKey = ''] = await createKeys({ url }, pgMany, KEYS);
      writeFileSync(pgOne, pgKey);
      const ofStore = ['--store', url, '--public-url', 'http://127.0.0.1'];
      const [servers, server] = [await replicas(...ofStore), await processes(...ofStore)];
      const database = cluster.pid;
      for (const one of casesOf('PostgreSQL', servers, server, [pgOne, pgMany]))
        cases.push({ ...one, database });
    }
    await measureCases(cases);
    if (!hasPostgres) printSkipped('server with PostgreSQL', 'its programs are not installed');
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    await cluster?.remove();
  }
}

/**
 * Several processes that have nothing in common share caches of the processor, and each gets few requests at once: what
 * they take more is no loss of the server.
 */
function casesOfFramework(servers: readonly MeasuredServer[], keyFile: string): readonly LoadCase[] {
  return [1, PROCESSES, REPLICAS].map((processes) => ({
    what: processes === 1 ? FRAMEWORK : `${FRAMEWORK}, ${processes} servers`,
    servers: servers.slice(0, processes),
    processes,
    keyFile,
    against: processes === 1 ? undefined : FRAMEWORK,
  }));
}

function* casesOf(
  store: string,
  replicas: readonly MeasuredServer[],
  processes: MeasuredServer,
  [one, many]: readonly [string, string],
): Generator<LoadCase> {
  const kinds = [
    ['1 server', replicas.slice(0, 1), 1],
    [`${PROCESSES} processes`, [processes], PROCESSES],
    [`${REPLICAS} servers`, replicas, REPLICAS],
  ] as const;
  for (const [keys, keyFile] of [
    ['1 key', one],
    [`${KEYS} keys`, many],
  ] as const) {
    let against: string | undefined;
    for (const [of, servers, count] of kinds) {
      const what = `${store}, ${keys}, ${of}`;
      yield { what, servers, processes: count, keyFile, against, aim: CPU_AIM };
      against ??= what;
    }
  }
}

async function measureCases(cases: readonly LoadCase[]): Promise<void> {
  const runs = cases.map((one) => () => load(one));
  // The first requests run code that is not compiled yet: each process gets as many of them.
  for (const one of cases) for (let i = 0; i < 2 * one.processes; i++) await load(one);
  const loads = (await interleave(ROUNDS, runs)).map(summarize);
  /** What the framework alone takes for a request in so many processes, against one. */
  const frameworkOf = (count = 1): number => {
    const i = cases.findIndex(({ what, processes }) => what.startsWith(FRAMEWORK) && processes === count);
    return (loads[i]?.cpu ?? NaN) / (loads[0]?.cpu ?? NaN);
  };
  for (const [i, { what, against, aim }] of cases.entries()) {
    const one = loads[cases.findIndex((other) => other.what === against)];
    if (one) printScaling(`server     ${what}`, loads[i], one, aim, frameworkOf(cases[i]?.processes));
    else printLoad(`server     ${what}`, loads[i], loads[0], i > 0);
  }
}

/** Generator and servers share this machine: what several of them answer says less than what a request takes. */
function printScaling(
  what: string,
  load: Load | undefined,
  one: Load,
  aim: number | undefined,
  framework: number,
): void {
  if (!load) return;
  const ratio = load.cpu / one.cpu;
  const verdict = aim === undefined ? undefined : { text: `<= ${aim} x`, met: ratio <= aim };
  printRow(
    what,
    `${figuresOf(load)}  ${ratio.toFixed(2)} x the CPU of one (framework ${framework.toFixed(2)} x)`,
    verdict,
  );
}

function figuresOf({ perSecond, p99, cpu, database, generator }: Load): string {
  const rate = `${Math.round(perSecond)}/s  p99 ${p99.toFixed(1)} ms`;
  const others = `${database > 0 ? `PostgreSQL ${Math.round(database)}, ` : ''}generator ${Math.round(generator)}`;
  return `${rate}  ${Math.round(cpu)} us CPU each (${others})`;
}

async function load({ servers, processes, keyFile, database }: LoadCase): Promise<Load> {
  const urls = servers.map(({ url }) => url).join();
  const pids = [database ?? 0, ...servers.map(({ pid }) => pid)].join();
  const script = ['--import', 'tsx', 'scripts/bench/server-load.ts'];
  const args = [...script, urls, keyFile, `${SECONDS}`, `${CONNECTIONS * processes}`, pids];
  const { stdout } = await promisify(execFile)('node', args);
  const { answered, seconds, p99, cpu }: LoadFigures = JSON.parse(stdout);
  const each = (all: readonly number[]): number => (all.reduce((sum, one) => sum + one, 0) / answered) * 1e6;
  return {
    perSecond: answered / seconds,
    p99,
    cpu: each(cpu.slice(1, -1)),
    database: each(cpu.slice(0, 1)),
    generator: each(cpu.slice(-1)),
  };
}

function summarize(loads: readonly Load[]): Load {
  const of = (name: keyof Load): number => median(loads.map((one) => one[name]));
  return {
    perSecond: of('perSecond'),
    p99: of('p99'),
    cpu: of('cpu'),
    database: of('database'),
    generator: of('generator'),
  };
}

function printLoad(what: string, load: Load | undefined, bare: Load | undefined, hasAim: boolean): void {
  if (!load || !bare) return;
  const ratio = load.perSecond / bare.perSecond;
  if (!hasAim) return printRow(what, figuresOf(load));
  const ratios = `${ratio.toFixed(2)} x  by CPU ${(bare.cpu / load.cpu).toFixed(2)} x`;
  printRow(what, `${figuresOf(load)}  ${ratios}`, { text: `>= ${AIM} x`, met: ratio >= AIM });
}
