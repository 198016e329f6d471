import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../src/plugins/contract/random.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { status, type Answer } from '../webhooks/receiver.ts';
import { processesOf } from '../crash/served.ts';
import { underLoad, type Outcome } from './load.ts';
import { comesTrue, type Replica, type Site } from './site.ts';

/** Failures of servers: they are killed, stopped, or have a wrong clock. */

/** Kills a random one of 4 servers, and starts another in its place. */
export function killReplicas(cluster: Cluster, kills: number, seed: number): Promise<Outcome> {
  const random = new Random(seed);
  return underLoad(cluster, { replicas: 4, seed, jobs: 20 + kills }, async (site) => {
    let starting: Promise<unknown> = Promise.resolve();
    for (let i = 0; i < kills; i++) {
      await delay(random.below(400));
      await starting;
      const victim = random.pick(site.replicas);
      if (victim) await site.kill(victim);
      // The next one is killed while this one starts.
      starting = site.start();
      if (i % 2 === 0) await starting;
    }
    await starting;
    return `${kills} kills`;
  });
}

const PROCESSES = 3;
const BACK_MS = 60_000;

/** Kills a random one of the processes of a server, which replaces it. */
export function killProcesses(
  place: Cluster | { readonly directory: string },
  kills: number,
  seed: number,
): Promise<Outcome> {
  const random = new Random(seed);
  const site = { argv: ['--processes', String(PROCESSES), '--metrics'] };
  return underLoad(place, { replicas: 1, seed, jobs: 20 + kills, site }, async ({ replicas }, _, note) => {
    const [server] = replicas;
    if (!server) throw new Error('there is no server');
    const isWhole = async (): Promise<boolean> =>
      (await servingOf(server)) === PROCESSES && processesOf(server).length === PROCESSES;
    for (let i = 0; i < kills; i++) {
      // Every second one is killed while the previous one is being replaced.
      if (i % 2 === 0 && !(await comesTrue(isWhole, BACK_MS))) note('not all processes are back');
      await delay(random.below(800));
      const victim = random.pick(processesOf(server));
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
    }
    if (!(await comesTrue(isWhole, BACK_MS))) note('not all processes are back');
    return `${kills} kills`;
  });
}

async function servingOf({ url }: Replica): Promise<number> {
  const answer = await fetch(`${url}/metrics`);
  return Number(/^dragoman_processes (\d+)$/m.exec(await answer.text())?.[1]);
}

/** Time after which others consider a stopped process dead, with room for a busy machine. */
const TAKEN_OVER_MS = 60_000;

/** Stops a server for at least this long, in the middle of a transaction, and lets it continue. */
export function stopReplica(cluster: Cluster, ms: number, seed: number): Promise<Outcome> {
  return underLoad(cluster, { replicas: 3, seed, jobs: 150 }, async (site, traffic, note) => {
    await comesTrue(() => Promise.resolve(traffic.jobs.size > 5), 60_000);
    const before = await instancesOf(site);
    const [stopped] = site.replicas.splice(0, 1);
    if (!stopped) throw new Error('there is no server');
    if (!(await stopInTransaction(site, stopped)))
      note('the process was never stopped in the middle of a transaction');
    const began = performance.now();
    await delay(ms);
    const isTakenOver = async (): Promise<boolean> =>
      (await instancesOf(site)).filter((id) => before.includes(id)).length === 2;
    if (!(await comesTrue(isTakenOver, TAKEN_OVER_MS)))
      note('the other processes have not taken over from the stopped one');
    const living = await instancesOf(site);
    if (living.length !== 2) note(`${living.length} processes are registered, but 2 are alive`);
    const seconds = Math.round((performance.now() - began) / 1000);
    stopped.child.kill('SIGCONT');
    site.replicas.push(stopped);
    const isBack = await comesTrue(async () => (await fetch(`${stopped.url}/health`)).status === 200, 30_000);
    if (!isBack) note('the stopped process is not healthy again');
    // It reports healthy once it can charge again, for which it must have registered under a new id.
    const after = await instancesOf(site);
    if (
      after.length !== 3 ||
      !living.every((id) => after.includes(id)) ||
      after.every((id) => before.includes(id))
    )
      note('the stopped process has not registered again');
    return `${seconds} s stopped`;
  });
}

