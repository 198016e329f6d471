import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import Sqlite from 'libsql';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { JobUnitTable } from '../../../src/store/shared/schema.ts';
import { DATABASE_FILE } from '../../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { processesOf, startServing, type Served } from '../../crash/served.ts';
import { Client } from '../specification/client.ts';

/** The built program with `--processes`. */

const PROCESSES = 2;
const RATE_LIMIT = 30;
/** The maximum number of concurrent requests of a key. */
const LARGE_JOBS = 8;
const LANGUAGES = ['fr', 'de', 'it', 'es', 'pt', 'nl', 'pl', 'sv'];
const directory = mkdtempSync(join(tmpdir(), 'dragoman-processes-'));
let store: Store;
let server: Served;
let url = '';
let accounts = 0;

beforeAll(async () => {
  store = await openSqliteStore(directory);
  const limits = [
    '--rate-limit',
    String(RATE_LIMIT),
    '--max-concurrency',
    String(LARGE_JOBS),
    '--job-workers',
    String(PROCESSES),
  ];
  server = startServing(directory, ['--processes', String(PROCESSES), '--metrics', ...limits]);
  url = (await server.ready) ?? '';
});

afterAll(async () => {
  await server?.kill();
  await store?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function newClient(): Promise<Client> {
  const email = `user${++accounts}@example.org`;
  const { account, key } = await store.accounts.create({ email, fullName: 'Anna', credits: 1_000_000 });
  return new Client(url, { accountId: account.id, email, key });
}

/** On separate connections, which go to the processes in turn. */
async function read(path: string): Promise<string> {
  const [answer] = (await once(get(`${url}${path}`, { agent: false }), 'response')) as [
    NodeJS.ReadableStream,
  ];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

function numberOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
  return Number(line?.split(' ').at(-1));
}

describe('a server with 2 processes', () => {
  it('reports once that it listens, and logs complete lines of all processes', async () => {
    const client = await newClient();
    await Promise.all(Array.from({ length: 20 }, () => client.translate()));
    await expect
      .poll(() => server.log().match(/"msg":"request"/g)?.length, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(20);
    const [first = '', ...rest] = server.log().trimEnd().split('\n');
    const lines = rest.filter((line) => !/^(?:Documentation:|There are no keys)/.test(line));
    expect(first).toBe(`dragoman listening on ${url}`);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
    expect(lines.filter((line) => line.includes('"msg":"listening"'))).toHaveLength(1);
    expect(processesOf(server)).toHaveLength(PROCESSES);
  });

  it('counts the requests of a window across both processes', async () => {
    const client = await newClient();
    const statuses: number[] = [];
    for (let i = 0; i < 2 * RATE_LIMIT; i++)
      statuses.push((await client.get('/v2/supported-languages')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(RATE_LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(RATE_LIMIT);
  });

  it('returns the same numbers from each process', async () => {
    const client = await newClient();
    const charged = 'dragoman_credits_charged_total{operation="translate"}';
    const before = numberOf(await read('/metrics'), charged) || 0;
    for (let i = 0; i < 10; i++) expect((await client.translate()).status).toBe(200);
    for (let i = 0; i < 4; i++) {
      const metrics = await read('/metrics');
      expect(numberOf(metrics, 'dragoman_processes')).toBe(PROCESSES);
      expect(numberOf(metrics, charged)).toBe(before + 10);
    }
  });

  it('lets accounts take turns: many jobs of one account do not delay another account', async () => {
    const [large, small] = [await newClient(), await newClient()];
    const messages = Array.from({ length: 300 }, (_, i) => [`key${i}`, `Text ${i}`]);
    const form = {
      content: JSON.stringify(Object.fromEntries(messages)),
      target_languages: LANGUAGES.join(),
    };
    const jobs = await Promise.all(Array.from({ length: LARGE_JOBS }, () => large.createJob(form)));
    const database = new Sqlite(join(directory, DATABASE_FILE), { readonly: true });
    onTestFinished(() => void database.close());
    const workers = new Set<unknown>();
    const count = (): { readonly ended: number; readonly open: number } => {
      const select = 'select status, instance_id from job_units where account_id = ?';
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the statement
      const units = database.prepare(select).all([large.accountId]) as Pick<
        JobUnitTable,
        'status' | 'instance_id'
      >[];
      for (const { instance_id } of units) if (instance_id !== null) workers.add(instance_id);
      const ended = units.filter(({ status }) => status === 'done').length;
      return { ended, open: units.length - ended };
    };
    const serving = (): number => {
      count();
      return workers.size;
    };
    await expect.poll(serving, { timeout: 60_000 }).toBe(PROCESSES);
    const id = await small.createJob(form);
    const before = count();
    let after = before;
    const left = (): number => {
      after = count();
      const select = `select 1 from job_units where job_id = ? and status <> 'done'`;
      return database.prepare(select).all([id]).length;
    };
    await expect.poll(left, { timeout: 100_000 }).toBe(0);
    for (const job of jobs) await large.remove(job);

    expect(after.open).toBeGreaterThan(0);
    // Each unit of the small account may follow a unit of the large one, and each worker may be busy with another.
    expect(after.ended - before.ended).toBeLessThanOrEqual(2 * LANGUAGES.length);
  });

  it('ends connections without a request in time', async () => {
    const sockets = Array.from({ length: PROCESSES }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    const answers = sockets.map(async (socket) => {
      socket.write('GET /health HTTP/1.1\r\nHo');
      return String(await once(socket, 'data'));
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('replaces a process that was killed, on the same port', async () => {
    for (const pid of processesOf(server)) {
      process.kill(pid, 'SIGKILL');
      const isReplaced = async (): Promise<boolean> =>
        numberOf(await read('/metrics'), 'dragoman_processes') === PROCESSES &&
        !processesOf(server).includes(pid);
      await expect.poll(isReplaced, { timeout: 60_000, interval: 200 }).toBe(true);
    }
    expect((await (await newClient()).translate()).status).toBe(200);
    expect(server.log()).toContain('a process of the server ended; another takes its place');
  });

  it('answers the requests in progress when it stops', async () => {
    const client = await newClient();
    const pids = processesOf(server);
    const requests = Array.from({ length: 8 }, () => client.translate());
    await Promise.all(requests.slice(0, 4));
    expect(await server.end()).toBe(0);
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });
});

describe('a server with a certificate and 2 processes', () => {
  it('serves HTTPS in both processes, and tells HTTP clients to use it', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const secure = startServing(directory, [
      '--processes',
      '2',
      '--tls-cert',
      certFile,
      '--tls-key',
      keyFile,
    ]);
    onTestFinished(() => secure.kill());
    const address = (await secure.ready) ?? '';
    for (let i = 0; i < PROCESSES; i++) {
      const asked = getSecurely(`${address}/health`, { agent: false, rejectUnauthorized: false });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect(answer.resume().statusCode).toBe(200);
      const plain = connect(Number(new URL(address).port), '127.0.0.1');
      plain.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(String(await once(plain, 'data'))).toContain('this port speaks HTTPS');
    }
    expect(await secure.end()).toBe(0);
  });
});

describe('a server whose processes cannot start', () => {
  it('ends, and reports their error once', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const failing = startServing(directory, ['--processes', '2', '--port', port]);
    expect(await failing.ready).toBeUndefined();
    expect(failing.child.exitCode).toBe(2);
    expect(failing.log()).toBe(
      `error: cannot listen on 127.0.0.1 port ${port}: another program is listening there\n` +
        '  Choose another port with --port; 0 picks a free one.\n',
    );
  });

  it('does not simulate failures', async () => {
    const failing = startServing(directory, ['--processes', '2', '--fault', '500:1']);
    expect(await failing.ready).toBeUndefined();
    expect([failing.child.exitCode, failing.log()]).toEqual([
      2,
      'error: --fault simulates failures of one process\n  Use --processes 1 with --fault.\n',
    ]);
  });
});
