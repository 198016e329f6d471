import type Sqlite from 'libsql';
import { DragomanError } from '../../base/errors.ts';
import { sqliteReason, writeError } from '../../sqlite/error.ts';
import { toPlainError } from '../../workers/protocol.ts';
import {
  notHeld,
  type Admission,
  type Charge,
  type CountedRequest,
  type HeldCredits,
  type Settlement,
} from '../shared/metering.ts';
import type { Shortage } from '../store.ts';
import type { CallOutcome, MeteringBatch, MeteringCall, MeteringSettings } from './metering-protocol.ts';

/** The columns of a key and its account. Rows of frequent statements are arrays, because objects take twice as long. */
type KeyRow = readonly [
  keyId: string,
  accountId: string,
  isRefused: 0 | 1,
  maxConcurrency: number | null,
  spendable: number,
];

type WindowRow = readonly [startedAt: number, requests: number];

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
    this.#statements = prepare(connection);
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
    const { calls } = batch;
    // Looking up keys writes nothing.
    const writes = this.#settings.windowMs !== undefined || calls.some(([kind]) => kind !== 'admit');
    if (!writes) return calls.map((call) => this.#answer(call, batch));
    const { begin, commit } = this.#statements;
    begin.run();
    try {
      const outcomes = calls.map((call) => this.#answer(call, batch));
      commit.run();
      return outcomes;
    } catch (error) {
      // If the disk is full or fails, SQLite has already rolled back.
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
      throw error;
    }
  }

  #answer(call: MeteringCall, { now, windowNow }: MeteringBatch): CallOutcome {
    switch (call[0]) {
      case 'admit':
        return { value: this.#admit(call[1], now, windowNow) };
      case 'reserve':
        return this.#reserve(call[1]);
      case 'settle':
        return this.#settle(call[1], now);
      case 'charge':
        return this.#charge(call[1], now);
      case 'count':
        return this.#count(call[1]);
      case 'probe':
        this.#statements.touch.run([now, this.#settings.instanceId]);
    }
    return DONE;
  }

  #find(hash: string, now: number): Admission | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the statement
    const row = this.#statements.key.get([now, hash]) as KeyRow | undefined;
    if (!row) return undefined;
    const [keyId, accountId, isRefused, maxConcurrency, spendable] = row;
    return [keyId, accountId, isRefused !== 0, maxConcurrency, spendable];
  }

  #admit(hash: string, now: number, windowNow: number): Admission | undefined {
    const { windowMs } = this.#settings;
    const found = this.#find(hash, now);
    if (!found || windowMs === undefined) return found;
    const [keyId, accountId, isRevoked, maxConcurrency, spendable] = found;
    if (isRevoked) return found;
    const parameters = [keyId, windowNow, windowNow - windowMs, windowNow + windowMs];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the statement
    const [startedAt, requests] = this.#statements.window.get(parameters) as WindowRow;
    return [keyId, accountId, isRevoked, maxConcurrency, spendable, startedAt, requests];
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

  #settle(settlement: Settlement, now: number): CallOutcome {
    const { accountId, amount, charge, operation, reference, successful } = settlement;
    const { release, settle, charge: insert } = this.#statements;
    const isHeld =
      amount === 0 || release.run([amount, this.#settings.instanceId, accountId, amount]).changes > 0;
    if (!isHeld) return { error: toPlainError(notHeld()) };
    settle.run([amount, charge, successful ? 1 : 0, successful ? 0 : 1, accountId]);
    if (charge > 0) insert.run([accountId, -charge, operation, reference, now]);
    return DONE;
  }

  #charge([accountId, charge, operation, reference, successful]: Charge, now: number): CallOutcome {
    const { spend, charge: insert } = this.#statements;
    const counts = [successful ? 1 : 0, successful ? 0 : 1];
    if (spend.run([charge, ...counts, accountId, charge]).changes === 0) return { value: false };
    if (charge > 0) insert.run([accountId, -charge, operation, reference, now]);
    return { value: true };
  }

  #count({ accountId, successful }: CountedRequest): CallOutcome {
    this.#statements.settle.run([0, 0, successful ? 1 : 0, successful ? 0 : 1, accountId]);
    return DONE;
  }
}

const DONE: CallOutcome = { value: undefined };

function prepare(connection: Sqlite.Database) {
  return {
    begin: connection.prepare('begin immediate'),
    commit: connection.prepare('commit'),
    touch: connection.prepare('update instances set started_at = ? where id = ?'),
    key: connection
      .prepare(
        `select keys.id, account_id, revoked_at is not null or ifnull(expires_at <= ?, 0), max_concurrency,
          balance - reserved
        from keys join accounts on accounts.id = account_id where hash = ?`,
      )
      .raw(),
    // A window that starts further in the future than its length dates from before the clock was set back.
    window: connection
      .prepare(
        `insert into rate_windows (key_id, started_at, requests) values (?1, ?2, 1)
        on conflict (key_id) do update set
          started_at = iif(started_at <= ?3 or started_at > ?4, ?2, started_at),
          requests = iif(started_at <= ?3 or started_at > ?4, 1, requests + 1)
        returning started_at, requests`,
      )
      .raw(),
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
    charge: connection.prepare(
      'insert into ledger (account_id, amount, operation, reference, created_at) values (?, ?, ?, ?, ?)',
    ),
  };
}
