import { describe, expect, it } from 'vitest';
import { addAccount, addJob, openStore, rows } from '../webhooks/store.ts';
import { dragoman } from './harness.ts';

describe('webhooks redeliver', () => {
  it('repeats an abandoned delivery with the same body', async () => {
    const { database, directory } = await openStore();
    const accountId = await addAccount(database);
    const jobId = await addJob(database, { accountId, url: 'https://hooks.example/', now: 1 });
    const given = {
      status: 'failed',
      attempts: 4,
      body: '{}',
      last_error: 'the receiver answered 500',
    } as const;
    await database.sql.updateTable('webhook_deliveries').set(given).execute();
    const again = await dragoman(['webhooks', 'redeliver', '--data-dir', directory, jobId.toUpperCase()]);
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringMatching(/again/) as string,
    });
    expect(await rows(database)).toMatchObject([{ status: 'pending', attempts: 0, body: '{}' }]);
    const unknown = await dragoman(['webhooks', 'redeliver', '--data-dir', directory, accountId]);
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(accountId) as string });
  });
});
