import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  accountWith,
  audit,
  EMAIL,
  openInstance,
  openStore,
  sqlitePlace,
  STORES,
  temporaryDirectory,
} from './harness.ts';
import { isShortage } from '../../src/store/store.ts';

describe.each(STORES)('accounts ($name)', ({ place }) => {
  it('begin with a key, a webhook secret, and their credits in the ledger', async () => {
    const { store, snapshot } = await openStore(place);
    const { account, key } = await store.accounts.create({
      email: EMAIL,
      fullName: 'Anna Schmidt',
      credits: 1000,
    });
    expect(account).toMatchObject({
      email: EMAIL,
      fullName: 'Anna Schmidt',
      granted: 1000,
      balance: 1000,
      reserved: 0,
      requestsSuccessful: 0,
      requestsFailed: 0,
    });
    expect(account.webhookSecret).toMatch(/^whsec_/);
    expect(Buffer.from(account.webhookSecret.slice(6), 'base64')).toHaveLength(32);
    expect(key).toMatch(/^drg_[A-Za-z0-9_-]{43}$/);
    expect(await store.accounts.find(account.id)).toEqual(account);
    expect(await store.accounts.require(EMAIL)).toEqual(account);
    await audit({ snapshot });
  });

  it('are unique per address, even when two are created at once', async () => {
    const { store } = await openStore(place);
    const twice = await Promise.allSettled([accountWith(store, 1), accountWith(store, 1)]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const again = store.accounts.create({ email: EMAIL, fullName: 'Other', credits: 5 });
    await expect(again).rejects.toMatchObject({ code: 'usage', hint: expect.stringMatching(/keys reset/) });
    expect(await store.accounts.list()).toHaveLength(1);
  });

  it('are not found by another address, but the nearest one is suggested', async () => {
    const { store } = await openStore(place);
    const unknown = async (email: string): Promise<unknown> =>
      store.accounts.require(email).catch((error: unknown) => error);
    expect(await unknown(EMAIL)).toMatchObject({ code: 'not_found', hint: /keys create/ });
    await accountWith(store, 1);
    expect(await unknown('ana@example.org')).toMatchObject({
      code: 'not_found',
      hint: `Did you mean ${EMAIL}? dragoman keys list shows all accounts.`,
    });
    expect(await unknown('bernd@example.org')).toMatchObject({ code: 'not_found', hint: /keys list/ });
    expect(await store.accounts.find('nobody')).toBeUndefined();
  });

  it('get more credits, each grant with a row in the ledger', async () => {
    const { store, database, snapshot } = await openStore(place);
    await accountWith(store, 10);
    expect(await store.accounts.grant(EMAIL, 5)).toMatchObject({ granted: 15, balance: 15 });
    const rows = await database.sql
      .selectFrom('ledger')
      .select(['amount', 'operation', 'reference'])
      .execute();
    expect(rows).toEqual([
      { amount: 10, operation: 'grant', reference: null },
      { amount: 5, operation: 'grant', reference: null },
    ]);
    await audit({ snapshot });
  });

  it('get no credits while none of their keys is valid', async () => {
    const { store, snapshot } = await openStore(place);
    await accountWith(store, 10);
    await store.accounts.revokeKeys(EMAIL);
    const refused = { code: 'usage', hint: expect.stringContaining('keys reset') as string };
    await expect(store.accounts.grant(EMAIL, 5)).rejects.toMatchObject(refused);
    await store.accounts.resetKey(EMAIL, Date.now() - 1);
    await expect(store.accounts.grant(EMAIL, 5)).rejects.toMatchObject(refused);
    await store.accounts.resetKey(EMAIL, Date.now() + 60_000);
    expect(await store.accounts.grant(EMAIL, 5)).toMatchObject({ balance: 15 });
    await audit({ snapshot });
  });

  it('are created either all at once or not at all', async () => {
    const { store, instance } = await openInstance(place);
    const people = Array.from({ length: 50 }, (_, i) => ({
      email: `person${i}@example.org`,
      fullName: `Person ${i}`,
      credits: i,
    }));
    const created = await store.accounts.createAll(people);
    expect(created.map(({ account }) => account.email)).toEqual(people.map(({ email }) => email));
    expect(await instance.metering.admit(created[7]?.key ?? '')).toMatchObject({ spendable: 7 });
    const more = [{ email: 'new@example.org', fullName: 'New', credits: 1 }, ...people.slice(3, 4)];
    await expect(store.accounts.createAll(more)).rejects.toMatchObject({
      code: 'usage',
      message: 'person3@example.org already has an account',
    });
    expect(await store.accounts.list()).toHaveLength(50);
  });

  it('list the charges of a period by operation', async () => {
    const { store, instance, database } = await openInstance(place);
    const { id } = await accountWith(store, 100);
    const charge = async (amount: number, operation: string): Promise<void> => {
      const held = await instance.metering.reserve(id, amount);
      if (isShortage(held)) throw new Error('too few credits');
      await held.settle(amount, { operation, reference: 'r', successful: true });
    };
    await charge(3, 'translate');
    await charge(4, 'translate');
    await charge(5, 'batch');
    await database.sql.updateTable('ledger').set({ created_at: 1_000 }).where('amount', '=', -4).execute();
    await database.sql
      .updateTable('ledger')
      .set({ created_at: 2_000 })
      .where('amount', 'in', [-3, -5])
      .execute();
    const anna = { email: EMAIL, fullName: 'Anna Schmidt' };
    expect(await store.accounts.usage({ from: 1_000, until: 2_000 })).toEqual([
      { ...anna, operation: 'translate', credits: 4, charges: 1 },
    ]);
    expect(await store.accounts.usage({ from: 0, until: 2_001 })).toEqual([
      { ...anna, operation: 'batch', credits: 5, charges: 1 },
      { ...anna, operation: 'translate', credits: 7, charges: 2 },
    ]);
  });

  it.each([-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER])('cannot get %d more credits', async (amount) => {
    const { store, snapshot } = await openStore(place);
    await accountWith(store, 10);
    await expect(store.accounts.grant(EMAIL, amount)).rejects.toMatchObject({ code: 'usage' });
    const other = { email: 'b@example.org', fullName: 'B', credits: amount };
    if (amount !== Number.MAX_SAFE_INTEGER) {
      await expect(store.accounts.create(other)).rejects.toMatchObject({ code: 'usage' });
    }
    // A failure has left nothing behind.
    expect((await store.accounts.list())[0]).toMatchObject({ balance: 10, granted: 10 });
    await audit({ snapshot });
  });
});

describe.each(STORES)('keys ($name)', ({ place }) => {
  it('are accepted only with their exact characters', async () => {
    const { store, instance } = await openInstance(place);
    const { id, key } = await accountWith(store, 1);
    expect(await instance.metering.admit(key)).toEqual({
      state: 'active',
      keyId: expect.any(String),
      accountId: id,
      rate: expect.objectContaining({ allowed: true }) as unknown,
      spendable: 1,
    });
    const others = [
      ` ${key}`,
      `${key} `,
      `${key}\t`,
      key.toUpperCase(),
      key.slice(0, -1),
      '',
      `${key}\0`,
      'é',
    ];
    for (const other of others)
      expect(await instance.metering.admit(other), other).toEqual({ state: 'unknown' });
  });

  it('are refused from their expiry on', async () => {
    const { store, instance } = await openInstance(place);
    await accountWith(store, 1);
    const valid = await store.accounts.resetKey(EMAIL, Date.now() + 3_600_000);
    expect(await instance.metering.admit(valid)).toMatchObject({ state: 'active' });
    const expiresAt = Date.now() - 1;
    const expired = await store.accounts.resetKey(EMAIL, expiresAt);
    expect(await instance.metering.admit(expired)).toEqual({ state: 'revoked' });
    const [, , last] = (await store.accounts.list())[0]?.keys ?? [];
    expect(last).toMatchObject({ expiresAt });
    expect(last).not.toHaveProperty('revokedAt');
    expect(await store.accounts.revokeKeys(EMAIL)).toBe(0);
  });

  it('requested at the same time each get their own answer, with their current state', async () => {
    const { store, instance, open } = await openInstance(place);
    const other = await open();
    const anna = await accountWith(store, 1);
    const bernd = await accountWith(store, 1, 'bernd@example.org');
    const ask = async (): Promise<readonly string[]> => {
      const keys = [
        anna.key,
        bernd.key,
        'nobody',
        anna.key,
        ...Array.from({ length: 150 }, (_, i) => `${i}`),
      ];
      const callers = await Promise.all(keys.map((key) => instance.metering.admit(key)));
      expect(callers.slice(4).every(({ state }) => state === 'unknown')).toBe(true);
      return callers
        .slice(0, 4)
        .map((caller) => (caller.state === 'active' ? caller.accountId : caller.state));
    };
    expect(await ask()).toEqual([anna.id, bernd.id, 'unknown', anna.id]);
    await other.accounts.revokeKeys(EMAIL);
    expect(await ask()).toEqual(['revoked', bernd.id, 'unknown', 'revoked']);
  });

  it('are revoked and replaced by a reset immediately, even if they were revoked before', async () => {
    const { store, instance } = await openInstance(place);
    const { id, key } = await accountWith(store, 1);
    const second = await store.accounts.resetKey(EMAIL);
    expect(await instance.metering.admit(key)).toEqual({ state: 'revoked' });
    expect(await instance.metering.admit(second)).toMatchObject({ state: 'active', accountId: id });
    expect(await store.accounts.revokeKeys(EMAIL)).toBe(1);
    expect(await store.accounts.revokeKeys(EMAIL)).toBe(0);
    expect(await instance.metering.admit(second)).toEqual({ state: 'revoked' });
    const third = await store.accounts.resetKey(EMAIL);
    expect(await instance.metering.admit(third)).toMatchObject({ state: 'active', accountId: id });
    const [account] = await store.accounts.list();
    // Rows of the same millisecond are in any order.
    const states = account?.keys.map(({ prefix, revokedAt }): [string, boolean] => [
      prefix,
      revokedAt !== undefined,
    ]);
    expect(new Map(states)).toEqual(
      new Map([
        [key.slice(0, 10), true],
        [second.slice(0, 10), true],
        [third.slice(0, 10), false],
      ]),
    );
  });

  it('of another account stay valid', async () => {
    const { store, instance } = await openInstance(place);
    await accountWith(store, 1);
    const other = await accountWith(store, 1, 'bernd@example.org');
    await store.accounts.resetKey(EMAIL);
    await store.accounts.revokeKeys(EMAIL);
    expect(await instance.metering.admit(other.key)).toMatchObject({ state: 'active' });
  });

  it('of unknown accounts cannot be reset or revoked', async () => {
    const { store } = await openInstance(place);
    await expect(store.accounts.resetKey(EMAIL)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.accounts.revokeKeys(EMAIL)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('keys', () => {
  it('are nowhere in the files of the store', async () => {
    const directory = temporaryDirectory();
    const { store } = await openStore(() => sqlitePlace(directory));
    const { key } = await accountWith(store, 1);
    const second = await store.accounts.resetKey(EMAIL);
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(files).toContain('dragoman.db-wal');
    for (const file of files.filter((name) => name.startsWith('dragoman.db'))) {
      const bytes = readFileSync(join(directory, file)).toString('latin1');
      for (const secret of [key, second]) expect(bytes.includes(secret.slice(11)), file).toBe(false);
    }
  });
});
