import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import { DragomanError } from '../../base/errors.ts';
import { nearest, withSuggestion } from '../../base/nearest.ts';
import type {
  Account,
  AccountStore,
  AccountUsage,
  CreatedAccount,
  KeyInfo,
  NewAccount,
} from '../account-store.ts';
import { recordEntry } from './credits.ts';
import type { Coordination, Database, Sql } from './database.ts';
import type { AccountTable, KeyTable, Schema } from './schema.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Lets people and secret scanners recognize a key, and keeps a key from looking like an option. */
const KEY_PREFIX = 'drg_';
const KEY_BYTES = 32;
const SHOWN_CHARACTERS = KEY_PREFIX.length + 6;

export function accountStore(database: Database): AccountStore {
  const { sql } = database;
  /** Locks the account until the end of the transaction. */
  const lockAccount = (sql: Sql, email: string): Promise<Account> =>
    requireAccount(sql, email, database.coordination);
  const once = { once: true };
  return {
    create: (account) => database.write((sql) => createAccount(sql, account), once),

    createAll: (accounts) =>
      database.write(async (sql) => {
        const created = [];
        for (const account of accounts) created.push(await createAccount(sql, account));
        return created;
      }, once),

    async find(id) {
      const row = await sql.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toAccount(row);
    },

    require: (email) => requireAccount(sql, email),

    list: () => listAccounts(sql),

    grant: (email, amount) =>
      database.write(async (sql) => {
        const account = await lockAccount(sql, email);
        await requireValidKey(sql, account);
        await grant(sql, account, amount, Date.now());
        return requireAccount(sql, email);
      }, once),

    limit: (email, { jobs, bytes, concurrency }) =>
      database.write(async (sql) => {
        const { id } = await lockAccount(sql, email);
        const changed = {
          ...(jobs !== undefined && { max_jobs: jobs }),
          ...(bytes !== undefined && { max_job_bytes: bytes }),
          ...(concurrency !== undefined && { max_concurrency: concurrency }),
        };
        if (Object.keys(changed).length > 0)
          await sql.updateTable('accounts').set(changed).where('id', '=', id).execute();
        return requireAccount(sql, email);
      }),

    resetKey: (email, expiresAt) =>
      database.write(async (sql) => {
        const { id } = await lockAccount(sql, email);
        const now = Date.now();
        await revoke(sql, id, now);
        return addKey(sql, id, { now, expiresAt });
      }),

    revokeKeys: (email) =>
      database.write(async (sql) => {
        const { id } = await lockAccount(sql, email);
        return revoke(sql, id, Date.now());
      }),

    usage: ({ from, until }) => readUsage(sql, from, until),
  };
}

