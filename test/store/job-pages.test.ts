import { expect, describe, it } from 'vitest';
import { openInstance, STORES } from './harness.ts';
import { JobTools } from './job-tools.ts';

describe.each(STORES)('pages of jobs ($name)', ({ place }) => {
  it('follow one another, newest first', async () => {
    const { store, instance } = await openInstance(place);
    const tools = new JobTools(store, instance);
    const account = await tools.addAccount();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await tools.addJob(account));
    const first = await instance.jobs.list(account, { limit: 3 });
    expect(first.jobs.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    // The cursor works even when the job that it was made from is gone.
    await instance.jobs.delete(account, ids[2] ?? '', tools.clock);
    const second = await instance.jobs.list(account, { limit: 3, cursor: first.next });
    expect(second.jobs.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(second.next).toBeUndefined();
  });

  it('have cursors that reveal nothing about other accounts, and are useless to them', async () => {
    const { store, instance } = await openInstance(place);
    const tools = new JobTools(store, instance);
    const account = await tools.addAccount();
    const pageOf = async (id: string) => {
      await tools.addJob(id);
      await tools.addJob(id);
      return instance.jobs.list(id, { limit: 1 });
    };
    const mine = await pageOf(account);
    const theirs = await pageOf(await tools.addAccount());
    expect(mine.next).toMatch(/^[\w-]{22}$/);
    expect(mine.next).not.toBe(theirs.next);
    const refused = [theirs.next, String(mine.jobs[0]?.seq), '1', '', `${mine.next}A`, 'A'.repeat(22)];
    for (const cursor of refused) {
      await expect(instance.jobs.list(account, { limit: 1, cursor })).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('start with the first page') as string,
      });
    }
  });
});
