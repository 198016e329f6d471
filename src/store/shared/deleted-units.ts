import type { UnitClaim, UnitRow } from '../store.ts';
import { chargeReserved } from './credits.ts';
import type { Sql } from './database.ts';

/** Records the reserved credits of a running unit whose job is being deleted, for {@link endDeletedUnit}. */
export async function keepDeletedUnit(sql: Sql, unit: UnitRow, reserved: number): Promise<void> {
  const { job_id, language_code, account_id, instance_id, translated_keys } = unit;
  await sql
    .insertInto('deleted_units')
    .values({
      job_id,
      language_code,
      account_id,
      instance_id: instance_id ?? '',
      reserved,
      translated_keys: Math.min(translated_keys, reserved),
    })
    .execute();
}

/**
 * Charges the translated part of a unit whose job was deleted, and releases the rest. Happens once, because only the
 * process that ran the unit finds its row and removes it.
 *
 * @returns whether such a unit existed
 */
export async function endDeletedUnit(
  sql: Sql,
  { jobId, language, instanceId }: UnitClaim,
  translatedKeys: number,
  now: number,
): Promise<boolean> {
  const unit = await sql
    .deleteFrom('deleted_units')
    .where('job_id', '=', jobId)
    .where('language_code', '=', language)
    .where('instance_id', '=', instanceId)
    .returningAll()
    .executeTakeFirst();
  if (!unit) return false;
  await charge(sql, { ...unit, translated_keys: Math.max(unit.translated_keys, translatedKeys) }, now);
  return true;
}

/**
 * Like {@link endDeletedUnit}, with the recorded progress, for all units of a dead process and of processes that are
 * not registered.
 */
export async function endUnitsOfDead(sql: Sql, instanceId: string, now: number): Promise<void> {
  const units = await sql
    .deleteFrom('deleted_units')
    .where((row) =>
      row.or([
        row('instance_id', '=', instanceId),
        row('instance_id', 'not in', row.selectFrom('instances').select('instances.id')),
      ]),
    )
    .returningAll()
    .execute();
  const inOrder = units.toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1));
  for (const unit of inOrder) await charge(sql, unit, now);
}

async function charge(
  sql: Sql,
  unit: {
    readonly job_id: string;
    readonly account_id: string;
    readonly reserved: number;
    readonly translated_keys: number;
  },
  now: number,
): Promise<void> {
  await chargeReserved(sql, {
    accountId: unit.account_id,
    reserved: unit.reserved,
    charge: Math.min(unit.translated_keys, unit.reserved),
    operation: 'i18n',
    reference: unit.job_id,
    now,
  });
}
