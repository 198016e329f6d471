import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Cluster, freePort, postgresProgram, userOfServer } from '../postgres/cluster.ts';
import { describeWith } from '../postgres/requirements.ts';
import { ask } from '../postgres/store.ts';
import { HAPROXY } from '../server/balancer.ts';
import { BIN, serve, type ServedProcess } from '../server/served.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/server');
const FILE = join(EXAMPLES, 'compose.yaml');
const PUBLIC_URL = 'https://translate.example.org';
const run = promisify(execFile);

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly [field: string]: unknown;
}

/** The file with its variables filled in, as Compose does. */
function readCompose(): Readonly<Record<string, Service>> {
  const text = readFileSync(FILE, 'utf8').replaceAll(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g,
    (_, _name: string, otherwise: string | undefined) => otherwise ?? PUBLIC_URL,
  );
  expect(text).not.toContain('${');
  const { services } = parse(text, { merge: true }) as { readonly services: Record<string, Service> };
  return services;
}
const services = readCompose();
const REPLICAS = ['dragoman-1', 'dragoman-2', 'dragoman-3'];
const serviceOf = (name: string): Service => services[name] ?? expect.fail(`no service ${name}`);

const compose = '/usr/bin/docker-compose';
const hasCompose = spawnSync(compose, ['version'], { stdio: 'ignore' }).status === 0;

describe('the compose file', () => {
  it.skipIf(!hasCompose)('is valid, and names the required address', async () => {
    const check = (env: Readonly<Record<string, string>>): Promise<unknown> =>
      run(compose, ['-f', FILE, 'config', '-q'], { env: { PATH: process.env['PATH'], ...env } });
    await check({ DRAGOMAN_PUBLIC_URL: PUBLIC_URL });
    await expect(check({})).rejects.toThrow(/the address that clients use/);
  });

  it('does not grant rights, writes only to volumes, and restarts services that end', () => {
    const once = ['prepare', 'migrate'];
    expect(Object.keys(services).sort()).toEqual(['balancer', 'database', ...REPLICAS, ...once].sort());
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: once.includes(name) ? 'no' : 'unless-stopped',
      });
    }
    for (const name of REPLICAS) {
      expect(serviceOf(name)['depends_on']).toEqual({
        database: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
      });
    }
  });

  it('has no password in a variable or an argument', () => {
    for (const { command, environment = {} } of Object.values(services)) {
      expect(environment).not.toHaveProperty('PGPASSWORD');
      expect(environment).not.toHaveProperty('POSTGRES_PASSWORD');
      expect(JSON.stringify(command ?? [])).not.toMatch(/password=/i);
    }
    expect(serviceOf('database').environment).toHaveProperty(
      'POSTGRES_PASSWORD_FILE',
      '/run/database/password',
    );
  });
});

const PASSWORD = 'a:b\\c 1';

