import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/shared/database.ts';
import { accountWith, audit, openStore, sqlitePlace, temporaryDirectory } from './harness.ts';
import { processesOf, type WorkedProcess } from '../sqlite/worked-process.ts';

/** Real processes on one store, killed without warning. */

const start = processesOf(join(import.meta.dirname, 'store-process.ts'));

async function chargesIn({ sql }: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.selectFrom('ledger').selectAll().where('amount', '<', 0).execute();
  return new Map(rows.map(({ reference, amount }) => [reference ?? '', -amount]));
}

/** Every `settled` line of a process, as in the ledger; settlements of zero leave nothing there. */
function settlementsOf({ lines }: WorkedProcess): readonly (readonly [reference: string, charge: number])[] {
  return lines.map((line) => {
    const [, charge = '', reference = ''] = /^settled (\d+) (.+)$/.exec(line) ?? [];
    if (reference === '') throw new Error(`the process says: ${line}`);
    return [reference, Number(charge)];
  });
}

describe('processes on one store', () => {
  it('lose nothing acknowledged, and hold nothing, when killed', async () => {
    const directory = temporaryDirectory();
    const { store, database, snapshot } = await openStore(() => sqlitePlace(directory));
    const { id } = await accountWith(store, 1_000_000);
    const settled: (readonly [string, number])[] = [];
    for (let round = 0; round < 5; round++) {
      const both = await Promise.all([start('spend', directory, id), start('spend', directory, id)]);
      for (const one of both) one.begin();
      for (const one of both) {
        await one.said(Math.random() * 80);
        one.kill();
        await one.ended;
        settled.push(...settlementsOf(one));
        // Each process is either still registered with its reservations, or completely gone.
        await audit({ snapshot });
      }
      const instance = await store.register();
      const { reserved } = await database.sql
        .selectFrom('accounts')
        .select('reserved')
        .executeTakeFirstOrThrow();
      expect(reserved).toBe(0);
      expect(readdirSync(join(directory, 'instances'))).toEqual([`${instance.id}.lock`]);
      await audit({ snapshot });
      await instance.close();
    }
    const charges = await chargesIn(database);
    for (const [reference, charge] of settled) expect(charges.get(reference) ?? 0, reference).toBe(charge);
    expect(settled.length).toBeGreaterThan(0);
  });

  it('leave nothing when killed during start or stop', async () => {
    const directory = temporaryDirectory();
    const { store, database, snapshot } = await openStore(() => sqlitePlace(directory));
    const { id } = await accountWith(store, 1_000);
    const all = await Promise.all(Array.from({ length: 4 }, () => start('churn', directory, id)));
    const watching = await store.register();
    for (const one of all) one.begin();
    for (const one of all) {
      await one.said(2 + Math.random() * 20);
      one.kill();
      await one.ended;
      expect(new Set(one.lines)).toEqual(new Set(['registered', 'closed']));
      await watching.reap();
      await audit({ snapshot });
    }
    expect(readdirSync(join(directory, 'instances'))).toEqual([`${watching.id}.lock`]);
    expect(await database.sql.selectFrom('instances').select('id').execute()).toEqual([{ id: watching.id }]);
    const { reserved } = await database.sql
      .selectFrom('accounts')
      .select('reserved')
      .executeTakeFirstOrThrow();
    expect(reserved).toBe(0);
    await watching.close();
  });

  it('share 100 credits among 200 requests exactly', async () => {
    const directory = temporaryDirectory();
    const { store, database, snapshot } = await openStore(() => sqlitePlace(directory));
    const { id } = await accountWith(store, 100);
    const both = await Promise.all([start('burst', directory, id), start('burst', directory, id)]);
    for (const one of both) one.begin();
    await Promise.all(both.map(({ ended }) => ended));
    const served = both.map(({ lines }) => Number(/^served (\d+)$/.exec(lines.join())?.[1]));
    expect(served[0]! + served[1]!).toBe(100);
    const row = await database.sql.selectFrom('accounts').selectAll().executeTakeFirst();
    expect(row).toMatchObject({ balance: 0, reserved: 0, requests_successful: 100 });
    await audit({ snapshot });
  });

  it('can create the same store at the same moment', async () => {
    const directory = temporaryDirectory();
    const all = await Promise.all(Array.from({ length: 3 }, () => start('open', directory)));
    for (const one of all) one.begin(String(Date.now() + 50));
    await Promise.all(all.map(({ ended }) => ended));
    expect(all.map(({ lines }) => lines)).toEqual([['opened'], ['opened'], ['opened']]);
  });
});
