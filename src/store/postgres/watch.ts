import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { StoreNews } from '../store.ts';
import { endConnection, query, type PostgresConnections } from './connections.ts';
import { CHANNEL, pause } from './database.ts';
import { DATABASE_NOW } from './metering.ts';

export interface WatchOptions {
  readonly connections: PostgresConnections;
  /** Returns the id of the current registration. */
  readonly instanceId: () => string;
  readonly beatMs: number;
  /** Registers the process again if the database does not know it. */
  readonly register: () => Promise<void>;
}

/**
 * The connection that shows that this process is alive: it holds a lock, which the database releases with the
 * connection, and sends heartbeats. It also receives notifications and the database's time. A broken connection is
 * replaced.
 */
export class Watch {
  readonly #options: WatchOptions;
  readonly #listeners: ((news: StoreNews) => void)[] = [];
  readonly #stop = new AbortController();
  #client: pg.Client | undefined;
  #beating: Promise<void> | undefined;
  #rest = new AbortController();
  /** The database's clock minus this machine's. */
  #aheadMs = 0;
  /** Time of the last connection loss. */
  #since = -Infinity;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  readonly now = (): number => Date.now() + this.#aheadMs;

  /** How long this process has been connected without interruption, in milliseconds. */
  get inTouchMs(): number {
    return this.#client ? performance.now() - this.#since : 0;
  }

  onNews(listener: (news: StoreNews) => void): void {
    this.#listeners.push(listener);
  }

  /** Registers the process, and starts. */
  async start(): Promise<void> {
    await this.#say(await this.#connect());
    this.#beating = this.#beat();
  }

  /** Sends the next heartbeat immediately. */
  wake(): void {
    this.#rest.abort();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#beating;
    await this.#drop();
  }

  async #connect(): Promise<pg.Client> {
    const client = await this.#options.connections.connect();
    client.on('notification', ({ payload = '' }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by this program's processes
      for (const listener of this.#listeners) listener(payload as StoreNews);
    });
    try {
      await query(client, { text: `listen ${CHANNEL}` });
      await lock(client, this.#options.instanceId());
    } catch (error) {
      await endConnection(client);
      throw error;
    }
    this.#client = client;
    return client;
  }

  async #beat(): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      try {
        const client = this.#client ?? (await this.#reconnect());
        failures = 0;
        await this.#say(client);
        this.#rest = new AbortController();
        if (!signal.aborted) await this.#sleep(this.#rest.signal);
      } catch {
        await this.#drop();
        await pause(failures++);
      }
    }
  }

  async #reconnect(): Promise<pg.Client> {
    const client = await this.#connect();
    this.#since = performance.now();
    // Notifications in the meantime are lost.
    for (const listener of this.#listeners) {
      listener('units');
      listener('deliveries');
    }
    return client;
  }

  #sleep(signal: AbortSignal): Promise<void> {
    return delay(this.#options.beatMs, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Sends a heartbeat. */
  async #say(client: pg.Client): Promise<void> {
    await this.#readClock(client);
    const text = `update instances set beat_at = ${DATABASE_NOW} where id = $1 returning id`;
    const rows = await query(client, { name: 'beat', text, values: [this.#options.instanceId()] });
    if (rows.length > 0 || this.#stop.signal.aborted) return;
    await this.#options.register();
    await query(client, { text: 'select pg_advisory_unlock_all()' });
    await lock(client, this.#options.instanceId());
  }

  async #readClock(client: pg.Client): Promise<void> {
    const before = Date.now();
    const [row] = await query<{ now: number }>(client, {
      name: 'now',
      text: `select ${DATABASE_NOW} as now`,
    });
    // Times are integers in milliseconds, also in the tables.
    if (row) this.#aheadMs = row.now - Math.round((before + Date.now()) / 2);
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client) await endConnection(client);
  }
}

async function lock(client: pg.Client, id: string): Promise<void> {
  await query(client, { text: 'select pg_advisory_lock(hashtextextended($1, 0))', values: [id] });
}
