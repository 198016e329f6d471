import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { startServing, type Served } from '../crash/served.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { ask, createStore } from '../postgres/store.ts';
import { Client } from '../server/specification/client.ts';

export interface Replica extends Served {
  readonly url: string;
}

export interface SiteOptions {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The port by which all reach the database, if not its own. */
  readonly port?: number;
  readonly bin?: string;
}

const ARGV = ['--rate-limit', '0', '--log-level', 'warn', '--public-url', 'https://translate.example.org'];

/** Servers as processes on a database of their own. Whoever opens it closes it. */
export class Site {
  readonly #root = mkdtempSync(join(tmpdir(), 'dragoman-site-'));
  readonly #options: SiteOptions;
  readonly #all: Replica[] = [];
  /** Those that run. */
  readonly replicas: Replica[] = [];
  readonly url: string;
  readonly store: Store;
  #accounts = 0;

  private constructor(url: string, store: Store, options: SiteOptions) {
    this.url = url;
    this.store = store;
    this.#options = options;
  }

  static async open(cluster: Cluster, replicas: number, options: SiteOptions = {}): Promise<Site> {
    const made = await createStore(cluster);
    const url = urlAt(made.url, options.port);
    const site = new Site(url, await openPostgresStore({ url }), options);
    try {
      await Promise.all(Array.from({ length: replicas }, () => site.start()));
      return site;
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  /** @param own beside the options of the site, or in their place */
  async start(own: SiteOptions = {}): Promise<Replica> {
    const { argv = [], env, port, bin } = this.#options;
    const store = urlAt(this.url, own.port ?? port);
    const program = own.bin ?? bin;
    const served = startServing(this.#root, [...ARGV, ...argv, ...(own.argv ?? [])], {
      ...{ store, ...env, ...own.env },
      ...(program === undefined ? {} : { bin: program }),
    });
    const url = await served.ready;
    if (url === undefined) throw new Error(`a replica ended: ${served.log()}`);
    const replica = { ...served, url };
    this.#all.push(replica);
    this.replicas.push(replica);
    return replica;
  }

  /** Without a warning, so that nothing more is sent to it. */
  async kill(replica: Replica): Promise<void> {
    this.#leave(replica);
    await replica.kill();
  }

  /** As an operator does it. */
  async end(replica: Replica): Promise<void> {
    this.#leave(replica);
    await replica.end();
  }

  async newClient(credits = 1_000_000): Promise<Client> {
    const email = `user${++this.#accounts}@example.org`;
    const { account, key } = await this.store.accounts.create({ email, fullName: 'Anna', credits });
    return new Client('', { accountId: account.id, email, key });
  }

  newClients(count: number, credits?: number): Promise<readonly Client[]> {
    return Promise.all(Array.from({ length: count }, () => this.newClient(credits)));
  }

  ask<Row extends Record<string, unknown>>(text: string): Promise<readonly Row[]> {
    return ask<Row>(this.url, text);
  }

  /** What all replicas have said, also those that are gone. */
  log(): string {
    return this.#all.map((replica) => replica.log()).join('');
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.splice(0).map((replica) => replica.kill()));
    await this.store.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #leave(replica: Replica): void {
    this.replicas.splice(this.replicas.indexOf(replica), 1);
  }
}

function urlAt(address: string, port: number | undefined): string {
  const url = new URL(address);
  if (port !== undefined) url.port = String(port);
  return url.href;
}

/** Waits until something is so; whether it came to that. A question that fails is asked again. */
export async function comesTrue(isSo: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const limit = performance.now() + limitMs;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > limit) return false;
    await delay(200);
  }
  return true;
}
