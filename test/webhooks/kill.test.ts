import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver, status } from './receiver.ts';
import { addAccount, addJob, openStore, rows, SECRET } from './store.ts';

const KILLS = 5;
const JOBS = 120;
const PROCESS = join(import.meta.dirname, 'deliveries-process.ts');

describe('deliveries of a process that is killed', () => {
  it('all arrive, and those that arrive twice are identical', async () => {
    let inAnswer = 0;
    const receiver = await startReceiver((response, received, count) => {
      inAnswer++;
      setTimeout(() => {
        inAnswer--;
        status(200)(response, received, count);
      }, 60);
    });
    const { database, directory } = await openStore();
    const caFile = join(directory, 'ca.pem');
    writeFileSync(caFile, receiver.ca);
    const accountId = await addAccount(database);
    const jobs = await Promise.all(
      Array.from({ length: JOBS }, () => addJob(database, { accountId, url: receiver.url, now: 1 })),
    );
    let child: ChildProcess | undefined;
    onTestFinished(() => {
      child?.kill('SIGKILL');
    });
    const restart = async (): Promise<void> => {
      if (child) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      child = spawn(process.execPath, ['--import', 'tsx', PROCESS, directory], {
        // Users of a private certificate authority set this variable.
        env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const before = receiver.received.length;
      await restart();
      // Killed while answers are in transit, a process cannot know that its calls were acknowledged.
      await expect
        .poll(() => receiver.received.length, { timeout: 20_000 })
        .toBeGreaterThan(before + 3 * kill);
      await expect.poll(() => inAnswer, { interval: 1, timeout: 20_000 }).toBeGreaterThan(0);
    }
    await restart();
    await expect
      .poll(async () => (await rows(database)).every((row) => row.status === 'delivered'), {
        timeout: 30_000,
      })
      .toBe(true);

    const bodies = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.received) {
      new Webhook(SECRET).verify(body.toString(), headers as Record<string, string>);
      const id = String(headers['webhook-id']);
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body.toString()));
    }
    expect(receiver.received.length).toBeGreaterThan(JOBS);
    const told = [...bodies.values()].map((versions) => [...versions]);
    expect(told.every((versions) => versions.length === 1)).toBe(true);
    const payloads = told.map(([body = '']) => JSON.parse(body) as { job_id: string; by: number });
    expect(payloads.map(({ job_id }) => job_id).sort()).toEqual([...jobs].sort());
    expect(new Set(payloads.map(({ by }) => by)).size).toBeGreaterThan(1);
  });
});
