import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { StoreNews } from '../store.ts';
import { endConnection, query, type PostgresConnections } from './connections.ts';
import { CHANNEL, pause } from './database.ts';
import { DATABASE_NOW } from './metering.ts';

export interface WatchOptions {
  readonly connections: PostgresConnections;
  /** Of the registration as it is now. */
  readonly instanceId: () => string;
  readonly beatMs: number;
  /** Registers the process: the database does not know it, or no more. */
  readonly register: () => Promise<void>;
}

/**
 * The connection by which others know that this process lives: it holds a lock that the database takes back when the
 * connection ends, and says again and again that it is there. On it the process hears what others announce, and what
 * time it is there. Where it breaks it is made again.
 */
export class Watch {
  readonly #options: WatchOptions;
  readonly #listeners: ((news: StoreNews) => void)[] = [];
  readonly #stop = new AbortController();
  #client: pg.Client | undefined;
  #beating: Promise<void> | undefined;
  #rest = new AbortController();
  /** Of the database's clock, before that of this machine. */
  #aheadMs = 0;
  /** Since the last break of the connection. */
  #since = -Infinity;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  readonly now = (): number => Date.now() + this.#aheadMs;

  /** How long this process has been in touch with the database without a break, in milliseconds. */
  get inTouchMs(): number {
    return this.#client ? performance.now() - this.#since : 0;
  }

  onNews(listener: (news: StoreNews) => void): void {
    this.#listeners.push(listener);
  }

  /** Registers the process, and begins. */
  async start(): Promise<void> {
    await this.#say(await this.#connect());
    this.#beating = this.#beat();
  }

  /** Says at once what there is to say. */
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
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what processes announce
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
    // What was announced meanwhile is lost.
    for (const listener of this.#listeners) {
      listener('units');
      listener('deliveries');
    }
    return client;
  }

  #sleep(signal: AbortSignal): Promise<void> {
    return delay(this.#options.beatMs, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Says that the process lives. */
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
    // Times are whole milliseconds, in the tables too.
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