/** Stops a process during a transaction, whose locks then block the others. */
async function stopInTransaction(site: Site, { child }: Replica): Promise<boolean> {
  for (let i = 0; i < 200; i++) {
    child.kill('SIGSTOP');
    // Meanwhile the transactions of the other processes end.
    const open = await transactionsOf(site);
    await delay(300);
    const still = await transactionsOf(site);
    if (open.some((one) => still.includes(one))) return true;
    child.kill('SIGCONT');
    await delay(50);
  }
  child.kill('SIGSTOP');
  return false;
}

/** The transactions that wait for the stopped process. */
async function transactionsOf(site: Site): Promise<readonly string[]> {
  const rows = await site.ask<{ one: string }>(`
    select concat(pid, ' ', xact_start, ' ', state_change) as one from pg_stat_activity
    where state = 'idle in transaction' and application_name = current_setting('application_name')`);
  return rows.map(({ one }) => one);
}

const HOUR_MS = 3_600_000;

/** Shifts the clock of a process that loads it. */
const skewedBy = (ms: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
      constructor(...given) { given.length === 0 ? super(RealDate.now() + ${ms}) : super(...given); }
      static now() { return RealDate.now() + ${ms}; }
    };`)}`;

/** Servers whose clocks are an hour apart work as one, by the database's clock. */
export function skewClocks(cluster: Cluster, accounts: number, seed: number): Promise<Outcome> {
  const calls = new Map<string, number[]>();
  // Every webhook must be called again.
  const receive: Answer = (response, received, count) => {
    const id = String(received.headers['webhook-id']);
    const times = [...(calls.get(id) ?? []), Date.now()];
    calls.set(id, times);
    status(times.length === 1 ? 503 : 200)(response, received, count);
  };
  const options = {
    replicas: 0,
    seed,
    jobs: 1_000,
    lanes: 0,
    receive,
    site: { argv: ['--rate-limit', '60'] },
  };
  return underLoad(cluster, options, async (site, traffic, note) => {
    for (const hours of [-1, 0, 1]) {
      await site.start({ env: { NODE_OPTIONS: skewedBy(hours * HOUR_MS) } });
    }
    const before = await instancesOf(site);
    for (const client of await site.newClients(accounts)) {
      await traffic.createJob(client);
      await Promise.all(Array.from({ length: 20 }, () => traffic.translate(client)));
      await checkWindow(site, note);
    }
    // Longer than the silence after which a process is considered dead.
    await delay(12_000);
    if ((await instancesOf(site)).join() !== before.join()) note('a living process was considered dead');
    const [row] = await site.ask<{ wrong: number }>(`
      select count(*)::int as wrong from jobs
      where abs(created_at - extract(epoch from now()) * 1000) > 600000`);
    if (row?.wrong !== 0) note(`${row?.wrong} jobs have a wrong time`);
    await comesTrue(() => Promise.resolve([...calls.values()].every((times) => times.length > 1)), 60_000);
    for (const [first = 0, second = Infinity] of calls.values()) {
      if (second - first < 3_000 || second - first > 30_000)
        note('a webhook was called again at the wrong time');
    }
    return `${accounts} accounts`;
  });
}

/** One window of a key across all servers: 60 of 90 requests, and its end. */
async function checkWindow(site: Site, note: (wrong: string) => void): Promise<void> {
  const client = await site.newClient();
  const began = Date.now();
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, i) =>
      client.with({ url: site.replicas[i % 3]?.url ?? '' }).get('/v2/supported-languages'),
    ),
  );
  const served = answers.filter((answer) => answer.status === 200).length;
  if (served !== 60) note(`${served} requests of a window of 60 were served`);
  for (const { headers } of answers) {
    const endsInMs = Number(headers['x-ratelimit-reset']) * 1000 - began;
    if (!(endsInMs > 50_000 && endsInMs < 75_000)) note(`the reported end of a window is in ${endsInMs} ms`);
  }
}

async function instancesOf(site: Site): Promise<readonly string[]> {
  return (await site.ask<{ id: string }>('select id from instances order by id')).map(({ id }) => id);
}
