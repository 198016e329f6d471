import type { Received } from '../webhooks/receiver.ts';
import { comesTrue, type Site } from './site.ts';
import type { SentJob, Traffic } from './traffic.ts';

/** Differences between the clients' records and the site's books. */
export interface Findings {
  /** Acknowledged, but missing or not charged. */
  lost: number;
  /** Charged more than once or more than it costs. */
  twice: number;
  /**
   * Credits reserved although nothing is in progress, and accounts whose balance differs from the sum of their ledger.
   */
  reserved: number;
  /** Requests that failed but were charged: the answer was lost, not the work. */
  chargedUnheard: number;
  /** Descriptions of the lost and twice charged, and of other inconsistencies. */
  readonly wrong: string[];
}

/** Dead replicas are found after 10 seconds, stopped ones after 60. */
const REST_MS = 180_000;

interface Charges {
  readonly times: number;
  readonly amount: number;
}

const NOTHING: Charges = { times: 0, amount: 0 };

/** Waits until nothing is in progress, and compares the clients' records with the books. */
export async function auditAtRest(
  site: Site,
  traffic: readonly Traffic[],
  received: readonly Received[] = [],
): Promise<Findings> {
  const findings: Findings = { lost: 0, twice: 0, reserved: 0, chargedUnheard: 0, wrong: [] };
  if (!(await comesTrue(() => isAtRest(site), REST_MS))) {
    findings.wrong.push(`work is still under way after ${REST_MS / 1000} s`);
  }
  findings.reserved = await countWrongBooks(site);
  const rows = await site.ask<{ reference: string; times: number; amount: number }>(`
    select reference, cast(count(*) as integer) as times, cast(sum(-amount) as integer) as amount from ledger
    where operation <> 'grant' group by reference`);
  const charges = new Map(rows.map(({ reference, ...charge }) => [reference, charge]));
  auditTexts(traffic, charges, findings);
  await auditJobs(site, traffic, charges, findings);
  auditWebhooks(traffic, received, findings);
  return findings;
}

/** Whether the store records no work in progress. */
export async function isAtRest(site: Site): Promise<boolean> {
  const [row] = await site.ask<{ open: number }>(`
    select cast((select count(*) from jobs where completed_at is null)
      + (select count(*) from holds where amount > 0)
      + (select count(*) from accounts where reserved <> 0)
      + (select count(*) from webhook_deliveries where status = 'pending') as integer) as open`);
  return row?.open === 0;
}

/** Counts in one snapshot. */
export async function countWrongBooks(site: Site): Promise<number> {
  const rows = await site.ask(`
    select id from accounts
    where reserved <> 0
      or balance <> (select coalesce(sum(amount), 0) from ledger where account_id = accounts.id)`);
  return rows.length;
}

function addLost(findings: Findings, what: string): void {
  findings.lost++;
  findings.wrong.push(`lost: ${what}`);
}

function addTwice(findings: Findings, what: string): void {
  findings.twice++;
  findings.wrong.push(`twice: ${what}`);
}

function describe({ times, amount }: Charges = NOTHING): string {
  return `${amount} credits in ${times} entries`;
}

function auditTexts(
  traffic: readonly Traffic[],
  charges: ReadonlyMap<string, Charges>,
  findings: Findings,
): void {
  for (const { id, credits, status } of traffic.flatMap(({ texts }) => texts)) {
    const charge = charges.get(id);
    const did = `request ${id} of ${credits} credits was answered with ${status}, and charged ${describe(charge)}`;
    if (charge && (charge.times > 1 || charge.amount > credits)) addTwice(findings, did);
    else if (status === 200 && charge?.amount !== credits) addLost(findings, did);
    else if (status !== 200 && charge) findings.chargedUnheard++;
  }
}

async function auditJobs(
  site: Site,
  traffic: readonly Traffic[],
  charges: ReadonlyMap<string, Charges>,
  findings: Findings,
): Promise<void> {
  const rows = await site.ask<{
    id: string;
    status: string;
    reason: string | null;
    total_keys: number;
    targets: string;
  }>(`
    select id, status, error_message as reason, cast(total_keys as integer) as total_keys,
      target_languages as targets from jobs`);
  const known = new Map(traffic.flatMap(({ jobs }) => [...jobs]));
  const stored = new Map(rows.map((row) => [row.id, row]));
  // This includes jobs whose creation was never acknowledged.
  for (const { id, status, reason, total_keys: keys, targets } of rows) {
    const languages = (JSON.parse(targets) as unknown[]).length;
    const { times, amount } = charges.get(id) ?? NOTHING;
    const did = `job ${id} of ${keys} keys in ${languages} languages was charged ${describe(charges.get(id))}`;
    if (status !== 'completed') findings.wrong.push(`job ${id} is ${status}: ${reason}`);
    if (times > languages || amount > keys * languages) addTwice(findings, did);
    else if (times < languages || amount < keys * languages) addLost(findings, did);
  }
  for (const [id, job] of known) {
    const { times, amount } = charges.get(id) ?? NOTHING;
    if (job.fate === 'kept' && !stored.has(id)) addLost(findings, `job ${id} is not in the store`);
    else if (job.fate === 'kept' && !(await hasFiles(site, id, job)))
      addLost(findings, `job ${id} lacks a file, or keys of it`);
    if (job.fate === 'deleted' && stored.has(id))
      findings.wrong.push(`job ${id} was deleted, but still exists`);
    if (times > job.languages.length || amount > job.keys * job.languages.length)
      addTwice(findings, `job ${id} was charged ${describe(charges.get(id))}`);
  }
}

async function hasFiles(site: Site, id: string, { client, keys, languages }: SentJob): Promise<boolean> {
  const [replica] = site.replicas;
  if (!replica) return true;
  const here = client.with({ url: replica.url });
  for (const language of languages) {
    const { status, json } = await here.download(id, language);
    if (status !== 200 || Object.keys(json as object).length !== keys) return false;
  }
  return true;
}

/** Every receiver has received every job at least once, and always with the same body. */
function auditWebhooks(
  traffic: readonly Traffic[],
  received: readonly Received[],
  { wrong }: Findings,
): void {
  const bodies = new Map<string, Set<string>>();
  for (const body of received.map((one) => one.body.toString())) {
    const { job_id: id } = JSON.parse(body) as { job_id: string };
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  for (const [id, { hasWebhook, fate }] of traffic.flatMap(({ jobs }) => [...jobs])) {
    const count = bodies.get(id)?.size ?? 0;
    if (hasWebhook && fate === 'kept' && count !== 1)
      wrong.push(`the webhook of job ${id} has ${count} bodies`);
  }
}
