import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditAtRest } from '../chaos/audit.ts';
import { ALLOWED, faultsOf, reportOf } from '../chaos/load.ts';
import { Site } from '../chaos/site.ts';
import { Traffic } from '../chaos/traffic.ts';
import { Cluster } from '../postgres/cluster.ts';
import { describeWith } from '../postgres/requirements.ts';
import type { Client } from '../server/specification/client.ts';

/**
 * Random operations on 3 servers, several at once, and conditions that must hold after each step and at the end.
 * Failures are printed with seed and steps.
 */

/** Operations that run at once: some of them use a server that another one kills. */
type Step = readonly { readonly what: Operation; readonly account: number }[];
type Operation = 'translate' | 'batch' | 'job' | 'delete' | 'grant' | 'kill';

const ACCOUNTS = 3;
const CREDITS = 5_000;
const GRANT = 7;

const operation = fc.record({
  what: fc.oneof<fc.WeightedArbitrary<Operation>[]>(
    { weight: 8, arbitrary: fc.constant('translate') },
    { weight: 4, arbitrary: fc.constant('batch') },
    { weight: 4, arbitrary: fc.constant('job') },
    { weight: 2, arbitrary: fc.constant('delete') },
    { weight: 2, arbitrary: fc.constant('grant') },
    { weight: 1, arbitrary: fc.constant('kill') },
  ),
  account: fc.nat(ACCOUNTS - 1),
});
const steps = fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), { minLength: 12, maxLength: 12 });

let root: string;
let cluster: Cluster;

/**
 * Holds at any moment: every balance is the sum of its ledger, and every reserved credit belongs to a request, a job or
 * a deleted job.
 */
const WRONG = `
  select id, balance, reserved from accounts
  where balance <> (select coalesce(sum(amount), 0) from ledger where account_id = accounts.id)
    or granted <> (select coalesce(sum(amount), 0) from ledger where account_id = accounts.id and operation = 'grant')
    or reserved <> (select coalesce(sum(amount), 0) from holds where account_id = accounts.id)
      + (select coalesce(sum(reserved), 0) from jobs where account_id = accounts.id)
      + (select coalesce(sum(reserved), 0) from deleted_units where account_id = accounts.id)
    or reserved < 0 or reserved > balance`;

async function perform(site: Site, traffic: Traffic, client: Client, what: Operation): Promise<void> {
  if (what === 'translate') await traffic.translate(client);
  if (what === 'batch') await traffic.translateBatch(client);
  if (what === 'job') await traffic.createJob(client);
  if (what === 'delete') await traffic.deleteJob();
  if (what === 'grant') await site.store.accounts.grant(client.email, GRANT);
  if (what === 'kill') {
    const [victim] = site.replicas;
    if (!victim) return;
    await site.kill(victim);
    await site.start();
  }
}

async function run(all: readonly Step[]): Promise<void> {
  const site = await Site.open(cluster, 3);
  try {
    const clients = await site.newClients(ACCOUNTS, CREDITS);
    const traffic = new Traffic(site, { clients, seed: all.length, lanes: 0 });
    for (const step of all) {
      await Promise.all(
        step.map(async ({ what, account }) => {
          const client = clients[account];
          if (client) await perform(site, traffic, client, what);
        }),
      );
      expect(await site.ask(WRONG)).toEqual([]);
    }
    const findings = await auditAtRest(site, [traffic]);
    const faults = faultsOf({ findings, statuses: traffic.statuses }, [...ALLOWED, 'broken']);
    expect(faults, reportOf(faults, site.log())).toEqual([]);
    const grants = all.flat().filter(({ what }) => what === 'grant').length;
    const [row] = await site.ask<{ granted: number }>('select sum(granted)::int as granted from accounts');
    expect(row?.granted).toBe(ACCOUNTS * CREDITS + grants * GRANT);
  } finally {
    await site.close();
  }
}

describeWith(['postgres'], 'random operations on 3 servers', () => {
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'dragoman-model-'));
    // The PostgreSQL server has its own user if the tests run as root.
    chmodSync(root, 0o755);
    cluster = await Cluster.start(join(root, 'cluster'));
  });
  afterAll(async () => {
    await cluster?.remove();
    rmSync(root, { recursive: true, force: true });
  });

  it('leave every balance as the sum of its ledger, and nothing reserved', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, run),
      // A failure may not be reproducible, so shrinking makes no sense.
      { numRuns: 2, endOnFailure: true, verbose: 1 },
    );
  });
});
