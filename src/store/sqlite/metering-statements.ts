import type Sqlite from 'libsql';
import { DragomanError } from '../../base/errors.ts';
import { sqliteReason, writeError } from '../../sqlite/error.ts';
import { toPlainError } from '../../workers/protocol.ts';
import {
  admissionsOf,
  releasedHoldError,
  type Admission,
  type Charge,
  type CountedRequest,
  type FoundKey,
  type HeldCredits,
  type Settlement,
} from '../shared/metering.ts';
import type { Shortage } from '../store.ts';
import type { CallOutcome, MeteringBatch, MeteringSettings } from './metering-protocol.ts';

/** A charge in the ledger. */
type Entry = readonly [accountId: string, charge: number, operation: string, reference: string];

/**
 * Size of the log, in pages (16 MB), before it is moved to the database: a page that many requests changed is moved
 * only once.
 */
const CHECKPOINT_PAGES = 4_096;

/**
 * The metering on a separate connection, with prepared statements in plain SQL, because they are most of a server's
 * work for a short text. A batch is one transaction. It survives if the process is killed; the caller waits for the
 * disk.
 */
export class MeteringStatements {
  readonly #connection: Sqlite.Database;
  readonly #settings: MeteringSettings;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(connection: Sqlite.Database, settings: MeteringSettings) {
    this.#connection = connection;
    this.#settings = settings;
    this.#statements = prepare(connection, settings.windowMs !== undefined);
    connection.exec('pragma synchronous = normal');
    connection.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  }

  /** Never throws. If one call causes an error, the others are executed without it. */
  perform(batch: MeteringBatch): readonly CallOutcome[] {
    const { calls } = batch;
    try {
      return this.#commit(batch);
    } catch (error) {
      if (sqliteReason(error) === undefined && calls.length > 1)
        return calls.flatMap((call) => this.perform({ ...batch, calls: [call] }));
      const failed = { error: toPlainError(writeError(error)) };
      return calls.map(() => failed);
    }
  }

  #commit(batch: MeteringBatch): readonly CallOutcome[] {
    const { calls, now } = batch;
    // Looking up keys writes nothing.
    const writes = this.#settings.windowMs !== undefined || calls.some(([kind]) => kind !== 'admit');
    if (!writes) return this.#answer(batch, []);
    const { begin, commit, ledger } = this.#statements;
    begin.run();
    try {
      const entries: Entry[] = [];
      const outcomes = this.#answer(batch, entries);
      if (entries.length > 0) ledger.run([JSON.stringify(entries), now]);
      commit.run();
      return outcomes;
    } catch (error) {
      // If the disk is full or fails, SQLite has already rolled back.
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
      throw error;
    }
  }

  /** @param entries receives the charges */
  #answer(batch: MeteringBatch, entries: Entry[]): readonly CallOutcome[] {
    const admissions = this.#admit(batch).values();
    const rich = this.#chargeTogether(batch.calls);
    return batch.calls.map((call): CallOutcome => {
      switch (call[0]) {
        case 'admit':
          return { value: admissions.next().value ?? null };
        case 'reserve':
          return this.#reserve(call[1]);
        case 'settle':
          return this.#settle(call[1], entries);
        case 'charge':
          return this.#charge(call[1], rich, entries);
        case 'count':
          return this.#count(call[1]);
        case 'probe':
          this.#statements.touch.run([batch.now, this.#settings.instanceId]);
      }
      return DONE;
    });
  }

  #admit({ calls, now, windowNow }: MeteringBatch): readonly (Admission | undefined)[] {
    const hashes = calls.flatMap((call) => (call[0] === 'admit' ? [call[1]] : []));
    if (hashes.length === 0) return [];
    const { windowMs } = this.#settings;
    const { windows, keys } = this.#statements;
    const asked = JSON.stringify(hashes);
    if (windowMs !== undefined)
      windows.run([asked, windowNow, windowNow - windowMs, windowNow + windowMs, now]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the column of the statement
    const [found] = keys.get([asked, now]) as readonly [string];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- likewise
    return admissionsOf(hashes, JSON.parse(found) as readonly FoundKey[]);
  }

  #reserve({ accountId, amount }: HeldCredits): CallOutcome {
    const { reserve, remaining, hold } = this.#statements;
    if (reserve.run([amount, accountId, amount]).changes > 0) {
      if (amount > 0) hold.run([this.#settings.instanceId, accountId, amount]);
      return DONE;
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the statement
    const row = remaining.get([accountId]) as Shortage | undefined;
    if (row) return { value: { remaining: row.remaining } };
    return { error: toPlainError(new DragomanError('not_found', 'there is no such account')) };
  }

  #settle(settlement: Settlement, entries: Entry[]): CallOutcome {
    const { accountId, amount, charge, operation, reference, successful } = settlement;
    const { release, settle } = this.#statements;
    const isHeld =
      amount === 0 || release.run([amount, this.#settings.instanceId, accountId, amount]).changes > 0;
    if (!isHeld) return { error: toPlainError(releasedHoldError()) };
    settle.run([amount, charge, successful ? 1 : 0, successful ? 0 : 1, accountId]);
    if (charge > 0) entries.push([accountId, charge, operation, reference]);
    return DONE;
  }

  /** Charges the accounts that can pay all their charges in the batch. @returns their ids */
  #chargeTogether(calls: MeteringBatch['calls']): ReadonlySet<string> {
    const charges = calls.flatMap((call) => (call[0] === 'charge' ? [call[1]] : []));
    if (charges.length === 0) return NOBODY;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the column of the statement
    const paid = this.#statements.spendTogether.all([JSON.stringify(charges)]) as readonly (readonly [
      string,
    ])[];
    return new Set(paid.map(([accountId]) => accountId));
  }

  /** @param rich the accounts that have paid already */
  #charge(
    [accountId, charge, operation, reference, successful]: Charge,
    rich: ReadonlySet<string>,
    entries: Entry[],
  ): CallOutcome {
    const counts = [successful ? 1 : 0, successful ? 0 : 1];
    const isPaid =
      rich.has(accountId) || this.#statements.spend.run([charge, ...counts, accountId, charge]).changes > 0;
    if (!isPaid) return { value: false };
    if (charge > 0) entries.push([accountId, charge, operation, reference]);
    return { value: true };
  }

  #count({ accountId, successful }: CountedRequest): CallOutcome {
    this.#statements.settle.run([0, 0, successful ? 1 : 0, successful ? 0 : 1, accountId]);
    return DONE;
  }
}

