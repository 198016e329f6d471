import { afterEach, describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { addAccount, createJob, ended, fakeEngine, noSignal, openRoom, until, type Room } from './room.ts';

let room: Room;
afterEach(() => room.close());

describe('accounts', () => {
  it('take turns: fifty jobs of one account do not delay another account', async () => {
    const pseudo = createPseudoEngine();
    const order: string[] = [];
    room = await openRoom({
      engine: fakeEngine(async (request, signal) => {
        order.push(request.texts[0] ?? '');
        await new Promise((resolve) => setTimeout(resolve, 10));
        return pseudo.translate(request, signal);
      }),
    });
    const [large, small] = [await addAccount(room), await addAccount(room)];
    const jobs: string[] = [];
    for (let i = 0; i < 50; i++)
      jobs.push(await createJob(room, large, { content: '{"a":"Large"}', targets: 'fr,de' }));
    await until(() => Promise.resolve(order.length > 3), 'the large account is being served');
    const id = await createJob(room, small, { content: '{"a":"Small"}', targets: 'fr,de,it' });
    const at = order.length;
    await ended(room, small, id);
    const since = order.slice(at);
    expect(since.filter((text) => text === 'Small').length).toBe(3);
    expect(since.filter((text) => text === 'Large').length).toBeLessThanOrEqual(5);
    for (const job of jobs) await room.jobs.of(large).deleteJob(job, noSignal);
  });

  it('take turns with their uploads as well', async () => {
    room = await openRoom();
    const [large, small] = [await addAccount(room), await addAccount(room)];
    const entries = Array.from({ length: 20_000 }, (_, i) => [`key${i}`, 'Text']);
    const content = JSON.stringify(Object.fromEntries(entries));
    const order: string[] = [];
    const create = async (name: string, account: string): Promise<void> => {
      await createJob(room, account, { filename: `${name}.json`, content });
      order.push(name);
    };
    const uploads = Array.from({ length: 10 }, (_, i) => create(`large${i}`, large));
    uploads.push(create('small', small));
    await Promise.all(uploads);
    expect(order.indexOf('small')).toBeLessThan(5);
  });

  it('with an upload do not wait for translations', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pseudo = createPseudoEngine();
    room = await openRoom({
      engine: fakeEngine(async (request, signal) => {
        await gate;
        return pseudo.translate(request, signal);
      }),
    });
    const account = await addAccount(room);
    const first = await createJob(room, account);
    await until(async () => (await room.jobs.counts()).running === 1, 'it runs');
    const second = await createJob(room, account);
    expect(await room.jobs.counts()).toEqual({ waiting: 1, running: 1 });
    release();
    await ended(room, account, first);
    await ended(room, account, second);
  });
});
