import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import {
  accountOf,
  addAccount,
  checkBooks,
  createJob,
  download,
  ended,
  fakeEngine,
  noSignal,
  openRoom,
  status,
  until,
  type Room,
} from './room.ts';

let directory: string;
const rooms: Room[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dragoman-restart-'));
});
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.leave();
  await rm(directory, { recursive: true, force: true });
});

async function enter(options: Parameters<typeof openRoom>[0] = {}): Promise<Room> {
  const room = await openRoom({ ...options, directory });
  rooms.push(room);
  return room;
}

async function leave(room: Room, graceMs?: number): Promise<void> {
  rooms.splice(rooms.indexOf(room), 1);
  await room.leave(graceMs);
}

const pseudo = createPseudoEngine();

/** An engine that answers when released, and counts its requests. */
function gatedEngine() {
  let open = (): void => undefined;
  let gate: Promise<void> | undefined = new Promise((resolve) => {
    open = resolve;
  });
  const asked: string[] = [];
  const engine = fakeEngine(async (request, signal) => {
    asked.push(`${request.texts.join()} ${request.target}`);
    if (gate) await gate;
    return pseudo.translate(request, signal);
  });
  const release = (): void => {
    gate = undefined;
    open();
  };
  return { engine, asked, release };
}

describe('closing', () => {
  it('returns units that are unfinished after the grace period', async () => {
    const first = await enter(gatedEngine());
    const account = await addAccount(first);
    const id = await createJob(first, account, { targets: 'fr,de' });
    await until(async () => (await first.jobs.counts()).running === 1, 'it runs');
    await leave(first, 0);
    const second = await enter({ workers: 0 });
    const units = await second.database.sql.selectFrom('job_units').selectAll().execute();
    expect(units).toMatchObject([
      { status: 'pending', attempts: 0, instance_id: null },
      { status: 'pending', attempts: 0, instance_id: null },
    ]);
    await leave(second);
    const third = await enter();
    expect((await ended(third, account, id)).status).toBe('completed');
    await checkBooks(third);
  });

  it('waits for running work, and starts nothing more', async () => {
    const { engine, release } = gatedEngine();
    const first = await enter({ engine });
    const account = await addAccount(first);
    const id = await createJob(first, account, { targets: 'fr,de' });
    await until(async () => (await first.jobs.counts()).running === 1, 'it runs');
    const left = leave(first, 20_000);
    release();
    await left;
    const second = await enter({ workers: 0 });
    const job = await status(second, account, id);
    expect(job.translated_files.map(({ language_code }) => language_code)).toEqual(['fr']);
    expect((await accountOf(second, account)).reserved).toBe(2);
  });

  it('refuses uploads in progress, and leaves nothing of them', async () => {
    const room = await enter();
    const account = await addAccount(room);
    const uploads = Array.from({ length: 5 }, () => createJob(room, account));
    const settled = Promise.allSettled(uploads);
    await room.jobs.close(0);
    const created = (await settled).filter((result) => result.status === 'fulfilled').length;
    expect((await room.jobs.of(account).listJobs(noSignal)).length).toBe(created);
    expect((await readdir(join(directory, 'jobs'))).length).toBe(created);
    await checkBooks(room);
  });
});

describe('two processes on one data directory', () => {
  it('never run a unit twice', async () => {
    const engines = [gatedEngine(), gatedEngine()];
    for (const { release } of engines) release();
    const first = await enter({ engine: engines[0]!.engine, workers: 2, limits: { lookMs: 50 } });
    const second = await enter({ engine: engines[1]!.engine, workers: 2, limits: { lookMs: 50 } });
    const account = await addAccount(first, 120);
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      ids.push(
        await createJob(i % 2 ? first : second, account, {
          content: `{"a":"Text ${i}","b":"x"}`,
          targets: 'fr,de,it',
        }),
      );
    }
    for (const id of ids) await ended(first, account, id);
    const failed = await first.database.sql
      .selectFrom('job_units')
      .select(['error_message', 'attempts'])
      .where('error_message', 'is not', null)
      .execute();
    expect(failed).toEqual([]);
    const asked = engines.flatMap((engine) => engine.asked);
    expect(asked.length).toBe(60);
    expect(new Set(asked).size).toBe(60);
    for (const { asked } of engines) expect(asked.length).toBeGreaterThan(0);
    expect(await accountOf(second, account)).toMatchObject({ balance: 0, reserved: 0 });
    await checkBooks(first);
  });

  it('may delete each other’s jobs while they run', async () => {
    const { engine, release } = gatedEngine();
    const first = await enter({ engine, limits: { lookMs: 50 } });
    const second = await enter({ workers: 0 });
    const account = await addAccount(first, 10);
    const id = await createJob(first, account, { targets: 'fr,de' });
    await until(async () => (await first.jobs.counts()).running === 1, 'it runs');
    await second.jobs.of(account).deleteJob(id, noSignal);
    release();
    await until(async () => (await first.jobs.counts()).running === 0, 'nothing runs');
    expect(await readdir(join(directory, 'jobs'))).toEqual([]);
    expect(await accountOf(first, account)).toMatchObject({ balance: 10, reserved: 0 });
    const next = await createJob(second, account);
    expect((await ended(first, account, next)).status).toBe('completed');
  });
});

describe('opening', () => {
  it('removes only unrecorded leftovers of dead processes', async () => {
    const first = await enter();
    const account = await addAccount(first);
    const id = await createJob(first, account);
    const { translated_files } = await ended(first, account, id);
    const jobs = join(directory, 'jobs');
    const old = new Date(Date.now() - 11 * 60_000);
    const [published, fresh] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const name of [
      published,
      fresh,
      `.new-${first.instance.id}-${crypto.randomUUID()}`,
      `.new-dead-${crypto.randomUUID()}`,
    ]) {
      await mkdir(join(jobs, name));
      await writeFile(join(jobs, name, 'source'), '{}');
    }
    await utimes(join(jobs, published), old, old);
    const [orphan, young] = [join(jobs, id, crypto.randomUUID()), join(jobs, id, crypto.randomUUID())];
    await writeFile(orphan, 'left over');
    await utimes(orphan, old, old);
    await writeFile(young, 'being written');
    const file = join(jobs, id, translated_files[0]?.id ?? '');
    await utimes(file, old, old);
    await utimes(join(jobs, id), old, old);

    const second = await enter();
    const names = await readdir(jobs);
    expect(names).toContain(id);
    expect(names).toContain(fresh);
    expect(names).not.toContain(published);
    expect(names.filter((name) => name.startsWith('.new-'))).toEqual([
      expect.stringContaining(first.instance.id),
    ]);
    expect((await readdir(join(jobs, id))).length).toBe(3);
    expect(String(await download(second.jobs.of(account), id, 'fr'))).toContain('Ĥéļļö');
  });
});
