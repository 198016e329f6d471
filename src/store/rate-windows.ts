import { Batch } from './batch.ts';
import type { Database, Sql } from './database.ts';

export interface RateWindowOptions {
  /** Requests that a key may make in a window; 0 for any number. */
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Where a key stands after a request. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Requests of this window with this one; refused ones count. 0 where nothing is counted. */
  readonly made: number;
  /** {@link UNLIMITED} where there is no limit. */
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** The limit where there is none: a number, so that a client that reads it never waits. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** More rows make a statement longer and nothing faster. */
const ROWS_PER_STATEMENT = 100;

interface Window {
  readonly startedAt: number;
  readonly requests: number;
}

/**
 * Counts the requests of each key in fixed windows that begin with the key's first request. The counts are in the
 * store: all processes count together, and a restart is no way round the limit. A power cut may be.
 */
export class RateWindows {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #batch: Batch<string, RateDecision>;

  constructor(database: Database, { limit, windowMs, now = Date.now }: RateWindowOptions) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#now = now;
    this.#batch = new Batch(database, (sql, keyIds) => this.#count(sql, keyIds), { durable: false });
  }

  /** Counts a request of a key, and returns whether it may be made. */
  async take(keyId: string): Promise<RateDecision> {
    if (this.#limit > 0) return this.#batch.add(keyId);
    const resetAt = this.#now() + this.#windowMs;
    return { allowed: true, made: 0, limit: UNLIMITED, remaining: UNLIMITED, resetAt };
  }

  async #count(sql: Sql, keyIds: readonly string[]): Promise<readonly RateDecision[]> {
    const counts = new Map<string, number>();
    for (const keyId of keyIds) counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    const windows = await countRequests(sql, [...counts], this.#now(), this.#windowMs);
    const seen = new Map<string, number>();
    return keyIds.map((keyId) => {
      const place = (seen.get(keyId) ?? 0) + 1;
      seen.set(keyId, place);
      const { startedAt, requests } = windows.get(keyId) ?? { startedAt: 0, requests: 0 };
      const made = requests - (counts.get(keyId) ?? 0) + place;
      return {
        allowed: made <= this.#limit,
        made,
        limit: this.#limit,
        remaining: Math.max(0, this.#limit - made),
        resetAt: startedAt + this.#windowMs,
      };
    });
  }
}

/** Adds to the windows of keys, or begins new ones, and returns their counts. */
async function countRequests(
  sql: Sql,
  counts: readonly (readonly [keyId: string, requests: number])[],
  now: number,
  windowMs: number,
): Promise<ReadonlyMap<string, Window>> {
  const windows = new Map<string, Window>();
  for (let start = 0; start < counts.length; start += ROWS_PER_STATEMENT) {
    const rows = await sql
      .insertInto('rate_windows')
      .values(
        counts
          .slice(start, start + ROWS_PER_STATEMENT)
          .map(([keyId, requests]) => ({ key_id: keyId, started_at: now, requests })),
      )
      .onConflict((conflict) =>
        conflict.column('key_id').doUpdateSet((eb) => {
          // A window that begins more than its length from now was begun before the clock was set back.
          const ended = eb.or([
            eb('rate_windows.started_at', '<=', now - windowMs),
            eb('rate_windows.started_at', '>', now + windowMs),
          ]);
          const count = eb('rate_windows.requests', '+', eb.ref('excluded.requests'));
          return {
            started_at: eb.case().when(ended).then(now).else(eb.ref('rate_windows.started_at')).end(),
            requests: eb.case().when(ended).then(eb.ref('excluded.requests')).else(count).end(),
          };
        }),
      )
      .returning(['key_id', 'started_at', 'requests'])
      .execute();
    for (const { key_id, started_at, requests } of rows) {
      windows.set(key_id, { startedAt: started_at, requests });
    }
  }
  return windows;
}