describeWith(['postgres', 'haproxy'], 'the system in the compose file, run as processes', () => {
  const root = mkdtempSync(join(tmpdir(), 'dragoman-compose-'));
  const [database, client, data] = ['database', 'client', 'data'].map((name) => join(root, name));
  const servers: ServedProcess[] = [];
  let cluster: Cluster;
  let balancer: ChildProcess;
  let url = '';
  let env: Record<string, string> = {};

  /** Container paths, mapped to this machine. */
  const here = (text: string): string =>
    text
      .replaceAll('/run/database', database ?? '')
      .replaceAll('/run/client', client ?? '')
      .replaceAll(/^\/data$/g, data ?? '');

  function prepare(): void {
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    const { uid: databaseUid = uid, gid: databaseGid = gid } = userOfServer();
    const owners: Readonly<Record<string, string>> = {
      '999:999': `${databaseUid}:${databaseGid}`,
      '10001:10001': `${uid}:${gid}`,
      database: 'localhost',
      '/run/secrets/database-password': join(root, 'database-password'),
    };
    const args = serviceOf('prepare').command.map((word) => owners[word] ?? here(word));
    execFileSync('sh', [join(EXAMPLES, 'prepare.sh'), ...args], { stdio: 'pipe' });
  }

  async function startDatabase(): Promise<void> {
    const rules = join(root, 'pg_hba.conf');
    writeFileSync(rules, 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n');
    const settings = serviceOf('database')
      .command.slice(1)
      .filter((word) => word !== '-c');
    cluster = await Cluster.start(join(root, 'cluster'), ...settings.map(here), `hba_file=${rules}`);
    const local = `postgres://dragoman@/postgres?host=${join(root, 'cluster')}&port=${cluster.port}`;
    await ask(local, `alter role dragoman password '${PASSWORD}'`);
    await ask(local, 'create database dragoman');
  }

  async function startBalancer(): Promise<void> {
    const port = await freePort();
    let text = readFileSync(join(EXAMPLES, 'haproxy.cfg'), 'utf8').replace(':8080', `127.0.0.1:${port}`);
    for (const [i, name] of REPLICAS.entries()) {
      expect(text).toContain(`${name}:8787`);
      text = text.replace(`${name}:8787`, new URL(servers[i]?.url ?? '').host);
    }
    const path = join(root, 'haproxy.cfg');
    writeFileSync(path, text);
    balancer = spawn(HAPROXY ?? '', ['-db', '-f', path], { stdio: 'ignore' });
    url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/balancer`)).status === 200);
  }

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (const limit = Date.now() + 45_000; !(await isSo().catch(() => false)); await delay(50)) {
      if (Date.now() > limit) throw new Error('the condition was not true within 45 seconds');
    }
  }

  const dragoman = async (...args: readonly string[]): Promise<string> =>
    (await run(process.execPath, [BIN, ...args], { cwd: root, env })).stdout;

  beforeAll(async () => {
    for (const path of [database, client, data]) mkdirSync(path ?? '');
    // The user of PostgreSQL needs access to its directory.
    execFileSync('chmod', ['755', root]);
    writeFileSync(join(root, 'database-password'), `${PASSWORD}\n`, { mode: 0o600 });
    prepare();
    await startDatabase();
    const { environment = {} } = serviceOf('dragoman-1');
    const variables = Object.entries(environment).map(([name, value]) => [name, here(value)]);
    env = { PATH: process.env['PATH'] ?? '', HOME: root, ...(Object.fromEntries(variables) as object) };
    // TLS is optional for databases on this machine, but this store requires it.
    const store = (env['DRAGOMAN_STORE'] ?? '').replace('@database/', `@localhost:${cluster.port}/`);
    env['DRAGOMAN_STORE'] = `${store}&sslmode=verify-full`;
    await dragoman(...serviceOf('migrate').command);
    for (const name of REPLICAS) {
      const [, ...args] = serviceOf(name).command;
      servers.push(await serve(args, root, env));
    }
    await startBalancer();
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    if (balancer) {
      balancer.kill('SIGKILL');
      await once(balancer, 'close');
    }
    await cluster?.remove();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });

  it('gives each side only the secrets that it needs, and keeps them after a restart', () => {
    const files = [
      [database, 'server.key', userOfServer().uid],
      [database, 'password', userOfServer().uid],
      [client, 'pgpass', undefined],
    ] as const;
    for (const [directory, name, owner = process.getuid?.()] of files) {
      const { mode, uid } = statSync(join(directory ?? '', name));
      expect([mode & 0o777, uid], name).toEqual([0o600, owner]);
    }
    const read = (): string => readFileSync(join(database ?? '', 'server.crt'), 'utf8');
    const before = read();
    prepare();
    expect(read()).toBe(before);
    expect(() => readFileSync(join(client ?? '', 'ca.key'))).toThrow(/ENOENT/);
  });

  it('reports that it is healthy', async () => {
    const [, program = '', ...args] = serviceOf('database').healthcheck?.test ?? [];
    await expect(run(postgresProgram(program), [...args, `--port=${cluster.port}`])).resolves.toBeDefined();
    const [, shell = '', ...words] = serviceOf('balancer').healthcheck?.test ?? [];
    const asked = words.map((word) => word.replace('8080', new URL(url).port));
    await expect(run(shell, asked)).resolves.toBeDefined();
  });

  it('translates, even while one server is killed and returns', async () => {
    const account = ['--email', 'ada@example.org', '--name', 'Ada', '--credits', '1000'];
    const headers = {
      'X-API-KEY': (await dragoman('keys', 'create', ...account)).trim(),
      'Content-Type': 'application/json',
    };
    const body = JSON.stringify({ text: 'Hello {name}', source: 'en', target: 'fr' });
    const translate = async (): Promise<number> => {
      const answer = await fetch(`${url}/v2/translate`, { method: 'POST', headers, body });
      if (answer.status === 200) expect(await answer.text()).toContain('{name}');
      return answer.status;
    };
    const several = async (count: number): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let i = 0; i < count; i++) statuses.push(await translate());
      return statuses;
    };
    expect(await several(6)).toEqual(Array(6).fill(200));
    for (const server of servers) expect(server.log()).not.toContain(PASSWORD);
    await servers[0]?.kill();
    // A kept-alive connection may break once without affecting the request.
    await fetch(`${url}/health`).catch(() => undefined);
    // No request is in progress on the killed server, and unreachable servers are skipped.
    expect(await several(30)).toEqual(Array(30).fill(200));
    const summary = await fetch(`${url}/v2/account/summary`, { headers });
    expect(await summary.json()).toMatchObject({ credits_used: 36 });
    await Promise.all(servers.slice(1).map((server) => server.kill()));
    await until(async () => (await fetch(`${url}/balancer`)).status === 503);
    expect(await translate()).toBe(503);
  });
});
