import fc from 'fast-check';
import { sql as raw } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { AccountResources } from '../../src/resources/account-resources.ts';
import { WorkerResources } from '../../src/resources/worker-resources.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import type { OwnResources } from '../../src/store/resource-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { TranslationMemory } from '../../src/pipeline/memory.ts';
import { accountWith, openStore, STORES } from '../store/harness.ts';

const { signal } = new AbortController();
const fr = { source: 'en', target: 'fr' };
const EMAILS = ['anna@example.org', 'ben@example.org', 'cleo@example.org'];

/** An engine that never gives the same answer twice. */
function unique() {
  const pseudo = createPseudoEngine();
  const state = { calls: 0 };
  const engine = {
    ...pseudo,
    isPseudo: false,
    translate: ({ texts }: { readonly texts: readonly string[] }) =>
      Promise.resolve(
        texts.map((text) => ({ translation: `${text} no. ${++state.calls}`, engine: 'unique' })),
      ),
  };
  return { engine, state };
}

/** Translates like a server's worker that has just started. */
async function translate(
  { resources: store }: Store,
  accountId: string,
  text: string,
  {
    engine,
    memory,
  }: { readonly engine: ReturnType<typeof unique>['engine']; readonly memory?: TranslationMemory },
): Promise<string> {
  const warnings: unknown[] = [];
  const log = { warn: (fields: unknown) => void warnings.push(fields) };
  const resources = new AccountResources({ store, memory, log });
  const own = await resources.own(accountId);
  const worker = new WorkerResources({ hasMemory: memory !== undefined });
  const used = await worker.of(own, (question) => resources.answer(question));
  const service = createLocalService({ ...used, engine });
  const { translations } = await service.translate({ text, ...fr }, { signal });
  expect(warnings).toEqual([]);
  return translations.translation;
}

describe.each(STORES)('the memory of an account ($name)', ({ place }) => {
  it('serves only its account, even if accounts alternate', async () => {
    const { store } = await openStore(place);
    const { engine, state } = unique();
    const ids: string[] = [];
    for (const email of EMAILS) ids.push((await accountWith(store, 0, email)).id);
    const account = fc.nat({ max: ids.length - 1 });
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.tuple(account, fc.constantFrom('Hello', 'Hello {name}!', 'One <b>more</b>')),
      },
      { weight: 1, arbitrary: fc.tuple(account, fc.boolean()) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const known = new Map<string, Map<string, string> | undefined>();
        for (const id of ids) await store.resources.setMemory(id, false);
        for (const [i, what] of steps) {
          const id = ids[i] ?? '';
          if (typeof what === 'boolean') {
            await store.resources.setMemory(id, what);
            known.set(id, what ? (known.get(id) ?? new Map<string, string>()) : undefined);
            continue;
          }
          const before = state.calls;
          const answer = await translate(store, id, what, { engine });
          const expected = known.get(id)?.get(what);
          if (expected === undefined) expect(state.calls).toBeGreaterThan(before);
          else expect([answer, state.calls]).toEqual([expected, before]);
          known.get(id)?.set(what, answer);
        }
        for (const id of ids) expect(await store.resources.countMemory(id)).toBe(known.get(id)?.size);
      }),
      { numRuns: 15 },
    );
  });

  it('returns nothing that does not verify', async () => {
    const { store, database } = await openStore(place);
    const { engine, state } = unique();
    const { id } = await accountWith(store, 0);
    await store.resources.setMemory(id, true);
    for (const content of [
      '["unique","Salut <x id=\\"1\\"/>, <x id=\\"9\\"/>"]',
      '["unique",""]',
      '["unique"]',
    ]) {
      await translate(store, id, 'Hello {name}', { engine });
      await database.write((sql) => sql.updateTable('memory_entries').set({ content }).execute());
      const before = state.calls;
      expect(await translate(store, id, 'Hello {name}', { engine })).toContain('{name}');
      expect(state.calls).toBeGreaterThan(before);
    }
  });

  it('is searched after the read-only memory of the server, and skipped if it fails', async () => {
    const { store } = await openStore(place);
    const { engine } = unique();
    const { id } = await accountWith(store, 0);
    await store.resources.setMemory(id, true);
    const memory: TranslationMemory = {
      find: (messages) =>
        Promise.resolve(
          messages.map(({ segments }) =>
            segments[0] === 'Hello' ? { translations: ['Salut'], origin: 'human' as const } : undefined,
          ),
        ),
      hasSimilar: () => Promise.resolve(false),
      findSimilar: () => Promise.reject(new Error('not asked')),
      store: () => Promise.reject(new Error('not asked')),
    };
    expect(await translate(store, id, 'Hello', { engine, memory })).toBe('Salut');
    const own = await translate(store, id, 'Goodbye', { engine, memory });
    expect(await translate(store, id, 'Goodbye', { engine, memory })).toBe(own);
    expect(await store.resources.countMemory(id)).toBe(1);

    const warnings: unknown[] = [];
    const broken = new AccountResources({
      store: { ...store.resources, findTranslations: () => Promise.reject(new Error('broken')) },
      log: { warn: (fields) => void warnings.push(fields) },
    });
    const message = { segments: ['Hello'], placeholders: [], category: '', context: '' };
    expect(await broken.answer({ find: [message], pair: fr, memoryId: 'any' })).toEqual({
      found: [undefined],
    });
    expect(warnings).toHaveLength(1);
  });

  it('keeps the last 100,000 translations', async () => {
    const { store, database, open } = await openStore(place);
    const { id } = await accountWith(store, 0);
    const other = await accountWith(store, 0, 'ben@example.org');
    for (const account of [id, other.id]) await store.resources.setMemory(account, true);
    const names = await store.resources.list();
    await database.write((sql) =>
      raw`
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100050)
        insert into memory_entries (memory_id, source, target, digest, content, stored_at)
        select account_memories.id, 'en', 'fr', 'd' || n, '[null,"x"]', n from numbers, account_memories`.execute(
        sql,
      ),
    );
    const memory = { memoryId: names.get(id)?.memoryId ?? '', ...fr };
    const { resources } = await open();
    await resources.storeTranslations(memory, [{ digest: 'new', content: '[null,"y"]' }]);
    expect(await resources.countMemory(id)).toBe(100_000);
    expect(
      [...(await resources.findTranslations(memory, ['d50', 'd51', 'd52', 'new'])).keys()].sort(),
    ).toEqual(['d52', 'new']);
    expect(await resources.countMemory(other.id)).toBe(100_050);
  });

  it('serves only its own direction, and stores nothing after it was turned off', async () => {
    const { store, database } = await openStore(place);
    const { resources } = store;
    const { id } = await accountWith(store, 0);
    await resources.setMemory(id, true);
    const memoryId = (await resources.list()).get(id)?.memoryId ?? '';
    const memory = { memoryId, ...fr };
    await resources.storeTranslations(memory, [
      { digest: 'a', content: '1' },
      { digest: 'a', content: '2' },
    ]);
    expect(await resources.findTranslations(memory, ['a', 'b'])).toEqual(new Map([['a', '2']]));
    expect(await resources.findTranslations({ ...memory, target: 'de' }, ['a'])).toEqual(new Map());
    expect(await resources.findTranslations({ ...memory, memoryId: 'another' }, ['a'])).toEqual(new Map());
    await resources.setMemory(id, true);
    expect(await resources.countMemory(id)).toBe(1);

    await resources.setMemory(id, false);
    await resources.storeTranslations(memory, [{ digest: 'late', content: '3' }]);
    const rows = await database.sql.selectFrom('memory_entries').selectAll().execute();
    expect([rows, await resources.countMemory(id)]).toEqual([[], undefined]);
  });
});

