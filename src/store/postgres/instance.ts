import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Sql } from '../shared/database.ts';
import { deliveryStore } from '../shared/deliveries.ts';
import { jobStore } from '../shared/jobs.ts';
import { meteringOf } from '../shared/metering.ts';
import { forget, registeredIds } from '../shared/registrations.ts';
import type { Instance, InstanceOptions, Metering, StoreNews } from '../store.ts';
import { type PostgresConnections, isUnavailable, endConnection, query } from './connections.ts';
import { fileChunks } from './file-chunks.ts';
import { unregistered, CHANNEL, pause } from './database.ts';
import { DATABASE_NOW, LaneMetering, NUMBERED_LANES } from './metering.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** Time limits for declaring processes dead, in milliseconds. */
export interface Liveness {
  readonly beatMs: number;
  /**
   * A process with no sign of life for this long and a free lock is dead. Long enough for live processes to report
   * after a database restart, which releases all locks.
   */
  readonly deadMs: number;
  /**
   * A process with no sign of life for this long is dead even if it holds its lock: it is stopped, or its network is
   * down.
   */
  readonly silentMs: number;
}

export const LIVENESS: Liveness = { beatMs: 3_000, deadMs: 10_000, silentMs: 60_000 };

/** The state of a process under one id. */
interface Registration {
  readonly id: string;
  /** Whether the database has this registration, which every operation requires. */
  isEntered: boolean;
  readonly lanes: LaneMetering;
  readonly metering: Metering;
}

/**
 * Registers a process on the store, after releasing dead ones. Detecting death by time can be wrong. Correctness relies
 * on rows instead: a process whose row is gone can neither charge, reserve nor claim, because all these operations lock
 * its row, and a process that releases its holdings removes the row first.
 */
export async function registerInstance(
  database: Database,
  connections: PostgresConnections,
  options: InstanceOptions,
  liveness: Liveness,
): Promise<Instance> {
  await reap(database, liveness, undefined);
  const membership = new Membership(database, connections, options, liveness);
  await membership.open();
  const { watch } = membership;
  return {
    get id() {
      return membership.own.id;
    },
    now: watch.now,
    onNews: (listener) => watch.onNews(listener),
    metering: {
      admit: async (key) => membership.entered.metering.admit(key),
      reserve: async (accountId, amount) => membership.entered.metering.reserve(accountId, amount),
      charge: async (accountId, amount, entry) =>
        membership.entered.metering.charge(accountId, amount, entry),
      countRequest: async (accountId, successful) =>
        membership.entered.metering.countRequest(accountId, successful),
    },
    jobs: jobStore(database, () => membership.own.id),
    deliveries: deliveryStore(database, () => membership.own.id),
    files: fileChunks(database),
    registered: () => registeredIds(database.sql),
    async reap() {
      // After a connection loss, the other processes get as much time to report as this one.
      return watch.inTouchMs < liveness.deadMs ? [] : reap(database, liveness, membership.own.id);
    },
    ready: async () => membership.entered.lanes.probe(),
    close: () => membership.close(),
  };
}

/** This process under its current id. If it was declared dead, it continues under a new id. */
class Membership {
  readonly watch: Watch;
  readonly #database: Database;
  readonly #connections: PostgresConnections;
  readonly #rates: InstanceOptions['rates'];
  /** This process's former ids whose holdings are not released yet. */
  readonly #left: string[] = [];
  #closing: Promise<void> | undefined;
  own: Registration;

  constructor(
    database: Database,
    connections: PostgresConnections,
    { rates }: InstanceOptions,
    { beatMs }: Liveness,
  ) {
    this.#database = database;
    this.#connections = connections;
    this.#rates = rates;
    const register = (): Promise<void> => this.#register();
    this.watch = new Watch({ connections, register, beatMs, instanceId: () => this.own.id });
    this.own = this.#begin();
  }

  /** @throws DragomanError `store_unavailable` while the database has no registration of this process */
  get entered(): Registration {
    if (this.own.isEntered) return this.own;
    throw unregistered();
  }

