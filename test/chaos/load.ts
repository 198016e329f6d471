import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReceiver, status, type Answer } from '../webhooks/receiver.ts';
import { auditAtRest, type Findings } from './audit.ts';
import { Site, type SiteOptions } from './site.ts';
import { Traffic } from './traffic.ts';

/** The actions and results of a row of the table of failures. */
export interface Outcome {
  /** In words, with a number: `20 restarts`. */
  readonly did: string;
  /** Requests that were answered with a translation. */
  readonly answered: number;
  /** Jobs that were acknowledged. */
  readonly jobs: number;
  readonly statuses: ReadonlyMap<string, number>;
  readonly findings: Findings;
  /** The servers' logs. */
  readonly log: string;
}

export interface LoadOptions {
  readonly replicas: number;
  readonly seed: number;
  readonly jobs?: number;
  readonly lanes?: number;
  readonly accounts?: number;
  /** How the receiver of webhooks answers. */
  readonly receive?: Answer;
  readonly site?: SiteOptions;
}

/** Statuses that clients may see during a failure. If servers are killed, `broken` is allowed, too. */
export const ALLOWED: readonly string[] = ['200', '201', '503'];

/** Calls `disturb` while clients use the servers; then waits until everything is idle, and audits. */
export async function underLoad(
  place: Parameters<typeof Site.open>[0],
  { replicas, receive = status(200), site: settings = {}, accounts = 8, ...options }: LoadOptions,
  disturb: (site: Site, traffic: Traffic, note: (wrong: string) => void) => Promise<string>,
): Promise<Outcome> {
  const receiver = await openReceiver(receive);
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-chaos-'));
  const ca = join(directory, 'ca.pem');
  writeFileSync(ca, receiver.ca);
  const site = await Site.open(place, replicas, {
    ...settings,
    argv: ['--webhook-allow-private', ...(settings.argv ?? [])],
    // Users of a private certificate authority set this variable.
    env: { NODE_EXTRA_CA_CERTS: ca, ...settings.env },
  });
  const clients = await site.newClients(accounts);
  const traffic = new Traffic(site, { clients, webhookUrl: receiver.url, ...options });
  try {
    const wrong: string[] = [];
    const did = await disturb(site, traffic.start(), (sentence) => wrong.push(sentence));
    await traffic.stop();
    const findings = await auditAtRest(site, [traffic], receiver.received);
    findings.wrong.unshift(...wrong);
    return outcomeOf(did, site, traffic, findings);
  } finally {
    await traffic.stop();
    await site.close();
    receiver.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function outcomeOf(did: string, site: Site, traffic: Traffic, findings: Findings): Outcome {
  const { answered, statuses, jobs } = traffic;
  return { did, answered, jobs: jobs.size, statuses, findings, log: site.log() };
}

/** How many errors and how many last lines from the servers' logs follow the problems. */
const LOG_LINES = 40;

/** The problems, then parts of the servers' logs. CI cuts off the end of a long report. */
export function reportOf(faults: readonly string[], log: string): string {
  const lines = log.trimEnd().split('\n');
  const errors = lines.filter((line) => line.includes('"level":"error"'));
  return [...faults, '', ...errors.slice(0, LOG_LINES), '', ...lines.slice(-LOG_LINES)].join('\n');
}

/** The problems of an outcome; empty if there are none. */
export function faultsOf(
  { findings, statuses }: Pick<Outcome, 'findings' | 'statuses'>,
  allowed: readonly string[] = ALLOWED,
): string[] {
  const { lost, twice, reserved, wrong } = findings;
  return [
    ...Object.entries({ lost, twice, reserved })
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what}`),
    ...[...statuses]
      .filter(([code]) => !allowed.includes(code))
      .map(([code, count]) => `answers with ${code}: ${count}`),
    ...wrong,
  ];
}
