import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Database } from '../../src/store/shared/database.ts';
import { enqueueDelivery } from '../../src/store/shared/deliveries.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A store in its own directory, removed after the test. */
export async function openStore(): Promise<{ database: Database; directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-webhooks-'));
  const database = await openDatabase(directory);
  onTestFinished(async () => {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { database, directory };
}

export async function addAccount(database: Database, secret: string = SECRET): Promise<string> {
  const id = randomUUID();
  const account = { id, email: `${id}@example.com`, full_name: 'A', webhook_secret: secret, created_at: 0 };
  const zero = { granted: 0, balance: 0, reserved: 0, requests_successful: 0, requests_failed: 0 };
  await database.write((sql) =>
    sql
      .insertInto('accounts')
      .values({ ...account, ...zero })
      .execute(),
  );
  return id;
}

/** A job that ends now, with its webhook. */
export async function addJob(
  database: Database,
  { accountId, url, now }: { accountId: string; url: string; now: number },
): Promise<string> {
  const id = randomUUID();
  await database.write(async (sql) => {
    await sql
      .insertInto('jobs')
      .values({
        id,
        account_id: accountId,
        status: 'completed',
        filename: 'a.json',
        file_type: 'json',
        source_language: 'en',
        target_languages: '["fr"]',
        total_keys: 1,
        translated_keys: 1,
        failed_keys: 0,
        error_message: null,
        webhook_url: url,
        reserved: 0,
        created_at: now,
        updated_at: now,
        completed_at: now,
      })
      .execute();
    await enqueueDelivery(sql, { accountId, jobId: id, url, now });
  });
  return id;
}

export function rows(database: Database) {
  return database.sql.selectFrom('webhook_deliveries').selectAll().orderBy('created_at').execute();
}

/** A clock that moves on command. */
export class Clock {
  time = Date.now();
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();
  readonly now = (): number => this.time;
  readonly schedule = (run: () => void, delayMs: number): (() => void) => {
    const timer = { at: this.time + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  get timers(): number {
    return this.#timers.size;
  }

  /** Runs the timers that are due. */
  tick(elapsedMs = 0): void {
    this.time += elapsedMs;
    for (const timer of this.#timers) {
      if (timer.at > this.time) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }
}
