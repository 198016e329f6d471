import type { UnitClaim } from '../store.ts';
import type { Sql } from './database.ts';
import { held } from './job-units.ts';

export async function keepAnswers(sql: Sql, claim: UnitClaim, answers: string): Promise<void> {
  const { jobId: job_id, language: language_code } = claim;
  const { numUpdatedRows } = await held(sql, claim).set({ instance_id: claim.instanceId }).executeTakeFirst();
  if (numUpdatedRows > 0n)
    await sql.insertInto('unit_answers').values({ job_id, language_code, answers }).execute();
}

export async function keptAnswers(sql: Sql, { jobId, language }: UnitClaim): Promise<readonly string[]> {
  const rows = await sql
    .selectFrom('unit_answers')
    .select('answers')
    .where('job_id', '=', jobId)
    .where('language_code', '=', language)
    .orderBy('id')
    .execute();
  return rows.map(({ answers }) => answers);
}