describe('the resources of an account', () => {
  interface PendingList {
    readonly resolve: (all: ReadonlyMap<string, OwnResources>) => void;
    readonly reject: (error: Error) => void;
  }

  /** A store that returns each list when the test releases it. */
  function slowStore() {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const lists: PendingList[] = [];
    const list = () =>
      new Promise<ReadonlyMap<string, OwnResources>>((resolve, reject) => lists.push({ resolve, reject }));
    const resources = new AccountResources({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only lists are asked for
      store: { list } as Store['resources'],
      log: { warn: () => undefined },
    });
    return { resources, lists };
  }

  const listOf = (glossaryId: string) => new Map([['a', { accountId: 'a', glossaryId }]]);

  it('are those of the newest list, even if an older one answers later', async () => {
    const { resources, lists } = slowStore();
    const first = resources.own('a');
    vi.advanceTimersByTime(5_001);
    const second = resources.own('a');
    lists[1]?.resolve(listOf('new'));
    expect(await second).toMatchObject({ glossaryId: 'new' });
    lists[0]?.resolve(listOf('old'));
    expect(await first).toMatchObject({ glossaryId: 'old' });
    expect(await resources.own('a')).toMatchObject({ glossaryId: 'new' });
  });

  it('are listed again only after a failure of the newest list', async () => {
    const { resources, lists } = slowStore();
    const first = resources.own('a');
    vi.advanceTimersByTime(5_001);
    const second = resources.own('a');
    lists[1]?.resolve(listOf('new'));
    await second;
    lists[0]?.reject(new Error('late'));
    await expect(first).rejects.toThrow('late');
    expect(await resources.own('a')).toMatchObject({ glossaryId: 'new' });
    vi.advanceTimersByTime(5_001);
    const third = resources.own('a');
    lists[2]?.reject(new Error('broken'));
    await expect(third).rejects.toThrow('broken');
    const fourth = resources.own('a');
    lists[3]?.resolve(listOf('newest'));
    expect(await fourth).toMatchObject({ glossaryId: 'newest' });
  });
});
