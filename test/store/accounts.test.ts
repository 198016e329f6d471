import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createAccount,
  findAccount,
  grantCredits,
  listAccounts,
  requireAccountByEmail,
} from '../../src/store/accounts.ts';
import { findCaller, resetKey, revokeKeys } from '../../src/store/keys.ts';
import { accountWith, audit, EMAIL, openStore, temporaryDirectory } from './harness.ts';

describe('accounts', () => {
  it('begin with a key, a secret for webhooks, and their credits in the ledger', async () => {
    const database = await openStore();
    const { account, key } = await createAccount(database, {
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
    expect(await findAccount(database, account.id)).toEqual(account);
    expect(await requireAccountByEmail(database, EMAIL)).toEqual(account);
    await audit(database);
  });

  it('are one per address, also when two are made at once', async () => {
    const database = await openStore();
    const twice = await Promise.allSettled([accountWith(database, 1), accountWith(database, 1)]);
    expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const again = createAccount(database, { email: EMAIL, fullName: 'Other', credits: 5 });
    await expect(again).rejects.toMatchObject({ code: 'usage', hint: expect.stringMatching(/keys reset/) });
    expect(await listAccounts(database)).toHaveLength(1);
  });

  it('are not found by another address, but the one that was meant is named', async () => {
    const database = await openStore();
    const unknown = async (email: string): Promise<unknown> =>
      requireAccountByEmail(database, email).catch((error: unknown) => error);
    expect(await unknown(EMAIL)).toMatchObject({ code: 'not_found', hint: /keys create/ });
    await accountWith(database, 1);
    expect(await unknown('ana@example.org')).toMatchObject({
      code: 'not_found',
      hint: `Did you mean ${EMAIL}?`,
    });
    expect(await unknown('bernd@example.org')).toMatchObject({ code: 'not_found', hint: /keys list/ });
    expect(await findAccount(database, 'nobody')).toBeUndefined();
  });

  it('get more credits, each grant with a row in the ledger', async () => {
    const database = await openStore();
    await accountWith(database, 10);
    expect(await grantCredits(database, EMAIL, 5)).toMatchObject({ granted: 15, balance: 15 });
    const rows = await database.sql
      .selectFrom('ledger')
      .select(['amount', 'operation', 'reference'])
      .execute();
    expect(rows).toEqual([
      { amount: 10, operation: 'grant', reference: null },
      { amount: 5, operation: 'grant', reference: null },
    ]);
    await audit(database);
  });

  it.each([-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER])('refuse %d as more credits', async (amount) => {
    const database = await openStore();
    await accountWith(database, 10);
    await expect(grantCredits(database, EMAIL, amount)).rejects.toMatchObject({ code: 'usage' });
    const other = { email: 'b@example.org', fullName: 'B', credits: amount };
    if (amount !== Number.MAX_SAFE_INTEGER) {
      await expect(createAccount(database, other)).rejects.toMatchObject({ code: 'usage' });
    }
    // What failed has left nothing behind.
    expect((await listAccounts(database))[0]).toMatchObject({ balance: 10, granted: 10 });
    await audit(database);
  });
});

describe('keys', () => {
  it('are known by their exact characters only', async () => {
    const database = await openStore();
    const { id, key } = await accountWith(database, 1);
    expect(await findCaller(database, key)).toEqual({
      state: 'active',
      keyId: expect.any(String),
      accountId: id,
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
      expect(await findCaller(database, other), other).toEqual({ state: 'unknown' });
  });

  it('asked for at the same time are each answered for themselves, and as they are then', async () => {
    const directory = temporaryDirectory();
    const [database, other] = [await openStore(directory), await openStore(directory)];
    const anna = await accountWith(database, 1);
    const bernd = await accountWith(database, 1, 'bernd@example.org');
    const ask = async (): Promise<readonly string[]> => {
      const keys = [
        anna.key,
        bernd.key,
        'nobody',
        anna.key,
        ...Array.from({ length: 150 }, (_, i) => `${i}`),
      ];
      const callers = await Promise.all(keys.map((key) => findCaller(database, key)));
      expect(callers.slice(4).every(({ state }) => state === 'unknown')).toBe(true);
      return callers
        .slice(0, 4)
        .map((caller) => (caller.state === 'active' ? caller.accountId : caller.state));
    };
    expect(await ask()).toEqual([anna.id, bernd.id, 'unknown', anna.id]);
    await revokeKeys(other, EMAIL);
    expect(await ask()).toEqual(['revoked', bernd.id, 'unknown', 'revoked']);
  });

  it('are revoked by a reset, at once and also after a revoke', async () => {
    const database = await openStore();
    const { id, key } = await accountWith(database, 1);
    const second = await resetKey(database, EMAIL);
    expect(await findCaller(database, key)).toEqual({ state: 'revoked' });
    expect(await findCaller(database, second)).toMatchObject({ state: 'active', accountId: id });
    expect(await revokeKeys(database, EMAIL)).toBe(1);
    expect(await revokeKeys(database, EMAIL)).toBe(0);
    expect(await findCaller(database, second)).toEqual({ state: 'revoked' });
    const third = await resetKey(database, EMAIL);
    expect(await findCaller(database, third)).toMatchObject({ state: 'active', accountId: id });
    const [account] = await listAccounts(database);
    expect(account?.keys.map(({ prefix, revokedAt }) => [prefix, revokedAt !== undefined])).toEqual([
      [key.slice(0, 10), true],
      [second.slice(0, 10), true],
      [third.slice(0, 10), false],
    ]);
  });

  it('of another account stay valid', async () => {
    const database = await openStore();
    await accountWith(database, 1);
    const other = await accountWith(database, 1, 'bernd@example.org');
    await resetKey(database, EMAIL);
    await revokeKeys(database, EMAIL);
    expect(await findCaller(database, other.key)).toMatchObject({ state: 'active' });
  });

  it('of nobody cannot be reset or revoked', async () => {
    const database = await openStore();
    await expect(resetKey(database, EMAIL)).rejects.toMatchObject({ code: 'not_found' });
    await expect(revokeKeys(database, EMAIL)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are nowhere in the files of the store', async () => {
    const directory = temporaryDirectory();
    const database = await openStore(directory);
    const { key } = await accountWith(database, 1);
    const second = await resetKey(database, EMAIL);
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(files).toContain('dragoman.db-wal');
    for (const file of files.filter((name) => name.startsWith('dragoman.db'))) {
      const bytes = readFileSync(join(directory, file)).toString('latin1');
      for (const secret of [key, second]) expect(bytes.includes(secret.slice(11)), file).toBe(false);
    }
  });
});
