import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runBuilt } from '../cli/built-program.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { until } from '../jobs/room.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { ask, makeStore } from '../postgres/store.ts';
import { BIN } from '../server/served.ts';
import { fillStore } from '../store/filled.ts';

describe.skipIf(!hasPostgres)('store copy', () => {
  it('leaves an empty database whenever it is killed', async () => {
    const directory = temporaryDirectory();
    await fillStore(directory, { files: 60 });
    const url = await makeStore();
    const argv = ['store', 'copy', '--from', directory, '--to', url];

    let kills = 0;
    for (let i = 0; i < 8; i++) {
      const child = spawn(process.execPath, [BIN, ...argv], {
        stdio: 'ignore',
        env: { PATH: process.env['PATH'] },
      });
      const ended = once(child, 'close');
      // Kills the copy while it holds the tables, at a different moment each time.
      await until(async () => {
        const [row] = await ask<{ n: string }>(
          url,
          `select count(*) as n from pg_stat_activity where application_name = current_setting('application_name')
           and query like 'insert into "%' or query like '%file_chunks (job_id%' and pid <> pg_backend_pid()`,
        );
        return Number(row?.n) > 0 || child.exitCode !== null;
      }, 'it copies');
      await delay(i * 15);
      if (child.exitCode === null && child.kill('SIGKILL')) kills++;
      await ended;
      const rows = await ask<{ n: string }>(
        url,
        `select (select count(*) from accounts) + (select count(*) from jobs) + (select count(*) from file_chunks) as n`,
      );
      if (Number(rows[0]?.n) > 0) break;
    }
    const [left] = await ask<{ n: number }>(url, 'select count(*)::int as n from jobs');
    const last = runBuilt([...argv, '--json'], directory);
    // If the run before was not killed in time, its copy is complete, and this one is refused.
    if (left?.n === 0) expect(last).toMatchObject({ status: 0 });
    else expect(last.stdout).toContain('is not empty');
    expect(await ask(url, 'select count(*)::int as n from jobs')).toEqual([{ n: 63 }]);
    expect(await ask(url, 'select count(distinct (job_id, file_id))::int as n from file_chunks')).toEqual([
      { n: 124 },
    ]);
    expect(kills).toBeGreaterThan(0);
  });
});
