import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
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
  /** The port through which everybody reaches the database, if not its own. */
  readonly port?: number;
  readonly bin?: string;
}

const ARGV = ['--rate-limit', '0', '--log-level', 'warn', '--public-url', 'https://translate.example.org'];

type Ask = <Row extends Record<string, unknown>>(text: string) => Promise<readonly Row[]>;

/** The storage that servers share: a database, or a data directory. */
interface Shared {
  /** The address of the database; empty for a data directory. */
  readonly url: string;
  /** The shared data directory; undefined for a database. */
  readonly directory: string | undefined;
  readonly store: Store;
  readonly ask: Ask;
  close(): Promise<void>;
}

/** The pause of balancers after they remove a server. */
const DRAIN_MS = 500;

/** Servers as processes on their own database, or on a data directory. The caller closes it. */
export class Site {
  readonly #root = mkdtempSync(join(tmpdir(), 'dragoman-site-'));
  readonly #shared: Shared;
  readonly #options: SiteOptions;
  readonly #all: Replica[] = [];
  /** The running servers. */
  readonly replicas: Replica[] = [];
  #accounts = 0;

  private constructor(shared: Shared, options: SiteOptions) {
    this.#shared = shared;
    this.#options = options;
  }

  static async open(
    place: Cluster | { readonly directory: string },
    replicas: number,
    options: SiteOptions = {},
  ): Promise<Site> {
    const shared =
      'directory' in place ? await openDirectory(place.directory) : await openOn(place, options.port);
    const site = new Site(shared, options);
    try {
      await Promise.all(Array.from({ length: replicas }, () => site.start()));
      return site;
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  /** @param own added to the options of the site, or replacing them */
  async start(own: SiteOptions = {}): Promise<Replica> {
    const { argv = [], env, port, bin } = this.#options;
    const { url: database, directory } = this.#shared;
    const program = own.bin ?? bin;
    const served = startServing(directory ?? this.#root, [...ARGV, ...argv, ...(own.argv ?? [])], {
      ...(directory === undefined && { store: urlAt(database, own.port ?? port) }),
      ...env,
      ...own.env,
      ...(program === undefined ? {} : { bin: program }),
    });
    const url = await served.ready;
    if (url === undefined) throw new Error(`a replica ended: ${served.log()}`);
    const replica = { ...served, url };
    this.#all.push(replica);
    this.replicas.push(replica);
    return replica;
  }

  get url(): string {
    return this.#shared.url;
  }

  get store(): Store {
    return this.#shared.store;
  }

  /** Kills a server without a warning; it gets no more requests. */
  async kill(replica: Replica): Promise<void> {
    this.#leave(replica);
    await replica.kill();
  }

  /** Stops a server as an operator does: first the balancer stops sending it requests. */
  async end(replica: Replica): Promise<void> {
    this.#leave(replica);
    await delay(DRAIN_MS);
    await replica.end();
  }

  /**
   * By default, the client has enough credits to pay for a batch of ten texts after the work, but not for one
   * of 100.
   */
  async newClient(credits = 999_999): Promise<Client> {
    const email = `user${++this.#accounts}@example.org`;
    const { account, key } = await this.store.accounts.create({ email, fullName: 'Anna', credits });
    return new Client('', { accountId: account.id, email, key });
  }

  newClients(count: number, credits?: number): Promise<readonly Client[]> {
    return Promise.all(Array.from({ length: count }, () => this.newClient(credits)));
  }

  ask<Row extends Record<string, unknown>>(text: string): Promise<readonly Row[]> {
    return this.#shared.ask<Row>(text);
  }

  /** The output of all replicas, including dead ones. */
  log(): string {
    return this.#all.map((replica) => replica.log()).join('');
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.splice(0).map((replica) => replica.kill()));
    await this.#shared.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #leave(replica: Replica): void {
    this.replicas.splice(this.replicas.indexOf(replica), 1);
  }
}

async function openOn(cluster: Cluster, port: number | undefined): Promise<Shared> {
  const url = urlAt((await createStore(cluster)).url, port);
  const store = await openPostgresStore({ url });
  return {
    url,
    directory: undefined,
    store,
    ask: (text) => ask(url, text),
    close: () => store.close(),
  };
}

async function openDirectory(directory: string): Promise<Shared> {
  const store = await openSqliteStore(directory);
  const database = await openDatabase(directory);
  return {
    url: '',
    directory,
    store,
    ask: async <Row>(text: string) => (await sql.raw<Row>(text).execute(database.sql)).rows,
    close: async () => {
      await database.close();
      await store.close();
    },
  };
}

function urlAt(address: string, port: number | undefined): string {
  const url = new URL(address);
  if (port !== undefined) url.port = String(port);
  return url.href;
}

/** Waits until a condition holds; returns whether it did. A query that fails is repeated. */
export async function comesTrue(isSo: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const limit = performance.now() + limitMs;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > limit) return false;
    await delay(200);
  }
  return true;
}
