import type { UnitClaim } from '../store.ts';
import type { Sql } from './database.ts';
import { selectHeldUnit } from './job-units.ts';

export async function keepAnswers(sql: Sql, claim: UnitClaim, answers: string): Promise<void> {
  const { jobId: job_id, language: language_code } = claim;
  const { numUpdatedRows } = await selectHeldUnit(sql, claim)
    .set({ instance_id: claim.instanceId })
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    await sql.insertInto('unit_answers').values({ job_id, language_code, answers }).execute();
}

/** Rows per statement, small because SQLite blocks the process while it returns them. */
const PAGE = 8;

export async function* keptAnswers(sql: Sql, { jobId, language }: UnitClaim): AsyncGenerator<string> {
  let last = 0;
  for (;;) {
    const rows = await sql
      .selectFrom('unit_answers')
      .select(['id', 'answers'])
      .where('job_id', '=', jobId)
      .where('language_code', '=', language)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const { answers } of rows) yield answers;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < PAGE) return;
  }
}
