import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migratePostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { Cluster, hasPostgres } from '../../test/postgres/cluster.ts';
import { interleave, median, printRow, printSkipped, withDirectory } from './measure.ts';
import { findCores, pinProcess } from './cores.ts';
import { benchJob, benchSharing } from './server-job.ts';
import type { LoadResult, LoadTask } from './server-load.ts';
import { createKeys, startServer, type MeasuredServer } from './server-process.ts';

const ROUNDS = 5;
const SECONDS = 1;
/**
 * The load of each process before the measurement, so that V8 compiles frequent code. A busy machine sends fewer
 * requests in this time.
 */
const WARM_UP = { requests: 25_000, seconds: 5 };
/**
 * Connections to each process: with fewer, a process would answer fewer requests in one turn and one commit, at a
 * higher cost per request.
 */
const CONNECTIONS = 64;
/** All connections may belong to one key. */
const MANY_AT_ONCE = ['--max-concurrency', '1000'];
const WINDOWS = ['--rate-limit', '999999999'];
const KEYS = 1_000;
const REPLICAS = 3;
const PROCESSES = 2;
const AIM = 0.45;
const FRAMEWORK = 'framework alone';
/** The CPU time per request with several processes or servers, relative to one. */
const CPU_AIM = 1.1;
/** The time after a load in which its last answers arrive or time out. */
const LOAD_GRACE_MS = 15_000;

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
  await withDirectory(async (directory) => {
    // PostgreSQL runs as a separate user, who must be able to enter this directory.
    chmodSync(directory, 0o711);
    await benchRequests(directory);
    if (!withJobs) return;
    await benchJob(directory);
    await benchSharing(directory);
  });
}

interface Load {
  readonly perSecond: number;
  readonly p99: number;
  /** CPU time of the servers per request, in microseconds. */
  readonly cpu: number;
  /** The same for PostgreSQL; 0 without it. */
  readonly database: number;
  /** The same for the process that sends the requests. */
  readonly generator: number;
}

/** A case of the comparison: servers that answer the same requests. */
interface LoadCase {
  readonly what: string;
  readonly servers: readonly MeasuredServer[];
  /** Number of processes that share the requests. */
  readonly processes: number;
  readonly keyFile: string;
  /** The PostgreSQL process. */
  readonly database?: number | undefined;
  /** The single-process case with which the CPU time per request is compared. */
  readonly against?: string | undefined;
}

async function benchRequests(directory: string): Promise<void> {
  const servers = new StartedServers(directory);
  const generator = new LoadGenerator();
  let cluster: Cluster | undefined;
  try {
    const data = join(directory, 'data');
    const one = join(directory, 'data.one');
    const many = join(directory, 'data.many');
    const [key = ''] = await createKeys({ directory: data }, many, KEYS);
    writeFileSync(one, key);
    const cases = [...(await servers.startFramework(one))];
    const free = await servers.serve('--data-dir', data, '--rate-limit', '0');
    cases.push({ what: 'SQLite, 1 key, no windows', servers: [free], processes: 1, keyFile: one });
    cases.push(...(await servers.startAll('SQLite', many, ['--data-dir', data])));
    if (hasPostgres) {
      cluster = await Cluster.start(join(directory, 'cluster'), 'fsync=on');
      const url = cluster.url();
      await migratePostgresStore({ url });
      const keys = join(directory, 'postgres.many');
      await createKeys({ url }, keys, KEYS);
      const ofStore = ['--store', url, '--public-url', 'http://127.0.0.1'];
      cases.push(...(await servers.startAll('PostgreSQL', keys, ofStore, cluster.pid)));
    }
    await measureRates(cases, generator);
    const cores = findCores();
    if (cores) {
      for (const pid of servers.pids) pinProcess(cores.servers, pid);
      for (const pid of [generator.pid, cluster?.pid]) if (pid !== undefined) pinProcess(cores.others, pid);
      await measureScaling(cases, generator);
    } else printSkipped('server with several processes', 'taskset and a second core are needed');
    if (!hasPostgres) printSkipped('server with PostgreSQL', 'its programs are not installed');
  } finally {
    generator.close();
    await servers.stop();
    await cluster?.remove();
  }
}

