import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ClaimedUnit, Instance } from '../../src/store/store.ts';
import { openInstance, register, STORES } from './harness.ts';
import { JobTools } from './job-tools.ts';

describe.each(STORES)('a job that is deleted before its end ($name)', ({ place }) => {
  async function open() {
    const opened = await openInstance(place);
    const { store, instance, database } = opened;
    const tools = new JobTools(store, instance);
    const account = await tools.addAccount(100);
    return {
      ...opened,
      tools,
      account,
      found: () => store.accounts.find(account),
      charges: () =>
        database.sql
          .selectFrom('ledger')
          .select(['amount', 'reference'])
          .where('operation', '=', 'i18n')
          .execute(),
    };
  }

  function end({ jobs }: Instance, claim: ClaimedUnit, translatedKeys: number, now = 9_000) {
    const file = translatedKeys > 0 ? { id: randomUUID(), size: 10 } : undefined;
    const result = { translatedKeys, failedKeys: null, errorMessage: null, file };
    const judge = () =>
      ({ status: 'completed', translated_keys: 3, failed_keys: 0, error_message: null }) as const;
    return jobs.endUnit({ claim, end: result, judge, now });
  }

  it('is free if no unit was started', async () => {
    const { instance, tools, account, found } = await open();
    const id = await tools.addJob(account, ['fr', 'de']);
    expect(await instance.jobs.delete(account, id, tools.clock)).toBe(true);
    expect(await found()).toMatchObject({ balance: 100, reserved: 0 });
  });

  it('is charged by the process that runs a unit, once, when the unit has ended', async () => {
    const { instance, tools, account, found, charges } = await open();
    const id = await tools.addJob(account, ['fr', 'de']);
    const unit = await tools.claim();
    await instance.jobs.delete(account, id, tools.clock);
    // The credits of the unstarted unit are available again.
    expect(await found()).toMatchObject({ balance: 100, reserved: 3 });
    expect(await instance.jobs.findOf(account, id)).toBeUndefined();
    expect(await end(instance, unit, 2)).toBe('deleted');
    expect(await end(instance, unit, 2)).toBe('lost');
    expect(await instance.jobs.giveBackUnit(unit, tools.clock, 2)).toBe(false);
    expect(await found()).toMatchObject({ balance: 98, reserved: 0 });
    expect(await charges()).toEqual([{ amount: -2, reference: id }]);
  });

  it('is charged for known answers when its unit is returned', async () => {
    const { instance, tools, account, found } = await open();
    const id = await tools.addJob(account);
    const unit = await tools.claim();
    await instance.jobs.recordProgress(unit, 2, tools.clock);
    await instance.jobs.delete(account, id, tools.clock);
    // A restarted unit reports fewer texts than the first attempt.
    expect(await instance.jobs.giveBackUnit(unit, tools.clock, 1)).toBe(false);
    expect(await found()).toMatchObject({ balance: 98, reserved: 0 });
  });

  it('is charged for known answers of a waiting unit', async () => {
    const { instance, tools, account, found, charges } = await open();
    const id = await tools.addJob(account, ['fr', 'de', 'es']);
    const [first, second] = [await tools.claim(), await tools.claim()];
    expect(await end(instance, first, 3)).toBe('ended');
    expect(await instance.jobs.giveBackUnit(second, tools.clock, 1)).toBe(true);
    await instance.jobs.delete(account, id, tools.clock);
    expect(await found()).toMatchObject({ balance: 96, reserved: 0 });
    expect(await charges()).toEqual([
      { amount: -3, reference: id },
      { amount: -1, reference: id },
    ]);
  });

  it('is charged for known answers when the process of a unit dies', async () => {
    const { instance, open: another, bury, tools, account, found } = await open();
    const dead = await register(await another());
    const id = await tools.addJob(account);
    const unit = await tools.claim(dead.jobs);
    await dead.jobs.recordProgress(unit, 2, tools.clock);
    await instance.jobs.delete(account, id, tools.clock);
    expect(await found()).toMatchObject({ balance: 100, reserved: 3 });
    await bury(dead.id);
    await instance.reap();
    expect(await found()).toMatchObject({ balance: 98, reserved: 0 });
    expect(await end(dead, unit, 3)).toBe('lost');
    expect(await found()).toMatchObject({ balance: 98, reserved: 0 });
  });

  it('is charged nothing for a unit whose process died before', async () => {
    const { instance, open: another, bury, tools, account, found } = await open();
    const dead = await register(await another());
    const id = await tools.addJob(account);
    const unit = await tools.claim(dead.jobs);
    await bury(dead.id);
    await instance.reap();
    await instance.jobs.delete(account, id, tools.clock);
    expect(await end(dead, unit, 3)).toBe('lost');
    expect(await found()).toMatchObject({ balance: 100, reserved: 0 });
  });

  it('never uses credits that others reserved', async () => {
    const { instance, tools, account, found } = await open();
    const id = await tools.addJob(account);
    const unit = await tools.claim();
    await instance.metering.reserve(account, 50);
    await instance.jobs.delete(account, id, tools.clock);
    expect(await end(instance, unit, 0)).toBe('deleted');
    expect(await end(instance, unit, 0)).toBe('lost');
    expect(await found()).toMatchObject({ balance: 100, reserved: 50 });
  });
});
