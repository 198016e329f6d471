import { randomUUID } from 'node:crypto';
import type { OwnResources, ResourceStore, StoredTranslation } from '../resource-store.ts';
import type { Database } from './database.ts';

/** Maximum number of translations in a memory. */
const MOST_KEPT = 100_000;
/** How many new translations are stored before the oldest are removed. */
const UNCOUNTED = 1_000;
const ROWS = 200;

export function resourceStore(database: Database): ResourceStore {
  const { sql } = database;
  const storeSome = entryStore(database);
  return {
    async list() {
      const glossaries = await sql.selectFrom('account_glossaries').select(['account_id', 'id']).execute();
      const memories = await sql.selectFrom('account_memories').select(['account_id', 'id']).execute();
      const own = new Map<string, OwnResources>();
      for (const { account_id: accountId, id } of glossaries)
        own.set(accountId, { accountId, glossaryId: id });
      for (const { account_id: accountId, id } of memories)
        own.set(accountId, { accountId, ...own.get(accountId), memoryId: id });
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

    setMemory: (accountId, isKept) =>
      database.write(async (sql) => {
        const row = { account_id: accountId, id: randomUUID() };
        const change = isKept
          ? sql
              .insertInto('account_memories')
              .values(row)
              .onConflict((conflict) => conflict.doNothing())
          : sql.deleteFrom('account_memories').where('account_id', '=', accountId);
        await change.execute();
      }),

    async countMemory(accountId) {
      const row = await sql
        .selectFrom('account_memories')
        .leftJoin('memory_entries', 'memory_id', 'id')
        .select(({ fn }) => fn.count<number>('digest').as('entries'))
        .where('account_id', '=', accountId)
        .groupBy('id')
        .executeTakeFirst();
      return row?.entries;
    },

    async findTranslations({ memoryId, source, target }, digests) {
      const rows = await sql
        .selectFrom('memory_entries')
        .select(['digest', 'content'])
        .where('memory_id', '=', memoryId)
        .where('source', '=', source)
        .where('target', '=', target)
        .where('digest', 'in', [...digests])
        .execute();
      return new Map(rows.map(({ digest, content }) => [digest, content]));
    },

    async storeTranslations(memory, translations) {
      // The last translation of a text wins, because a statement must not change a row twice.
      const entries = [...new Map(translations.map((entry) => [entry.digest, entry])).values()];
      for (let i = 0; i < entries.length; i += ROWS) await storeSome(memory, entries.slice(i, i + ROWS));
    },
  };
}

/** Stores translations in a memory, within its limit. */
function entryStore(database: Database) {
  /** By memory: the number stored since the oldest were removed. */
  const uncounted = new Map<string, number>();
  return async (
    { memoryId, source, target }: Parameters<ResourceStore['storeTranslations']>[0],
    entries: readonly StoredTranslation[],
  ): Promise<void> => {
    const count = (uncounted.get(memoryId) ?? UNCOUNTED) + entries.length;
    const isDue = count > UNCOUNTED;
    uncounted.set(memoryId, isDue ? 0 : count);
    await database.write(
      async (sql) => {
        // Locks the memory until all entries are stored; other calls that store entries wait.
        const memory = sql.selectFrom('account_memories').select('id').where('id', '=', memoryId);
        if (!(await database.coordination.lock(memory).executeTakeFirst())) return;
        const key = { memory_id: memoryId, source, target, stored_at: Date.now() };
        await sql
          .insertInto('memory_entries')
          .values(entries.map((entry) => ({ ...key, ...entry })))
          .onConflict((conflict) =>
            conflict.columns(['memory_id', 'source', 'target', 'digest']).doUpdateSet((row) => ({
              content: row.ref('excluded.content'),
              stored_at: row.ref('excluded.stored_at'),
            })),
          )
          .execute();
        if (!isDue) return;
        const own = sql.selectFrom('memory_entries').select('stored_at').where('memory_id', '=', memoryId);
        const beyond = await own.orderBy('stored_at', 'desc').limit(1).offset(MOST_KEPT).executeTakeFirst();
        if (!beyond) return;
        await sql
          .deleteFrom('memory_entries')
          .where('memory_id', '=', memoryId)
          .where('stored_at', '<=', beyond.stored_at)
          .execute();
      },
      { durable: false },
    );
  };
}
