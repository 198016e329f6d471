import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import { requireAccount } from './account.ts';
import type { Database, Sql } from './database.ts';
import { KeyLookup } from './key-lookup.ts';
import type { KeyTable } from './schema.ts';

/** What may be shown of a key. The key itself is known to its owner only. */
export interface KeyInfo {
  readonly id: string;
  /** The first characters of the key, to distinguish keys. */
  readonly prefix: string;
  readonly createdAt: number;
  /** Absent while the key is valid. */
  readonly revokedAt?: number;
}

/** Who sent a key. Specification, Authentication 7 and 8: an unknown key and a revoked one get different answers. */
export type Caller =
  | { readonly state: 'active'; readonly keyId: string; readonly accountId: string }
  | { readonly state: 'revoked' }
  | { readonly state: 'unknown' };

/** Says whose it is to people and to scanners for secrets, and keeps a key from looking like an option. */
const KEY_PREFIX = 'drg_';
const KEY_BYTES = 32;
const SHOWN_CHARACTERS = KEY_PREFIX.length + 6;

const UNKNOWN: Caller = { state: 'unknown' };
const REVOKED: Caller = { state: 'revoked' };

/** One per store, for as long as it is open. */
const lookups = new WeakMap<Database, KeyLookup>();

/**
 * Finds out whose key it is, from the store as it is at this moment: a reset or revoked key is refused from the moment
 * that the command ends. The key is taken as it is; one with spaces around it is another key, and unknown.
 */
export async function findCaller(database: Database, key: string): Promise<Caller> {
  const hash = hashOf(key);
  let lookup = lookups.get(database);
  if (!lookup) lookups.set(database, (lookup = new KeyLookup(database)));
  const row = await lookup.find(hash);
  // The time of the index's comparison reveals nothing about a key, because the hash cannot be inverted.
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return UNKNOWN;
  if (row.revoked_at !== null) return REVOKED;
  return { state: 'active', keyId: row.id, accountId: row.account_id };
}

/**
 * Revokes all keys of an account and gives it a new one, which is given here and never again.
 *
 * @throws DragomanError `not_found`
 */
export async function resetKey(database: Database, email: string): Promise<string> {
  return database.write(async (sql) => {
    const { id } = await requireAccount(sql, email);
    const now = Date.now();
    await revoke(sql, id, now);
    return addKey(sql, id, now);
  });
}

/**
 * Revokes all keys of an account, and returns how many were valid until now.
 *
 * @throws DragomanError `not_found`
 */
export async function revokeKeys(database: Database, email: string): Promise<number> {
  return database.write(async (sql) => {
    const { id } = await requireAccount(sql, email);
    return revoke(sql, id, Date.now());
  });
}

/** Makes a key for an account, as part of a transaction. */
export async function addKey(sql: Sql, accountId: string, now: number): Promise<string> {
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  await sql
    .insertInto('keys')
    .values({
      id: randomUUID(),
      account_id: accountId,
      hash: hashOf(key),
      prefix: key.slice(0, SHOWN_CHARACTERS),
      created_at: now,
      revoked_at: null,
    })
    .execute();
  return key;
}

export function toKeyInfo({ id, prefix, created_at, revoked_at }: Selectable<KeyTable>): KeyInfo {
  const info = { id, prefix, createdAt: created_at };
  return revoked_at === null ? info : { ...info, revokedAt: revoked_at };
}

async function revoke(sql: Sql, accountId: string, now: number): Promise<number> {
  const { numUpdatedRows } = await sql
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Keys have 256 random bits: nothing slower than SHA-256 would make them harder to guess. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
