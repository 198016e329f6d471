import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../src/plugins/contract/random.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { underLoad, type Outcome } from './load.ts';
import type { Site } from './site.ts';
import { messages, type Traffic } from './traffic.ts';

/** Clients that use several servers at once, in any order, with the same credits. */

/** 200 requests of an account with 100 credits, sent at once to 4 servers. */
export async function shareCredits(cluster: Cluster, rounds: number, seed: number): Promise<Outcome> {
  return onSite(cluster, 4, seed, async (site, traffic, note) => {
    for (let round = 0; round < rounds; round++) {
      const client = await site.newClient(100);
      const before = new Map(traffic.statuses);
      await Promise.all(Array.from({ length: 200 }, () => traffic.translate(client)));
      const served = (traffic.statuses.get('200') ?? 0) - (before.get('200') ?? 0);
      const refused = (traffic.statuses.get('402') ?? 0) - (before.get('402') ?? 0);
      if (served !== 100 || refused !== 100) note(`${served} of 200 were served, and ${refused} refused`);
    }
    return `${rounds} × 200 requests`;
  });
}

/** Jobs that are deleted through two servers at once, at any moment of their short life. */
export async function deleteDuringEnd(cluster: Cluster, jobs: number, seed: number): Promise<Outcome> {
  const random = new Random(seed);
  return onSite(cluster, 2, seed, async (site, _traffic, note) => {
    const client = await site.newClient();
    for (let i = 0; i < jobs; i++) {
      const [first, second] = site.replicas;
      if (!first || !second) throw new Error('fewer than two servers are running');
      const form = { content: messages(4), target_languages: 'fr,de' };
      const created = await client.with({ url: first.url }).upload(form);
      const { job_id: id } = created.json as { job_id: string };
      await delay(random.below(400));
      const answers = await Promise.all([first, second].map(({ url }) => client.with({ url }).remove(id)));
      const codes = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
      if (codes.join() !== '200,404')
        note(`two deletions of a job were answered with ${codes.join(' and ')}`);
    }
    const [left] = await site.ask<{ count: number }>('select count(*)::int as count from file_chunks');
    if (left?.count !== 0) await delay(5_000);
    const [still] = await site.ask<{ count: number }>('select count(*)::int as count from file_chunks');
    if (still?.count !== 0) note('files of deleted jobs are left');
    if (/could not be ended/.test(site.log())) note('a unit could not be ended');
    return `${jobs} deletions`;
  });
}

/** After the commit that gives an account another key, no server accepts the old key. */
export async function revokeKeys(cluster: Cluster, rounds: number, seed: number): Promise<Outcome> {
  return onSite(cluster, 3, seed, async (site, traffic, note) => {
    for (let round = 0; round < rounds; round++) {
      const old = await site.newClient();
      await Promise.all(site.replicas.map(() => traffic.translate(old)));
      const fresh = old.with({ key: await site.store.accounts.resetKey(old.email) });
      const answers = await Promise.all(
        site.replicas.flatMap(({ url }) => [old.with({ url }).translate(), fresh.with({ url }).translate()]),
      );
      const codes = answers.map((answer) => answer.status).join();
      if (codes !== site.replicas.flatMap(() => [403, 200]).join()) note(`old and new keys got ${codes}`);
    }
    return `${rounds} keys`;
  });
}

/**
 * A batch locks the newest version of an account, and then updates the row from its snapshot's version. A second batch
 * that arrives in between, right after a third has changed the row, can deadlock with the first. No order of locks
 * prevents that: PostgreSQL ends one of the two, which is retried. A wrong order would cause many more deadlocks.
 */
const MOST_DEADLOCKS_PER_SECOND = 0.2;

/** Everything that locks several rows, on the same 50 accounts, from 4 servers. */
export function huntDeadlocks(cluster: Cluster, ms: number, seed: number): Promise<Outcome> {
  const options = { replicas: 4, seed, lanes: 16, accounts: 50, jobs: Math.ceil(ms / 250) };
  return underLoad(cluster, options, async (site, _traffic, note) => {
    const before = await countDeadlocks(site);
    const random = new Random(seed + 1);
    const accounts = await site.store.accounts.list();
    const limit = performance.now() + ms;
    while (performance.now() < limit) {
      const account = random.pick(accounts);
      if (account) await site.store.accounts.grant(account.email, 5);
      await delay(random.below(20));
    }
    const deadlocks = (await countDeadlocks(site)) - before;
    if (deadlocks > (ms / 1000) * MOST_DEADLOCKS_PER_SECOND) note(`${deadlocks} deadlocks`);
    return `${ms / 1000} s, ${deadlocks} deadlocks ended and repeated`;
  });
}

async function countDeadlocks(site: Site): Promise<number> {
  const [row] = await site.ask<{ count: number }>(
    'select deadlocks::int as count from pg_stat_database where datname = current_database()',
  );
  return row?.count ?? 0;
}

/** Runs servers without any load except for the requests of the row itself. */
async function onSite(
  cluster: Cluster,
  replicas: number,
  seed: number,
  act: (site: Site, traffic: Traffic, note: (wrong: string) => void) => Promise<string>,
): Promise<Outcome> {
  return underLoad(cluster, { replicas, seed, lanes: 0 }, act);
}
