import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';
/** The first version that supports the store. */
const OLDEST = 15;

/** The PostgreSQL programs; undefined if none are installed. */
const bin = findPrograms();

/** Whether tests can use a database. Otherwise they report that they were skipped. */
export const hasPostgres = bin !== undefined;

function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const newest = Math.max(0, ...versions.filter((version) => version >= OLDEST));
  const directory = newest > 0 ? join(DEBIAN, String(newest), 'bin') : undefined;
  return directory !== undefined && existsSync(join(directory, 'initdb')) ? directory : undefined;
}

/** The path of one of PostgreSQL's programs. */
export function postgresProgram(name: string): string {
  return join(bin ?? '', name);
}

/** PostgreSQL does not run as root. */
export function userOfServer(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A separate server in a directory, for tests that stop, kill or restart it. */
export class Cluster {
  readonly #directory: string;
  readonly #port: number;

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  static at(directory: string): Cluster {
    return new Cluster(directory, Number(readFileSync(join(directory, 'port'), 'utf8')));
  }

  static async start(directory: string, ...settings: readonly string[]): Promise<Cluster> {
    const user = userOfServer();
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
    const data = join(directory, 'data');
    const options = ['--auth=trust', '--username=dragoman', '--encoding=UTF8', '--locale=C', '--no-sync'];
    await run(join(bin ?? '', 'initdb'), ['--pgdata', data, ...options], { ...user, cwd: '/' });
    const port = await freePort();
    writeFileSync(join(directory, 'port'), String(port));
    const cluster = new Cluster(directory, port);
    // Without fsync, a crash of the server still loses nothing; only a crash of the machine would.
    await cluster.control('start', `fsync=off`, `port=${port}`, ...settings);
    return cluster;
  }

  /** A standby with everything that this one has committed, until it is promoted. */
  async startStandby(directory: string): Promise<Cluster> {
    const user = userOfServer();
    const port = await freePort();
    const standby = new Cluster(directory, port);
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
    const data = join(directory, 'data');
    const from = ['--host=127.0.0.1', `--port=${this.#port}`, '--username=dragoman'];
    await run(
      join(bin ?? '', 'pg_basebackup'),
      [...from, '--pgdata', data, '--write-recovery-conf', '--checkpoint=fast'],
      { ...user, cwd: '/' },
    );
    await standby.control('start', 'fsync=off', `port=${port}`);
    return standby;
  }

  url(port = this.#port): string {
    return `postgres://dragoman@127.0.0.1:${port}/postgres`;
  }

  get port(): number {
    return this.#port;
  }

  /** The process id of the running server, which is the parent of its processes. */
  get pid(): number {
    return Number.parseInt(readFileSync(join(this.#directory, 'data', 'postmaster.pid'), 'utf8'), 10);
  }

  /** `start`, `stop` (at once, like a crash), `restart` (likewise, or as an operator does), or `promote` a standby. */
  async control(
    action: 'start' | 'stop' | 'restart' | 'fast restart' | 'promote',
    ...settings: readonly string[]
  ): Promise<void> {
    const common = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#directory}`,
      'max_connections=200',
    ];
    const options = [...common, ...settings].flatMap((setting) => ['-c', setting]).join(' ');
    const args = ['--pgdata', join(this.#directory, 'data'), '--wait', '--log', join(this.#directory, 'log')];
    const more = {
      start: ['start', '--options', options],
      stop: ['stop', '--mode', 'immediate'],
      restart: ['restart', '--mode', 'immediate'],
      'fast restart': ['restart', '--mode', 'fast'],
      promote: ['promote'],
    }[action];
    await run(join(bin ?? '', 'pg_ctl'), [...more, ...args], { ...userOfServer(), cwd: '/' });
  }

  async remove(): Promise<void> {
    await this.control('stop').catch(() => undefined);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** A local port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** The variable with the directory of the server that all test files share; the first one that needs it starts it. */
export const SHARED_DIRECTORY = 'DRAGOMAN_TEST_CLUSTER';

export async function sharedCluster(): Promise<Cluster> {
  const directory = process.env[SHARED_DIRECTORY] ?? '';
  if (directory === '') throw new Error('the global set-up of the tests names no directory for PostgreSQL');
  const ready = join(directory, 'ready');
  try {
    mkdirSync(join(directory, 'claimed'));
  } catch {
    for (let i = 0; !existsSync(ready); i++) {
      if (i > 600) throw new Error('PostgreSQL did not start within a minute');
      await delay(100);
    }
    return Cluster.at(join(directory, 'cluster'));
  }
  const cluster = await Cluster.start(join(directory, 'cluster'));
  writeFileSync(ready, '');
  return cluster;
}

/** Stops the server that tests shared, if any did. */
export async function stopShared(directory: string): Promise<void> {
  if (existsSync(join(directory, 'ready'))) await Cluster.at(join(directory, 'cluster')).remove();
}
