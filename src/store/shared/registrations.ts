import type { Coordination, Sql } from './database.ts';
import { endUnitsOfDead } from './deleted-units.ts';

/** Releases all holdings of a process, and removes it; returns whether it was registered. */
export async function forget(sql: Sql, coordination: Coordination, id: string): Promise<boolean> {
  // After this, the process cannot claim anything.
  await coordination.lock(sql.selectFrom('instances').select('id').where('id', '=', id)).execute();
  const running = sql
    .selectFrom('job_units')
    .select('position')
    .where('status', '=', 'running')
    .where('instance_id', '=', id);
  await coordination.lock(running.orderBy('job_id').orderBy('position')).execute();
  await sql
    .updateTable('job_units')
    .set({ status: 'pending', instance_id: null })
    .where('status', '=', 'running')
    .where('instance_id', '=', id)
    .execute();
  await endUnitsOfDead(sql, id, Date.now());
  const held = await sql
    .selectFrom('holds')
    .select(['account_id', 'amount'])
    .where('instance_id', '=', id)
    .orderBy('account_id')
    .execute();
  for (const { account_id, amount } of held) {
    if (amount === 0) continue;
    await sql
      .updateTable('accounts')
      .set((eb) => ({ reserved: eb('reserved', '-', amount) }))
      .where('id', '=', account_id)
      .execute();
  }
  await sql.deleteFrom('holds').where('instance_id', '=', id).execute();
  await sql
    .updateTable('webhook_deliveries')
    .set({ instance_id: null })
    .where('status', '=', 'pending')
    .where('instance_id', '=', id)
    .execute();
  const { numDeletedRows } = await sql.deleteFrom('instances').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The ids of all processes on the store. */
export async function registeredIds(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.selectFrom('instances').select('id').execute();
  return new Set(rows.map((row) => row.id));
}
