import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, type Sql } from '../shared/database.ts';
import { deliveryStore } from '../shared/deliveries.ts';
import { jobStore } from '../shared/jobs.ts';
import { meteringOf } from '../shared/metering.ts';
import { forget } from '../shared/registrations.ts';
import type { Instance, InstanceOptions, Metering } from '../store.ts';
import { type PostgresConnections, isUnavailable } from './connections.ts';
import { fileChunks } from './file-chunks.ts';
import { unregistered } from './database.ts';
import { DATABASE_NOW, LaneMetering, NUMBERED_LANES } from './metering.ts';
import { Watch } from './watch.ts';

/** How processes find each other dead, in milliseconds. */
export interface Liveness {
  readonly beatMs: number;
  /**
   * A process that was not heard for so long, and whose lock is free, is dead. Long enough that after a restart of the
   * database, where all locks vanish at once, those that live have said so.
   */
  readonly deadMs: number;
  /** So is one that was not heard for so long: it is stopped, or its network is gone and its connection not yet. */
  readonly silentMs: number;
}

export const LIVENESS: Liveness = { beatMs: 3_000, deadMs: 10_000, silentMs: 60_000 };

/** What a process has under one id. */
interface Registration {
  readonly id: string;
  /** Whether the database knows it: before that, nothing can be done with it. */
  isEntered: boolean;
  readonly lanes: LaneMetering;
  readonly metering: Metering;
}

/**
 * Registers a process that works on the store; finds the dead ones first. That a process is dead is found by time, and
 * can be wrong. What is right whatever the time is that one whose row is gone charges, reserves and takes on nothing: all
 * these do so under a lock of its row, and whoever gives back what it has removes that first.
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
    async registered() {
      const rows = await database.sql.selectFrom('instances').select('id').execute();
      return new Set(rows.map((row) => row.id));
    },
    async reap() {
      // After a break of all connections the others have the same time to be heard again as this process.
      return watch.inTouchMs < liveness.deadMs ? [] : reap(database, liveness, membership.own.id);
    },
    ready: async () => membership.entered.lanes.probe(),
    close: () => membership.close(),
  };
}

/** This process under the id that it has now: one that was found dead goes on under another. */
class Membership {
  readonly watch: Watch;
  readonly #database: Database;
  readonly #connections: PostgresConnections;
  readonly #rates: InstanceOptions['rates'];
  /** Ids that the process had, and that nobody has given back yet. */
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

  /** @throws DragomanError `store_unavailable` while the database does not know the process. */
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

  /** What was reserved and taken on under the id is over. */
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
    // Before the row goes: a beat that does not find it would register the process again.
    await this.watch.close();
    try {
      await remove(this.#database, this.own.id, 0);
    } catch (error) {
      // Others find it dead.
      if (!isUnavailable(error)) throw error;
    }
  }
}

/** Not durable: whatever refers to the row is committed after it. */
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

/** Gives back what dead processes had that were registered; their ids. */
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

/** Gives back what a process had that has been silent for so long; whether it was registered. */
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

/** Before the row of the process, as batches lock them. A batch under way ends first, and the next finds no lane. */
async function lockLanes(transaction: Sql, id: string): Promise<void> {
  await sql`select 1 from instance_lanes where instance_id = ${id} order by lane for update`.execute(
    transaction,
  );
}
