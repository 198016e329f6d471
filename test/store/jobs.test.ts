import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/shared/database.ts';
import type { ClaimedUnit, Instance, JobEnd, JobStore, Store } from '../../src/store/store.ts';
import { openInstance, register, STORES } from './harness.ts';
import { keptBy } from './job-tools.ts';

/** The size of each job's file. */
const BYTES = 10;

describe.each(STORES)('jobs ($name)', ({ place: makePlace }) => {
  let store: Store;
  let instance: Instance;
  let another: JobStore;
  let database: Database;
  beforeEach(async () => {
    const opened = await openInstance(makePlace);
    ({ store, instance, database } = opened);
    another = (await register(await opened.open())).jobs;
  });

  let clock = 1_000;

  async function addAccount(credits = 1_000): Promise<string> {
    const email = `${randomUUID()}@example.com`;
    return (await store.accounts.create({ email, fullName: 'A', credits })).account.id;
  }

  interface Shape {
    readonly targets?: readonly string[];
    readonly keys?: number;
    readonly bytes?: number;
    readonly webhook?: string;
  }

  async function addJob(accountId: string, shape: Shape = {}) {
    const { targets = ['fr', 'de'], keys = 3, bytes = BYTES, webhook } = shape;
    const id = randomUUID();
    const shortage = await instance.jobs.insert({
      id,
      accountId,
      filename: 'a.json',
      fileType: 'json',
      sourceLanguage: 'en',
      targetLanguages: targets,
      totalKeys: keys,
      bytes,
      webhookUrl: webhook,
      now: ++clock,
    });
    return { id, shortage };
  }

  const claim = (by: JobStore = instance.jobs): Promise<ClaimedUnit | undefined> => by.claimUnit(++clock);

  async function mustClaim(by?: JobStore): Promise<ClaimedUnit> {
    const unit = await claim(by);
    if (!unit) throw new Error('nothing to claim');
    return unit;
  }

  const END: JobEnd = { status: 'completed', translated_keys: 3, failed_keys: 0, error_message: null };

  function end(unit: ClaimedUnit, translatedKeys = 3) {
    return instance.jobs.endUnit({
      claim: unit,
      end: { translatedKeys, failedKeys: null, errorMessage: null, file: { id: randomUUID(), size: 10 } },
      judge: () => END,
      now: ++clock,
    });
  }

  const nameOf = ({ jobId, language }: ClaimedUnit): string => `${jobId} ${language}`;

  describe('a stored job', () => {
    it('has a unit per language and reserves a credit per key and language', async () => {
      const account = await addAccount(6);
      const { id, shortage } = await addJob(account);
      expect(shortage).toBeUndefined();
      expect(await instance.jobs.units(id)).toMatchObject([
        { language_code: 'fr', status: 'pending', attempts: 0 },
        { language_code: 'de', status: 'pending', attempts: 0 },
      ]);
      expect(await store.accounts.find(account)).toMatchObject({ balance: 6, reserved: 6 });
    });

    it('fails if there are not enough credits', async () => {
      const account = await addAccount(5);
      const { id, shortage } = await addJob(account);
      expect(shortage).toEqual({ remaining: 5 });
      expect(await instance.jobs.find(id)).toBeUndefined();
      expect(await instance.jobs.units(id)).toEqual([]);
      expect(await store.accounts.find(account)).toMatchObject({ balance: 5, reserved: 0 });
    });

    it('is listed, newest first', async () => {
      const account = await addAccount();
      const ids = [await addJob(account), await addJob(account), await addJob(account)].map(({ id }) => id);
      const { jobs, next } = await instance.jobs.list(account, { limit: 10 });
      expect(jobs.map(({ id }) => id)).toEqual(ids.toReversed());
      expect(next).toBeUndefined();
    });
  });

  describe('the jobs of an account', () => {
    it('are limited in number and size, even when created at once', async () => {
      const account = await addAccount();
      const { email } = (await store.accounts.find(account))!;
      expect((await store.accounts.limit(email, { jobs: 3, bytes: 45 })).limits).toEqual({
        jobs: 3,
        bytes: 45,
      });
      const all = await Promise.allSettled([1, 2, 3, 4, 5].map(() => addJob(account, { keys: 1 })));
      expect(all.filter(({ status }) => status === 'rejected')).toMatchObject(
        [1, 2].map(() => ({ reason: { code: 'limit_exceeded', message: expect.stringMatching(/3 jobs/) } })),
      );
      await store.accounts.limit(email, { jobs: null });
      // The files of two units have 10 bytes each, like the uploads.
      await end(await mustClaim(), 1);
      await expect(addJob(account, { keys: 1 })).rejects.toMatchObject({
        code: 'limit_exceeded',
        message: expect.stringMatching(/45 bytes/) as string,
      });
      await store.accounts.limit(email, { bytes: 50 });
      await addJob(account, { keys: 1 });
      // A refused request has reserved nothing.
      expect(await store.accounts.find(account)).toMatchObject({ balance: 999, reserved: 7 });
    });

    it('are removed some time after their end, when their webhooks were called', async () => {
      const account = await addAccount();
      const targets = ['fr'];
      const silent = await addJob(account, { targets });
      const called = await addJob(account, { targets, webhook: 'https://hooks.example/' });
      await end(await mustClaim());
      await end(await mustClaim());
      const open = await addJob(account);
      expect(await instance.jobs.expire(0)).toEqual([]);
      expect(await instance.jobs.expire(clock + 1)).toEqual([silent.id]);
      const [call] = await instance.deliveries.claimDue({ total: 1, perAccount: 1, perOrigin: 1 }, clock);
      await instance.deliveries.delivered(call?.id ?? '', clock);
      expect(await instance.jobs.expire(clock + 1)).toEqual([called.id]);
      expect(await instance.jobs.expire(clock + 1)).toEqual([]);
      const { jobs: left } = await instance.jobs.list(account, { limit: 9 });
      expect(left.map(({ id }) => id)).toEqual([open.id]);
      expect(await store.accounts.find(account)).toMatchObject({ balance: 994, reserved: 6 });
    });
  });

  describe('the next unit', () => {
    it('is the next language of the job that was served longest ago, initially of the oldest', async () => {
      const account = await addAccount();
      const [first, second] = [await addJob(account), await addJob(account)];
      const names = [await mustClaim(), await mustClaim(), await mustClaim(), await mustClaim()].map(nameOf);
      expect(names).toEqual([`${first.id} fr`, `${second.id} fr`, `${first.id} de`, `${second.id} de`]);
      expect(await claim()).toBeUndefined();
      expect(await instance.jobs.countWaiting()).toBe(0);
      expect((await instance.jobs.find(first.id))?.status).toBe('processing');
    });

    it('comes from the account with the fewest running units in all processes', async () => {
      const [large, small] = [await addAccount(), await addAccount()];
      for (let i = 0; i < 5; i++) await addJob(large);
      await mustClaim(another);
      await mustClaim(another);
      await addJob(small);
      const accounts = [await mustClaim(), await mustClaim(), await mustClaim()].map(
        ({ accountId }) => accountId,
      );
      expect(accounts).toEqual([small, small, large]);
    });

    it('belongs to the account that was served longest ago, if accounts have equally many running units', async () => {
      const accounts = [await addAccount(), await addAccount(), await addAccount()];
      for (const account of accounts) await addJob(account, { targets: ['fr', 'de', 'it'] });
      const order: string[] = [];
      for (let i = 0; i < 9; i++) {
        const unit = await mustClaim();
        order.push(unit.accountId);
        await end(unit);
      }
      expect(order).toEqual([...accounts, ...accounts, ...accounts]);
    });

    it('is a new one before a started one', async () => {
      const account = await addAccount();
      await addJob(account);
      const unit = await mustClaim();
      // The state after the death of the unit's process.
      await database.sql.updateTable('job_units').set({ status: 'pending' }).execute();
      expect((await mustClaim()).language).toBe('de');
      expect(await mustClaim()).toMatchObject({ language: unit.language, attempts: 2 });
    });

    it('is claimed only once, even by many at the same time', async () => {
      const account = await addAccount();
      await addJob(account, { targets: ['fr', 'de', 'it', 'es', 'pl'] });
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, i) => claim(i % 2 ? instance.jobs : another)),
      );
      const names = claims.flatMap((unit) => (unit ? [nameOf(unit)] : []));
      expect(names.length).toBe(5);
      expect(new Set(names).size).toBe(5);
    });
  });

  describe('the order of turns', () => {
    it('follows the wait in proportion to the size: a small job overtakes a large one, but not forever', async () => {
      const account = await addAccount(1_000_000);
      const large = await addJob(account, { targets: ['fr', 'de'], keys: 10_000 });
      clock += 100;
      const small = await addJob(account, { targets: ['fr'], keys: 10 });
      expect((await mustClaim()).jobId).toBe(small.id);
      // After a unit of the large job starts here, its other units wait again.
      expect((await mustClaim()).jobId).toBe(large.id);
      clock += 50;
      const next = await addJob(account, { targets: ['fr'], keys: 10 });
      expect((await mustClaim()).jobId).toBe(next.id);
      clock += 1_000_000;
      await addJob(account, { targets: ['fr'], keys: 10 });
      expect((await mustClaim()).jobId).toBe(large.id);
    });

    it('follows the wait in proportion to the size between accounts, too', async () => {
      const [large, small] = [await addAccount(1_000_000), await addAccount()];
      const first = await addJob(large, { targets: ['fr'], keys: 10_000 });
      clock += 100;
      const second = await addJob(small, { targets: ['fr'], keys: 10 });
      expect((await mustClaim()).jobId).toBe(second.id);
      expect((await mustClaim()).jobId).toBe(first.id);
    });

    it('follows the bytes of a file if they are many for its keys', async () => {
      const [large, small] = [await addAccount(1_000_000), await addAccount()];
      const one = await addJob(large, { targets: ['fr'], keys: 1, bytes: 10_000_000 });
      await addJob(small, { targets: ['fr'], keys: 10, bytes: 400 });
      const waits = (size: number, notOf: string) => instance.jobs.hasWaitingUnit({ size, notOf }, clock);
      expect([await waits(99_999, small), await waits(100_000, small)]).toEqual([false, true]);
      expect(await mustClaim()).toMatchObject({ accountId: small, size: 10 });
      expect(await mustClaim()).toMatchObject({ jobId: one.id, totalKeys: 1, size: 100_000 });
    });

    it('considers only small jobs on request', async () => {
      const account = await addAccount(1_000_000);
      const large = await addJob(account, { targets: ['fr'], keys: 400 });
      const within = (size: number, bytes?: number): Promise<ClaimedUnit | undefined> =>
        instance.jobs.claimUnit(++clock, { size, bytes });
      expect(await within(399)).toBeUndefined();
      expect(await within(1_000, BYTES - 1)).toBeUndefined();
      const [first, second] = [
        await addJob(account, { targets: ['fr'], keys: 100 }),
        await addJob(await addAccount(), { targets: ['fr'], keys: 101 }),
      ];
      expect((await within(100, BYTES))?.jobId).toBe(first.id);
      expect(await within(100)).toBeUndefined();
      expect((await within(101))?.jobId).toBe(second.id);
      expect((await within(400))?.jobId).toBe(large.id);
    });

    it('can be queried for a small unit that has waited since a given time', async () => {
      const account = await addAccount(1_000_000);
      await addJob(account, { targets: ['fr', 'de'], keys: 101 });
      const since = clock;
      expect(await instance.jobs.hasWaitingUnit({ size: 101 }, since)).toBe(true);
      expect(await instance.jobs.hasWaitingUnit({ size: 101 }, since - 1)).toBe(false);
      expect(await instance.jobs.hasWaitingUnit({ size: 100 }, since)).toBe(false);
      expect(await instance.jobs.hasWaitingUnit({ size: 101, bytes: BYTES - 1 }, since)).toBe(false);
      await mustClaim();
      expect(await instance.jobs.hasWaitingUnit({ size: 101 }, since)).toBe(false);
      expect(await instance.jobs.hasWaitingUnit({ size: 101 }, clock)).toBe(true);
      await mustClaim();
      expect(await instance.jobs.hasWaitingUnit({ size: 101 }, clock)).toBe(false);
    });
  });

  describe('the stored answers of a unit', () => {
    it('are kept for the next process, and removed with its end', async () => {
      const account = await addAccount();
      const { id } = await addJob(account, { targets: ['fr', 'de'] });
      const unit = await mustClaim();
      expect(await keptBy(instance.jobs, unit)).toEqual([]);
      const rows = ['["a\\u0000😀"]', ...Array.from({ length: 20 }, (_, i) => `["${i}"]`)];
      for (const row of rows) await instance.jobs.keepAnswers(unit, row);
      await instance.jobs.giveBackUnit(unit, ++clock);
      await instance.jobs.keepAnswers(unit, '["late"]');
      const units = [await mustClaim(another), await mustClaim(another)];
      const [again, other] = units[0]?.language === unit.language ? units : units.toReversed();
      expect(await keptBy(another, again!)).toEqual(rows);
      await end(again!);
      expect(await keptBy(another, again!)).toEqual([]);
      await another.keepAnswers(other!, '["c"]');
      await instance.jobs.delete(account, id, ++clock);
      expect(await keptBy(another, other!)).toEqual([]);
    });

    it('do not decrease the reported progress', async () => {
      const account = await addAccount();
      const { id } = await addJob(account, { targets: ['fr'], keys: 10 });
      const unit = await mustClaim();
      await instance.jobs.recordProgress(unit, 7, ++clock);
      await instance.jobs.giveBackUnit(unit, ++clock);
      const again = await mustClaim();
      expect(await instance.jobs.recordProgress(again, 2, ++clock)).toBe(true);
      expect((await instance.jobs.find(id))?.translated_keys).toBe(7);
    });
  });

  describe('the end of a unit', () => {
    it('charges translated texts and refunds the rest', async () => {
      const account = await addAccount(100);
      const { id } = await addJob(account);
      expect(await end(await mustClaim(), 2)).toBe('ended');
      expect(await store.accounts.find(account)).toMatchObject({ balance: 98, reserved: 3 });
      expect(await instance.jobs.find(id)).toMatchObject({
        reserved: 3,
        status: 'processing',
        translated_keys: 1,
      });
      expect(await end(await mustClaim(), 3)).toBe('job ended');
      expect(await store.accounts.find(account)).toMatchObject({ balance: 95, reserved: 0 });
      const job = await instance.jobs.find(id);
      expect(job).toMatchObject({ ...END, reserved: 0, completed_at: clock });
      const charges = await database.sql
        .selectFrom('ledger')
        .select(['amount', 'operation', 'reference'])
        .where('operation', '!=', 'grant')
        .execute();
      expect(charges).toEqual([
        { amount: -2, operation: 'i18n', reference: id },
        { amount: -3, operation: 'i18n', reference: id },
      ]);
    });

    it('ends a unit only once', async () => {
      const account = await addAccount(100);
      const { id } = await addJob(account, { targets: ['fr'] });
      const unit = await mustClaim();
      expect(await end({ ...unit, instanceId: 'another' })).toBe('lost');
      await instance.jobs.giveBackUnit(unit, 5_000);
      expect(await end(unit)).toBe('lost');
      const again = await mustClaim(another);
      expect(again.attempts).toBe(1);
      expect(await end(unit)).toBe('lost');
      expect(await end(again)).toBe('job ended');
      expect(await end(again)).toBe('lost');
      expect(await store.accounts.find(account)).toMatchObject({ balance: 97, reserved: 0 });
      expect((await instance.jobs.find(id))?.status).toBe('completed');
    });

    it('of a deleted job only charges its translated texts', async () => {
      const account = await addAccount(100);
      const { id } = await addJob(account, { webhook: 'https://hooks.example/' });
      const unit = await mustClaim();
      expect(await instance.jobs.delete(account, id, ++clock)).toBe(true);
      expect(await instance.jobs.delete(account, id, ++clock)).toBe(false);
      expect(await instance.jobs.recordProgress(unit, 1, ++clock)).toBe(false);
      expect(await end(unit)).toBe('deleted');
      expect(await store.accounts.find(account)).toMatchObject({ balance: 97, reserved: 0 });
      expect(await instance.jobs.units(id)).toEqual([]);
    });

    it('that ends the job creates the call of its webhook, and no other end does', async () => {
      const account = await addAccount(100);
      await addJob(account, { webhook: 'https://hooks.example/' });
      const calls = () => database.sql.selectFrom('webhook_deliveries').select('url').execute();
      await end(await mustClaim());
      expect(await calls()).toEqual([]);
      await end(await mustClaim());
      expect(await calls()).toEqual([{ url: 'https://hooks.example/' }]);
    });

    it('has no effect if a part of it fails', async () => {
      const account = await addAccount(100);
      const { id } = await addJob(account, { targets: ['fr'] });
      const unit = await mustClaim();
      const failing = instance.jobs.endUnit({
        claim: unit,
        end: { translatedKeys: 3, failedKeys: null, errorMessage: null, file: undefined },
        judge: () => {
          throw new Error('no judgement');
        },
        now: ++clock,
      });
      await expect(failing).rejects.toThrow('no judgement');
      expect(await instance.jobs.units(id)).toMatchObject([{ status: 'running' }]);
      expect(await store.accounts.find(account)).toMatchObject({ balance: 100, reserved: 3 });
      expect(await end(unit)).toBe('job ended');
    });
  });

  describe('the progress of a job', () => {
    it('is the mean of its units', async () => {
      const account = await addAccount(1_000);
      const { id } = await addJob(account, { keys: 10 });
      const unit = await mustClaim();
      expect(await instance.jobs.recordProgress(unit, 7, ++clock)).toBe(true);
      expect(await instance.jobs.find(id)).toMatchObject({ translated_keys: 3, updated_at: clock });
    });
  });
});