/** Creates an account with its first key in a transaction. */
async function createAccount(
  sql: Sql,
  { email, fullName, credits, expiresAt }: NewAccount,
): Promise<CreatedAccount> {
  const now = Date.now();
  const id = randomUUID();
  const { numInsertedOrUpdatedRows } = await sql
    .insertInto('accounts')
    .values({
      id,
      email,
      full_name: fullName,
      granted: 0,
      balance: 0,
      reserved: 0,
      requests_successful: 0,
      requests_failed: 0,
      webhook_secret: `whsec_${randomBytes(32).toString('base64')}`,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) {
    throw new DragomanError('usage', `${email} already has an account`, {
      hint: 'dragoman keys reset creates a new key; dragoman keys credit adds credits.',
    });
  }
  const key = await addKey(sql, id, { now, expiresAt });
  await grant(sql, await requireAccount(sql, email), credits, now);
  return { account: await requireAccount(sql, email), key };
}

async function readUsage(sql: Sql, from: number, until: number): Promise<readonly AccountUsage[]> {
  const rows = await sql
    .selectFrom('ledger')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select((eb) => [
      'email',
      'full_name',
      'operation',
      eb.fn.sum('amount').as('amount'),
      eb.fn.countAll<number | bigint | string>().as('charges'),
    ])
    .where('amount', '<', 0)
    .where('ledger.created_at', '>=', from)
    .where('ledger.created_at', '<', until)
    .groupBy(['email', 'full_name', 'operation'])
    .orderBy('email')
    .orderBy('operation')
    .execute();
  return rows.map(({ email, full_name, operation, amount, charges }) => ({
    email,
    fullName: full_name,
    operation,
    credits: -Number(amount),
    charges: Number(charges),
  }));
}

async function listAccounts(sql: Sql): ReturnType<AccountStore['list']> {
  const accounts = await sql.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
  const keys = await sql.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id').execute();
  const keysOf = new Map<string, KeyInfo[]>();
  for (const row of keys) {
    addTo(keysOf, row.account_id, toKeyInfo(row));
  }
  return accounts.map((row) => Object.assign(toAccount(row), { keys: keysOf.get(row.id) ?? [] }));
}

function toAccount(row: Selectable<AccountTable>): Account {
  return {
    id: row.id,
    email: row.email,
    fullName: row.full_name,
    granted: row.granted,
    balance: row.balance,
    reserved: row.reserved,
    requestsSuccessful: row.requests_successful,
    requestsFailed: row.requests_failed,
    webhookSecret: row.webhook_secret,
    limits: {
      ...(row.max_jobs !== null && { jobs: row.max_jobs }),
      ...(row.max_job_bytes !== null && { bytes: row.max_job_bytes }),
      ...(row.max_concurrency !== null && { concurrency: row.max_concurrency }),
    },
    createdAt: row.created_at,
  };
}

/** @throws DragomanError `not_found` */
async function requireAccount(
  sql: Sql,
  email: string,
  coordination?: Pick<Coordination, 'lock'>,
): Promise<Account> {
  const query = sql.selectFrom('accounts').selectAll().where('email', '=', email);
  const row = await (coordination?.lock(query) ?? query).executeTakeFirst();
  if (row) return toAccount(row);
  const rows = await sql.selectFrom('accounts').select('email').orderBy('email').execute();
  const suggestion = nearest(
    email,
    rows.map((row) => row.email),
  );
  const hint =
    rows.length === 0
      ? 'There are no accounts yet. Create one with dragoman keys create.'
      : 'dragoman keys list shows all accounts.';
  throw new DragomanError('not_found', `there is no account with the e-mail address ${email}`, {
    hint: withSuggestion(suggestion, hint),
  });
}

/** @throws DragomanError `usage`: without a valid key the credits could not be spent */
async function requireValidKey(sql: Sql, { id, email }: Account): Promise<void> {
  const valid = await sql
    .selectFrom('keys')
    .select('id')
    .where(isValid(id, Date.now()))
    .limit(1)
    .executeTakeFirst();
  if (valid) return;
  throw new DragomanError('usage', `${email} has no valid key to spend credits with`, {
    hint: `Create a new key first: dragoman keys reset --email ${email}`,
  });
}

function isValid(accountId: string, now: number) {
  return (eb: ExpressionBuilder<Schema, 'keys'>): Expression<SqlBool> =>
    eb.and([
      eb('account_id', '=', accountId),
      eb('revoked_at', 'is', null),
      eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
    ]);
}

async function grant(sql: Sql, account: Account, amount: number, now: number): Promise<void> {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new DragomanError('usage', 'credits must be a whole number of at least 0');
  }
  // Larger sums would no longer be exact.
  if (!Number.isSafeInteger(account.granted + amount)) {
    throw new DragomanError('usage', `an account cannot have more than ${Number.MAX_SAFE_INTEGER} credits`);
  }
  if (amount === 0) return;
  await recordEntry(sql, { accountId: account.id, amount, operation: 'grant', reference: null, now });
  await sql
    .updateTable('accounts')
    .set((eb) => ({ granted: eb('granted', '+', amount), balance: eb('balance', '+', amount) }))
    .where('id', '=', account.id)
    .execute();
}

/** Creates a key for an account in a transaction. */
async function addKey(
  sql: Sql,
  accountId: string,
  { now, expiresAt = null }: { readonly now: number; readonly expiresAt?: number | null | undefined },
): Promise<string> {
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  await sql
    .insertInto('keys')
    .values({
      id: randomUUID(),
      account_id: accountId,
      hash: hashKey(key),
      prefix: key.slice(0, SHOWN_CHARACTERS),
      created_at: now,
      revoked_at: null,
      expires_at: expiresAt,
    })
    .execute();
  return key;
}

function toKeyInfo({ id, prefix, created_at, revoked_at, expires_at }: Selectable<KeyTable>): KeyInfo {
  return {
    id,
    prefix,
    createdAt: created_at,
    ...(revoked_at !== null && { revokedAt: revoked_at }),
    ...(expires_at !== null && { expiresAt: expires_at }),
  };
}

async function revoke(sql: Sql, accountId: string, now: number): Promise<number> {
  const { numUpdatedRows } = await sql
    .updateTable('keys')
    .set({ revoked_at: now })
    .where(isValid(accountId, now))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Keys have 256 random bits: a slower hash than SHA-256 would not make them harder to guess. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}
