import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Random } from '../../src/plugins/contract/random.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { ask } from '../postgres/store.ts';
import { underLoad, type Outcome } from './load.ts';
import { comesTrue, type Replica, type Site } from './site.ts';
import type { Traffic } from './traffic.ts';
import { Wire } from './wire.ts';

/** Failures of the database and the way to it: crashes, failover, a bad network, a full disk. */

/** After the database returns, requests must be answered again within this time. */
const BACK_MS = 10_000;

export function crashDatabase(cluster: Cluster, crashes: number, seed: number): Promise<Outcome> {
  const random = new Random(seed);
  return underLoad(cluster, { replicas: 3, seed, jobs: 20 + crashes * 2 }, async (site, traffic, note) => {
    for (let i = 0; i < crashes; i++) {
      await delay(500 + random.below(1_500));
      await cluster.control('restart');
      await expectBack(traffic, note);
    }
    await cluster.control('fast restart');
    await expectBack(traffic, note);
    // A crash that undoes a reservation makes its process register again; each registers exactly once.
    const isWhole = async (): Promise<boolean> => (await site.ask('select id from instances')).length === 3;
    if (!(await comesTrue(isWhole, 30_000))) note('the registered processes are not exactly the living ones');
    return `${crashes} crashes, 1 restart`;
  });
}

/** The database's machine is lost, and an up-to-date standby takes over. */
export async function failOver(cluster: Cluster, standbyDirectory: string, seed: number): Promise<Outcome> {
  const standby = await cluster.startStandby(standbyDirectory);
  const wire = await Wire.open(cluster.port);
  try {
    await ask(cluster.url(), "alter system set synchronous_standby_names = '*'");
    await ask(cluster.url(), 'select pg_reload_conf()');
    const options = { replicas: 3, seed, jobs: 30, site: { port: wire.port } };
    return await underLoad(cluster, options, async (_site, traffic, note) => {
      await delay(5_000);
      await cluster.control('stop');
      wire.refuse(true);
      await standby.control('promote');
      wire.target = standby.port;
      wire.refuse(false);
      // The former standby is now a primary without a standby.
      await ask(standby.url(), "alter system set synchronous_standby_names = ''");
      await ask(standby.url(), 'select pg_reload_conf()');
      await expectBack(traffic, note);
      await delay(3_000);
      return '1 failover';
    });
  } finally {
    await wire.close();
    await standby.remove();
  }
}

/** Cuts, delays and stalls connections between servers and database, and loses answers. */
export async function spoilWire(
  cluster: Cluster,
  rounds: number,
  stallMs: number,
  seed: number,
): Promise<Outcome> {
  const wire = await Wire.open(cluster.port);
  const random = new Random(seed);
  try {
    const options = { replicas: 2, seed, jobs: 20 + rounds * 2, site: { port: wire.port } };
    return await underLoad(cluster, options, async (site, traffic, note) => {
      for (let i = 0; i < rounds; i++) {
        wire.eatAnswers(1 + random.below(6));
        await delay(300 + random.below(700));
        wire.cut(i % 3 === 0 ? 'watches' : 'all');
        await delay(300 + random.below(700));
        wire.delayMs = i % 2 === 0 ? 200 : 0;
      }
      wire.delayMs = 0;
      await expectBack(traffic, note);
      await stallOne(cluster, site, { stallMs, note });
      await expectBack(traffic, note);
      return `${rounds} rounds, ${stallMs / 1000} s stalled`;
    });
  } finally {
    await wire.close();
  }
}

/** One of the servers loses its connection to the database without noticing. */
async function stallOne(
  cluster: Cluster,
  site: Site,
  { stallMs, note }: { readonly stallMs: number; readonly note: (wrong: string) => void },
): Promise<void> {
  const wire = await Wire.open(cluster.port);
  try {
    const replica = await site.start({ port: wire.port });
    await delay(2_000);
    wire.stall();
    await delay(1_500);
    // Compared with an answer that needs no database, which also takes a while on a busy machine.
    const [health, other] = await Promise.all(['/health', '/none'].map((path) => timed(replica.url + path)));
    if (health?.status !== 503 || health.ms > 2_000 + (other?.ms ?? 0))
      note(
        `/health of a replica that is cut off: ${health?.status} in ${health?.ms} ms, and ${other?.ms} ms for another answer`,
      );
    await delay(stallMs);
    wire.resume();
    if (!(await comesTrue(() => isHealthy(replica), 30_000)))
      note('a replica that was cut off is not healthy again');
    // The replica must end before its connection to the database is closed.
    await site.end(replica);
  } finally {
    await wire.close();
  }
}

