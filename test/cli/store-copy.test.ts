import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../jobs/room.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { ask, makeStore } from '../postgres/store.ts';
import { serve } from '../server/served.ts';
import { fillStore } from '../store/filled.ts';
import { dragoman, temporaryDirectory } from './harness.ts';

describe.skipIf(!hasPostgres)('store copy', () => {
  it('creates a store on which a server continues: keys, jobs, credits, webhooks', async () => {
    const directory = temporaryDirectory();
    const webhook = 'https://127.0.0.1:1/hook';
    const { key, jobId, translation } = await fillStore(directory, { webhook });
    const url = await makeStore();
    const argv = ['store', 'copy', '--from', directory, '--to', url];
    const dry = await dragoman([...argv, '--dry-run', '--json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true, files: { count: 4 } });
    const copied = await dragoman(argv);
    expect(copied).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Everything is now in') as string,
    });
    const lines = copied.stdout.split('\n');
    expect(lines[0]).toMatch(
      /^accounts +2 = 2 rows +granted 5,000 = 5,000, balance 4,380 = 4,380, reserved 620 = 620/,
    );
    expect(lines.at(-2)).toMatch(/^4 files with .* read again and compared$/);

    const server = await serve(
      ['--store', url, '--public-url', 'http://127.0.0.1:1', '--engine', 'pseudo', '--webhook-allow-private'],
      temporaryDirectory(),
    );
    onTestFinished(async () => void (await server.stop()));
    const headers = { 'X-API-KEY': key };
    const job = await fetch(`${server.url}/v2/translate/i18n/jobs/${jobId}/download?language_code=fr`, {
      headers,
    });
    expect([job.status, await job.text()]).toEqual([200, translation]);
    // Nobody listens there, so the call is retried with this body.
    const tried = await until(async () => {
      const rows = await ask<{ body: string; attempts: number }>(
        url,
        `select body, attempts from webhook_deliveries where job_id = '${jobId}' and attempts > 0`,
      );
      return rows[0];
    }, 'the webhook is called');
    expect(JSON.parse(tried.body)).toMatchObject({ job: { job_id: jobId } });
    const waiting = `select count(*)::int as n from job_units where status = 'pending'`;
    await until(async () => {
      const [row] = await ask<{ n: number }>(url, waiting);
      return row !== undefined && row.n < 615;
    }, 'the units of the job that runs go on');
    const text = { text: 'Hello', source: 'en', target: 'fr' };
    const init = {
      method: 'POST',
      body: JSON.stringify(text),
      headers: { ...headers, 'Content-Type': 'application/json' },
    };
    expect((await fetch(`${server.url}/v2/translate`, init)).status).toBe(200);
  });

  it('reports rows and files that cannot be copied', async () => {
    const directory = temporaryDirectory();
    const missing = join(directory, 'misspelt');
    const none = await dragoman(['store', 'copy', '--from', missing, '--to', 'postgres://127.0.0.1/x']);
    expect(none).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`no accounts in ${missing}`) as string,
    });
    const same = await dragoman(['store', 'copy', '--from', directory, '--to', directory]);
    expect(same).toMatchObject({ exitCode: 2 });
    const open = await dragoman([
      'store',
      'copy',
      '--from',
      directory,
      '--to',
      'postgres://ada:pw@127.0.0.1/x',
    ]);
    expect(open).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('password in --to') as string,
    });
  });
});
