import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountOf,
  addAccount,
  checkBooks,
  createJob,
  download,
  ended,
  openRoom,
  type Room,
} from './room.ts';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
});
afterAll(() => room.close());

describe('a job', () => {
  it('is done', async () => {
    const account = await addAccount(room, 100);
    const id = await createJob(room, account, { targets: 'fr, de' });
    const job = await ended(room, account, id);
    expect(job.status).toBe('completed');
    expect(String(await download(room.jobs.of(account), id, 'fr'))).toContain('Ĥéļļö');
    expect((await accountOf(room, account)).balance).toBe(96);
    await checkBooks(room);
  });
});
