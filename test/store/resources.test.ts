import { describe, expect, it } from 'vitest';
import { accountWith, openStore, STORES } from './harness.ts';

describe.each(STORES)('the resources of accounts ($name)', ({ place }) => {
  it('include at most one glossary, under another name after each change', async () => {
    const { store, open } = await openStore(place);
    const { resources } = store;
    const [anna, ben] = [await accountWith(store, 0), await accountWith(store, 0, 'ben@example.org')];
    expect(await resources.list()).toEqual(new Map());
    expect(await resources.glossaryOf(anna.id)).toBeUndefined();

    const names = new Set<string | undefined>();
    for (const content of ['[1]', '["\\u0000 €"]', '["\\u0000 €"]']) {
      await resources.setGlossary(anna.id, content);
      const list = await (await open()).resources.list();
      expect([...list.keys()]).toEqual([anna.id]);
      expect(list.get(anna.id)?.accountId).toBe(anna.id);
      names.add(list.get(anna.id)?.glossaryId);
      expect(await resources.glossaryOf(anna.id)).toBe(content);
    }
    expect(names.size).toBe(3);
    expect(await resources.glossaryOf(ben.id)).toBeUndefined();

    await resources.setGlossary(anna.id, undefined);
    expect(await resources.list()).toEqual(new Map());
    expect(await resources.glossaryOf(anna.id)).toBeUndefined();
  });

  it('are removed with the account', async () => {
    const { store, database } = await openStore(place);
    const { id } = await accountWith(store, 0);
    await store.resources.setGlossary(id, '[]');
    await database.write((sql) => sql.deleteFrom('accounts').where('id', '=', id).execute());
    expect(await store.resources.glossaryOf(id)).toBeUndefined();
  });
});