/** All servers run from the beginning, because idle servers use no CPU time. */
class StartedServers {
  readonly #directory: string;
  readonly #started: MeasuredServer[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  get pids(): readonly number[] {
    return this.#started.map(({ pid }) => pid);
  }

  serve(...args: readonly string[]): Promise<MeasuredServer> {
    return this.#start(
      'bin/dragoman.js',
      'serve',
      '--port',
      '0',
      '--engine',
      'pseudo',
      ...MANY_AT_ONCE,
      ...args,
    );
  }

  /** One server, several processes of one server, and several servers, on the same store. */
  async startAll(
    store: string,
    keyFile: string,
    args: readonly string[],
    database?: number,
  ): Promise<readonly LoadCase[]> {
    const replicas: MeasuredServer[] = [];
    for (let i = 0; i < REPLICAS; i++) replicas.push(await this.serve(...WINDOWS, ...args));
    const shared = await this.serve(...WINDOWS, '--processes', String(PROCESSES), ...args);
    const against = `${store}, ${KEYS} keys`;
    return [
      { what: against, servers: replicas.slice(0, 1), processes: 1 },
      { what: `${against}, ${PROCESSES} processes`, servers: [shared], processes: PROCESSES, against },
      { what: `${against}, ${REPLICAS} servers`, servers: replicas, processes: REPLICAS, against },
    ].map((one) => ({ ...one, keyFile, database }));
  }

  /** Starts as many servers of the framework as the largest case has processes; they share nothing. */
  async startFramework(keyFile: string): Promise<readonly LoadCase[]> {
    const servers: MeasuredServer[] = [];
    for (let i = 0; i < REPLICAS; i++)
      servers.push(await this.#start('--import', 'tsx', 'scripts/bench/server-bare.ts'));
    return [1, PROCESSES, REPLICAS].map((processes) => ({
      what: processes === 1 ? FRAMEWORK : `${FRAMEWORK}, ${processes} servers`,
      servers: servers.slice(0, processes),
      processes,
      keyFile,
      against: processes === 1 ? undefined : FRAMEWORK,
    }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#started.map((server) => server.stop()));
  }

  async #start(...args: readonly string[]): Promise<MeasuredServer> {
    const server = await startServer(this.#directory, args);
    this.#started.push(server);
    return server;
  }
}

/** Sends the requests of one case after another, from one process, whose code is compiled after the first. */
class LoadGenerator {
  readonly #child: ChildProcess;

  constructor() {
    const script = ['--import', 'tsx', 'scripts/bench/server-load.ts'];
    this.#child = spawn('node', script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws Error if a request fails, or the figures do not arrive in time */
  async send(
    { servers, processes, keyFile, database = 0 }: LoadCase,
    seconds: number,
    requests?: number,
  ): Promise<Load> {
    const task: LoadTask = {
      urls: servers.map(({ url }) => url),
      keyFile,
      seconds,
      requests,
      connections: (CONNECTIONS * processes) / servers.length,
      pids: [database, ...servers.map(({ pid }) => pid)],
    };
    this.#child.send(task);
    const signal = AbortSignal.timeout(seconds * 1000 + LOAD_GRACE_MS);
    const [result]: LoadResult[] = await once(this.#child, 'message', { signal });
    if (!result || 'failed' in result) throw new Error(result?.failed);
    const { answered, seconds: took, p99, cpu } = result;
    const each = (all: readonly number[]): number =>
      (all.reduce((sum, one) => sum + one, 0) / answered) * 1e6;
    return {
      perSecond: answered / took,
      p99,
      cpu: each(cpu.slice(1, -1)),
      database: each(cpu.slice(0, 1)),
      generator: each(cpu.slice(-1)),
    };
  }

  close(): void {
    this.#child.kill();
  }
}

/** One process, compared with the framework alone: each may use all cores, together with the generator. */
async function measureRates(all: readonly LoadCase[], generator: LoadGenerator): Promise<void> {
  const cases = all.filter(({ processes }) => processes === 1);
  const loads = await measure(cases, generator);
  for (const [i, { what }] of cases.entries()) {
    const figures = figuresOf(loads[i] ?? []);
    const ratio = ratioOf('perSecond', loads[i], loads[0]);
    const ratios = `${ratio.toFixed(2)} x  by CPU ${(1 / ratioOf('cpu', loads[i], loads[0])).toFixed(2)} x`;
    if (i === 0) printRow(`server     ${what}`, figures);
    else printRow(`server     ${what}`, `${figures}  ${ratios}`, { text: `>= ${AIM} x`, met: ratio >= AIM });
  }
}

/**
 * Several processes, compared with one, by CPU time per request. All servers share one core, and the
 * generator and the database another, so that all cases get the same share of the machine and none shares a
 * core with the generator.
 */
async function measureScaling(cases: readonly LoadCase[], generator: LoadGenerator): Promise<void> {
  printRow('server     all processes on one core', 'generator and PostgreSQL on another');
  const loads = await measure(cases, generator);
  for (const [i, { what, against, processes }] of cases.entries()) {
    const one = loads[cases.findIndex((other) => other.what === against)];
    if (!one) continue;
    const ratio = ratioOf('cpu', loads[i], one);
    const figures = `${figuresOf(loads[i] ?? [])}  ${ratio.toFixed(2)} x the CPU of one`;
    // The first case with the same number of processes is the framework.
    const framework = cases.findIndex((other) => other.processes === processes);
    if (framework === i) {
      printRow(`server     ${what}`, figures);
      continue;
    }
    const own = ratio / ratioOf('cpu', loads[framework], loads[0]);
    printRow(`server     ${what}`, `${figures}  ${own.toFixed(2)} x beyond the framework`, {
      text: `<= ${CPU_AIM} x`,
      met: own <= CPU_AIM,
    });
  }
}

async function measure(
  cases: readonly LoadCase[],
  generator: LoadGenerator,
): Promise<readonly (readonly Load[])[]> {
  for (const one of cases) {
    const { requests, seconds } = WARM_UP;
    await generator.send(one, seconds * one.processes, requests * one.processes);
  }
  return interleave(
    ROUNDS,
    cases.map((one) => () => generator.send(one, SECONDS)),
  );
}

/** The median of the rounds' ratios: within a round, the machine is equally busy for all cases. */
function ratioOf(
  name: 'cpu' | 'perSecond',
  loads: readonly Load[] = [],
  others: readonly Load[] = [],
): number {
  return median(loads.map((load, round) => load[name] / (others[round]?.[name] ?? NaN)));
}

/** The medians of a case's rounds. */
function figuresOf(loads: readonly Load[]): string {
  const of = (name: keyof Load): number => median(loads.map((one) => one[name]));
  const rate = `${Math.round(of('perSecond'))}/s  p99 ${of('p99').toFixed(1)} ms`;
  const database = of('database') > 0 ? `PostgreSQL ${Math.round(of('database'))}, ` : '';
  const others = `${database}generator ${Math.round(of('generator'))}`;
  return `${rate}  ${of('cpu').toFixed(1)} us CPU each (${others})`;
}