async function timed(url: string): Promise<{ readonly status: number; readonly ms: number }> {
  const began = performance.now();
  const { status } = await fetch(url);
  return { status, ms: Math.round(performance.now() - began) };
}

async function isHealthy({ url }: Replica): Promise<boolean> {
  return (await fetch(`${url}/health`)).status === 200;
}

/** Sends this many requests at once to one server, and then makes the database accept no more connections. */
export function exhaustConnections(cluster: Cluster, requests: number, seed: number): Promise<Outcome> {
  const options = { replicas: 2, seed, jobs: 40, accounts: 20 };
  return underLoad(cluster, options, async (site, traffic, note) => {
    const clients = await site.newClients(20);
    await Promise.all(
      Array.from({ length: requests }, async (_, i) => {
        const client = clients[i % clients.length];
        if (client) await traffic.translate(client);
      }),
    );
    const taken: pg.Client[] = [];
    try {
      const limit = performance.now() + 8_000;
      while (performance.now() < limit) {
        const client = new pg.Client({ connectionString: cluster.url() });
        client.on('error', () => undefined);
        if (
          await client.connect().then(
            () => true,
            () => false,
          )
        )
          taken.push(client);
        else if (taken.length > 0) {
          // The servers' connections are cut, and the servers get new ones only by chance.
          const [own] = taken;
          await own?.query(`
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name <> '' and pid <> pg_backend_pid()`);
          await delay(50);
        }
      }
    } finally {
      await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
    }
    await expectBack(traffic, note);
    return `${requests} requests at once, ${taken.length} connections taken`;
  });
}

/** The database's disk is full. `fill` uses all free space, and returns a function that frees some. */
export function fillDisk(cluster: Cluster, fill: () => () => void, seed: number): Promise<Outcome> {
  return underLoad(cluster, { replicas: 2, seed, jobs: 200 }, async (site, traffic, note) => {
    await comesTrue(() => Promise.resolve(traffic.jobs.size > 5), 60_000);
    const refused = traffic.statuses.get('503') ?? 0;
    const empty = fill();
    try {
      const fill20MB = `create table filler as
        select n, repeat('x', 1000) as text from generate_series(1, 20000) as n`;
      const isFull = await site.ask(fill20MB).then(
        () => false,
        () => true,
      );
      if (!isFull) note('the disk did not become full');
      // Longer than requests wait.
      await delay(2 * BACK_MS);
      if ((traffic.statuses.get('503') ?? 0) === refused)
        note('no request was refused while the disk was full');
    } finally {
      empty();
    }
    // A server that had to stop is restarted by its operator.
    await cluster.control('start').catch(() => undefined);
    await site.ask('drop table if exists filler').catch(() => undefined);
    await expectBack(traffic, note);
    return '1 full disk';
  });
}

/**
 * The disk of a data directory is repeatedly full: for the database, uploads and job files. The servers keep running.
 */
export function fillDirectory(
  directory: string,
  fill: () => () => void,
  times: number,
  seed: number,
): Promise<Outcome> {
  // A server writes for each request, to count it in its window.
  const options = { replicas: 2, seed, jobs: 60 * times, site: { argv: ['--rate-limit', '1000000'] } };
  return underLoad({ directory }, options, async (site, traffic, note) => {
    for (let i = 0; i < times; i++) {
      const before = traffic.jobs.size;
      await comesTrue(() => Promise.resolve(traffic.jobs.size > before + 5), 60_000);
      const refused = traffic.statuses.get('503') ?? 0;
      const empty = fill();
      try {
        const isRefused = (): boolean => (traffic.statuses.get('503') ?? 0) > refused;
        if (!(await comesTrue(() => Promise.resolve(isRefused()), 30_000)))
          note('no request was refused while the disk was full');
        for (const { url } of site.replicas) {
          const isUnhealthy = async (): Promise<boolean> => {
            const { status, headers } = await fetch(`${url}/health`);
            return status === 503 && headers.has('retry-after');
          };
          if (!(await comesTrue(isUnhealthy, 10_000)))
            note('a server reports that it is healthy while the disk is full');
        }
      } finally {
        empty();
      }
      await expectBack(traffic, note);
      for (const replica of site.replicas)
        if (!(await comesTrue(() => isHealthy(replica), 60_000))) note('a server is not healthy again');
    }
    return `${times} full ${times === 1 ? 'disk' : 'disks'}`;
  });
}

async function expectBack(traffic: Traffic, note: (wrong: string) => void): Promise<void> {
  const before = traffic.answered;
  const began = performance.now();
  const isBack = await comesTrue(() => Promise.resolve(traffic.answered > before), 6 * BACK_MS);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (!isBack) note('no request is answered any more');
  else if (Number(seconds) * 1000 > BACK_MS) note(`requests were answered again only after ${seconds} s`);
}
