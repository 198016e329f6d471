import { randomUUID } from 'node:crypto';
import type { OwnResources, ResourceStore } from '../resource-store.ts';
import type { Database } from './database.ts';

export function resourceStore(database: Database): ResourceStore {
  const { sql } = database;
  return {
    async list() {
      const glossaries = await sql.selectFrom('account_glossaries').select(['account_id', 'id']).execute();
      const own = new Map<string, OwnResources>();
      for (const { account_id: accountId, id } of glossaries)
        own.set(accountId, { accountId, glossaryId: id });
      return own;
    },

    async glossaryOf(accountId) {
      const query = sql
        .selectFrom('account_glossaries')
        .select('content')
        .where('account_id', '=', accountId);
      return (await query.executeTakeFirst())?.content;
    },

    setGlossary: (accountId, content) =>
      database.write(async (sql) => {
        await sql.deleteFrom('account_glossaries').where('account_id', '=', accountId).execute();
        if (content === undefined) return;
        const row = { account_id: accountId, id: randomUUID(), content };
        await sql.insertInto('account_glossaries').values(row).execute();
      }),
  };
}