  async open(): Promise<void> {
    try {
      await this.watch.start();
    } catch (error) {
      await this.watch.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  #begin(): Registration {
    const id = randomUUID();
    const rates = this.#rates;
    const lanes = new LaneMetering({
      connections: this.#connections,
      instanceId: id,
      windowNow: rates?.now,
      onLost: () => this.#leave(id),
      windowMs: rates && rates.limit > 0 ? rates.windowMs : undefined,
    });
    const limits = { limit: 0, windowMs: 0, ...rates, now: rates?.now ?? this.watch.now };
    return { id, isEntered: false, lanes, metering: meteringOf(lanes, limits) };
  }

  /** Reservations and claims under the id are lost. */
  #leave(id: string): void {
    if (this.own.id !== id || this.#closing) return;
    void this.own.lanes.abandon();
    this.#left.push(id);
    this.own = this.#begin();
    this.watch.wake();
  }

  async #register(): Promise<void> {
    if (this.own.isEntered) this.#leave(this.own.id);
    await enter(this.#database, this.own.id);
    this.own.isEntered = true;
    for (let id = this.#left.pop(); id !== undefined; id = this.#left.pop()) {
      await remove(this.#database, id, 0);
    }
  }

  async #close(): Promise<void> {
    await this.own.lanes.close();
    // First, because a heartbeat that misses the removed row would register the process again.
    await this.watch.close();
    try {
      await remove(this.#database, this.own.id, 0);
    } catch (error) {
      // Other processes will detect its death.
      if (!isUnavailable(error)) throw error;
    }
  }
}

/** The write is not durable, because everything that refers to the row is committed later. */
async function enter(database: Database, id: string): Promise<void> {
  await database.write(
    async (transaction) => {
      await sql`
        insert into instances (id, started_at, beat_at) values (${id}, ${sql.raw(DATABASE_NOW)}, ${sql.raw(DATABASE_NOW)})
        on conflict do nothing`.execute(transaction);
      await sql`
        insert into instance_lanes (instance_id, lane) select ${id}, unnest(${NUMBERED_LANES}::text[])
        on conflict do nothing`.execute(transaction);
    },
    { durable: false },
  );
}

/** Releases the holdings of registered processes that died; returns their ids. */
export async function reap(
  database: Database,
  { deadMs, silentMs }: Liveness,
  own: string | undefined,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string; silence: number }>`
    select id, ${sql.raw(DATABASE_NOW)} - beat_at as silence from instances
    where beat_at < ${sql.raw(DATABASE_NOW)} - ${deadMs}::bigint order by id`.execute(database.sql);
  const dead: string[] = [];
  for (const { id, silence } of rows) {
    if (id === own || !(silence > silentMs || (await isLockFree(database, id)))) continue;
    if (await remove(database, id, deadMs)) dead.push(id);
  }
  return dead;
}

async function isLockFree(database: Database, id: string): Promise<boolean> {
  return database.write(
    async (transaction) => {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${id}, 0)) as free`.execute(transaction);
      return rows[0]?.free ?? false;
    },
    { durable: false },
  );
}

/** Releases the holdings of a process that has been silent for this long; returns whether it was registered. */
async function remove(database: Database, id: string, silentMs: number): Promise<boolean> {
  return database.write(
    async (transaction) => {
      await lockLanes(transaction, id);
      const { rows } = await sql<{ silence: number }>`
        select ${sql.raw(DATABASE_NOW)} - beat_at as silence from instances where id = ${id} for update`.execute(
        transaction,
      );
      const [row] = rows;
      if (!row || row.silence < silentMs) return false;
      const { coordination } = database;
      await coordination.announce(transaction, 'units');
      await coordination.announce(transaction, 'deliveries');
      return forget(transaction, coordination, id);
    },
    { durable: false },
  );
}

/**
 * Locks the lanes of a process before its row is locked, as batches do. A pending batch finishes first, and the next
 * finds no lane.
 */
async function lockLanes(transaction: Sql, id: string): Promise<void> {
  await sql`select 1 from instance_lanes where instance_id = ${id} order by lane for update`.execute(
    transaction,
  );
}

interface WatchOptions {
  readonly connections: PostgresConnections;
  /** Returns the id of the current registration. */
  readonly instanceId: () => string;
  readonly beatMs: number;
  /** Registers the process again if the database has no registration of it. */
  readonly register: () => Promise<void>;
}

/**
 * The connection that shows that this process is alive: it sends heartbeats and holds a lock that the database
 * releases with the connection. It also receives notifications and the database's time. A broken connection is
 * replaced.
 */
class Watch {
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
    // Notifications sent in the meantime are lost, so listeners check everything.
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