const DONE: CallOutcome = { value: null };
const NOBODY: ReadonlySet<string> = new Set();

const IS_REFUSED = (now: string): string => `(revoked_at is not null or ifnull(expires_at <= ${now}, 0))`;

/** Calling a statement costs as much as its work, so statements that take a JSON array handle many calls at once. */
function prepare(connection: Sqlite.Database, hasWindows: boolean) {
  return {
    begin: connection.prepare('begin immediate'),
    commit: connection.prepare('commit'),
    touch: connection.prepare('update instances set started_at = ? where id = ?'),
    keys: connection
      .prepare(
        `select json_group_array(json_array(hash, keys.id, account_id, ${IS_REFUSED('?2')}, max_concurrency,
          balance - reserved, ${hasWindows ? 'started_at, requests - asked' : 'null, null'}))
        from (select value, count(*) as asked from json_each(?1) group by value)
        join keys on hash = value join accounts on accounts.id = account_id
        left join rate_windows on key_id = keys.id`,
      )
      .raw(),
    // A window that starts further in the future than its length dates from before the clock was set back.
    windows: connection.prepare(
      `insert into rate_windows (key_id, started_at, requests)
      select keys.id, ?2, count(*) from json_each(?1) join keys on hash = value
      where not ${IS_REFUSED('?5')} group by keys.id
      on conflict (key_id) do update set
        started_at = iif(started_at <= ?3 or started_at > ?4, ?2, started_at),
        requests = excluded.requests + iif(started_at <= ?3 or started_at > ?4, 0, requests)`,
    ),
    // The update contains the condition, so other processes cannot interfere.
    reserve: connection.prepare(
      'update accounts set reserved = reserved + ? where id = ? and balance - reserved >= ?',
    ),
    remaining: connection.prepare('select balance - reserved as remaining from accounts where id = ?'),
    hold: connection.prepare(`
      insert into holds (instance_id, account_id, amount) values (?, ?, ?)
      on conflict (instance_id, account_id) do update set amount = amount + excluded.amount`),
    release: connection.prepare(
      'update holds set amount = amount - ? where instance_id = ? and account_id = ? and amount >= ?',
    ),
    settle: connection.prepare(`
      update accounts set reserved = reserved - ?, balance = balance - ?,
        requests_successful = requests_successful + ?, requests_failed = requests_failed + ? where id = ?`),
    spend: connection.prepare(`
      update accounts set balance = balance - ?,
        requests_successful = requests_successful + ?, requests_failed = requests_failed + ?
      where id = ? and balance - reserved >= ?`),
    spendTogether: connection
      .prepare(
        `update accounts set balance = balance - charge,
          requests_successful = requests_successful + successful, requests_failed = requests_failed + failed
        from (select value ->> 0 as account, sum(value ->> 1) as charge, sum(value ->> 4) as successful,
          sum(not value ->> 4) as failed from json_each(?) group by account)
        where id = account and balance - reserved >= charge returning id`,
      )
      .raw(),
    ledger: connection.prepare(`
      insert into ledger (account_id, amount, operation, reference, created_at)
      select value ->> 0, -(value ->> 1), value ->> 2, value ->> 3, ?2 from json_each(?1)`),
  };
}
