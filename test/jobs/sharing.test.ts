import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { unlessAborted } from '../../src/base/interruption.ts';
import type { JobWithFiles } from '../../src/contract/jobs.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import {
  accountOf,
  addAccount,
  checkBooks,
  createJob,
  download,
  ended,
  fakeEngine,
  openRoom,
  status,
  until,
  type Room,
  type RoomOptions,
} from './room.ts';

let directory: string;
let room: Room;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dragoman-sharing-'));
});
afterEach(async () => {
  await room.leave();
  await rm(directory, { recursive: true, force: true });
});

const NEVER = new AbortController().signal;
const KEYS = 600;
const large = (): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`key${i}`, `Large text ${i}`])));

/**
 * The same number of texts, but so many bytes that a file of hundreds of kilobytes is small in comparison.
 */
const huge = (name = 'Large'): string =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: KEYS }, (_, i) => [`key${i}`, `${name} text ${i} ${'and more '.repeat(350)}`]),
    ),
  );

/** A file with few keys that does not count as small: it is translated by the workers for large files. */
const medium = (): string =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`key${i}`, `A text of kilobytes ${i} `.repeat(150)]),
    ),
  );

/**
 * Translates ten texts at a time, takes a while for each batch, and records its requests, like an engine that costs
 * money.
 */
function slowEngine(ms: number) {
  const pseudo = createPseudoEngine();
  const asked: string[] = [];
  const engine = {
    ...fakeEngine(async (request, signal) => {
      asked.push(...request.texts);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return pseudo.translate(request, signal);
    }),
    batch: { texts: 10, characters: 10_000 },
  };
  return { engine, asked };
}

const enter = async (options: RoomOptions): Promise<Room> =>
  (room = await openRoom({ ...options, directory }));

/** The texts whose answers are on the disk. Pending answers were lost when the process ended. */
async function countKept(): Promise<number> {
  const database = await openDatabase(directory);
  const rows = await database.sql.selectFrom('unit_answers').select('answers').execute();
  await database.close();
  return rows.reduce((sum, { answers }) => sum + (JSON.parse(answers) as unknown[]).length, 0);
}

it('a restarted unit continues where it stopped and requests nothing twice', async () => {
  const { engine, asked } = slowEngine(50);
  await enter({ engine });
  const account = await addAccount(room);
  const id = await createJob(room, account, { content: large() });
  await until(() => Promise.resolve(asked.length > KEYS / 2), 'half of it is done');
  await room.leave(0);
  const [before, kept] = [asked.length, await countKept()];
  expect(kept).toBeGreaterThan(KEYS / 4);
  expect(kept).toBeLessThan(KEYS);

  await enter({ engine });
  const { translated_keys: shown } = await status(room, account, id);
  await until(() => Promise.resolve(asked.length > before), 'it goes on');
  expect((await status(room, account, id)).translated_keys).toBeGreaterThanOrEqual(shown);
  const job = await ended(room, account, id);
  expect(job).toMatchObject({ status: 'completed', translated_keys: KEYS });
  expect(asked.length - before).toBe(KEYS - kept);
  expect(new Set(asked).size).toBe(KEYS);
  expect(await room.database.sql.selectFrom('unit_answers').selectAll().execute()).toEqual([]);
  await checkBooks(room);
  expect(await accountOf(room, account)).toMatchObject({ reserved: 0 });
});

it('texts that fail verification go to the next engine, and nothing is requested twice', async () => {
  const asked: string[] = [];
  let isAway = true;
  const engineOf = (id: string, isGood: (text: string) => boolean): Engine => ({
    ...fakeEngine(async ({ texts }, signal) => {
      asked.push(...texts.map((text) => `${id} ${text}`));
      // This answer does not arrive before the server stops.
      if (id === 'second' && isAway) await unlessAborted(new Promise(() => undefined), signal);
      return texts.map((text) => ({
        translation: isGood(text) ? `${id} ${text}` : `${text} {evil}`,
        engine: id,
      }));
    }),
    id,
  });
  const second = engineOf('second', (text) => !text.includes('worst'));
  const unable: Engine = {
    ...engineOf('unable', () => false),
    translate: () => Promise.reject(new DragomanError('engine_unavailable', 'no such pair')),
  };
  const first = engineOf('first', (text) => text.includes('good'));
  const engine = { ...first, next: { ...second, next: unable } };
  await enter({ engine });
  const account = await addAccount(room);
  const content = '{"a":"A good {x}","b":"A bad {x}","c":"The worst {x}"}';
  const id = await createJob(room, account, { content });
  await until(
    () => Promise.resolve(asked.some((text) => text.startsWith('second'))),
    'the second one is asked',
  );
  await until(async () => (await countKept()) > 3, 'what the first one answered is kept');
  await room.leave(0);
  isAway = false;
  const before = asked.filter((text) => text.startsWith('first'));

  await enter({ engine });
  const job = await ended(room, account, id);
  expect(job).toMatchObject({ status: 'partial', translated_keys: 2, failed_keys: 1 });
  expect(JSON.parse((await download(room.jobs.of(account), id, 'fr')).toString())).toEqual({
    a: 'first A good {x}',
    b: 'second A bad {x}',
    c: 'The worst {x}',
  });
  expect(asked.filter((text) => text.startsWith('first'))).toEqual(before);
});

/** Some of the large texts are translated at once in each language; the others are held. */
function gatedEngine() {
  const pseudo = createPseudoEngine();
  const asked: string[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const engine = {
    ...fakeEngine(async (request, signal) => {
      const name = ['Large', 'Held'].find((start) => request.texts.some((text) => text.startsWith(start)));
      const before = asked.filter((text) => text.startsWith(`${request.target} ${name}`)).length;
      // When the unit makes room, the engine drops its large texts, and still answers the held ones later.
      const over = name === 'Held' ? NEVER : signal;
      if (name !== undefined && before >= 100) await unlessAborted(gate, over);
      asked.push(...request.texts.map((text) => `${request.target} ${text}`));
      return pseudo.translate(request, over);
    }),
    batch: { texts: 10, characters: 10_000 },
  };
  return { engine, asked, release };
}

/** The ids of the running workers of this process. */
async function workers(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const task of await readdir('/proc/self/task')) {
    const children = await readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '');
    for (const pid of children.split(' ').filter(Boolean)) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.includes('worker')) found.push(pid);
    }
  }
  return found.sort();
}

it('small jobs run next to a large one, which continues', async () => {
  const { engine, asked, release } = gatedEngine();
  await enter({ engine, limits: { turnMs: 60_000 } });
  const [account, other] = [await addAccount(room), await addAccount(room)];
  const id = await createJob(room, account, { content: large(), targets: 'fr,de' });
  await until(() => Promise.resolve(asked.length >= 100), 'the large one runs');
  for (const owner of [account, other, account]) await ended(room, owner, await createJob(room, owner));
  const units = await room.database.sql
    .selectFrom('job_units')
    .select(['language_code', 'status', 'attempts'])
    .where('job_id', '=', id)
    .orderBy('position')
    .execute();
  expect(units).toEqual([
    { language_code: 'fr', status: 'running', attempts: 1 },
    { language_code: 'de', status: 'pending', attempts: 0 },
  ]);
  release();
  expect(await ended(room, account, id)).toMatchObject({ status: 'completed', failed_keys: 0 });
  await checkBooks(room);
});

it('a smaller job that is not small overtakes a large one, which then continues', async () => {
  const { engine, asked, release } = gatedEngine();
  await enter({ engine, limits: { turnMs: 100 } });
  const [account, other] = [await addAccount(room), await addAccount(room)];
  const id = await createJob(room, account, { content: huge(), targets: 'fr,de' });
  await until(() => Promise.resolve(asked.length >= 100), 'the large one runs');
  const mine = await createJob(room, account, { content: medium() });
  const theirs = await createJob(room, other, { content: medium() });
  await ended(room, account, mine);
  await ended(room, other, theirs);
  expect((await status(room, account, id)).completed_at).toBeNull();
  release();
  expect(await ended(room, account, id)).toMatchObject({ status: 'completed', failed_keys: 0 });
  await checkBooks(room);
});

it('the next large unit makes room if the first waits for its engine', async () => {
  const { engine, asked, release } = gatedEngine();
  await enter({ engine, workers: 2, limits: { turnMs: 100 } });
  const [account, second, other] = [await addAccount(room), await addAccount(room), await addAccount(room)];
  const held = await createJob(room, account, { content: huge('Held') });
  await until(() => Promise.resolve(asked.length >= 100), 'the held one runs');
  const id = await createJob(room, second, { content: huge() });
  await until(() => Promise.resolve(asked.length >= 200), 'the large one runs');
  await ended(room, other, await createJob(room, other, { content: medium() }));
  expect((await status(room, account, held)).completed_at).toBeNull();
  expect((await status(room, second, id)).completed_at).toBeNull();
  release();
  expect(await ended(room, account, held)).toMatchObject({ status: 'completed', failed_keys: 0 });
  expect(await ended(room, second, id)).toMatchObject({ status: 'completed', failed_keys: 0 });
  const texts = asked.filter((text) => text.startsWith('fr Held'));
  expect(texts).toHaveLength(KEYS);
  expect(new Set(texts).size).toBe(KEYS);
  await checkBooks(room);
});

it.skipIf(process.platform !== 'linux')(
  'a small job runs next to one with few keys and many bytes',
  async () => {
    const { engine, asked, release } = gatedEngine();
    await enter({ engine, limits: { turnMs: 60_000 } });
    const [account, other] = [await addAccount(room), await addAccount(room)];
    const sentences = Array.from({ length: 60_000 }, (_, i) => `Large text ${i}. `);
    const content = JSON.stringify({ one: sentences.join('') });
    const before = new Set(await workers());
    const id = await createJob(room, account, { content });
    await until(() => Promise.resolve(asked.length > 0), 'the large one runs');
    // A process takes longer to start than a small job.
    const ready = await until(async () => {
      const started = (await workers()).filter((pid) => !before.has(pid));
      return started.length === 3 && started;
    }, 'one translates, one is ready to, and one to read small uploads');
    await ended(room, other, await createJob(room, other));
    expect((await workers()).filter((pid) => !before.has(pid))).toEqual(ready);
    expect((await status(room, account, id)).completed_at).toBeNull();
    expect(asked.every((text) => text.length <= 8_010)).toBe(true);
    release();
    expect(await ended(room, account, id)).toMatchObject({ status: 'completed', translated_keys: 1 });
  },
);

it('a long unit yields to an equally large job of another account, and continues later', async () => {
  const { engine, asked, release } = gatedEngine();
  let skew = 0;
  await enter({ engine, limits: { turnMs: 100 }, now: () => Date.now() + skew });
  const [account, other] = [await addAccount(room), await addAccount(room)];
  // Too many bytes to run next to another one.
  const text = (name: string, i: number): string => `Large ${name} ${i} ${'and more '.repeat(170)}`;
  const content = (name: string): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`key${i}`, text(name, i)])));
  const id = await createJob(room, account, { content: content('first') });
  const own = await createJob(room, account, { content: content('own') });
  await until(() => Promise.resolve(asked.length >= 100), 'the first one runs');
  const theirs = await createJob(room, other, { content: content('other') });
  const unitOf = async (job: string) => (await room.instance.jobs.units(job))[0];
  expect(await unitOf(id)).toMatchObject({ status: 'running' });
  skew = 200_000;
  await until(async () => (await unitOf(theirs))?.status === 'running', 'the other has a turn');
  expect(await unitOf(id)).toMatchObject({ status: 'pending' });
  expect(await unitOf(own)).toMatchObject({ status: 'pending', translated_keys: 0 });
  release();
  for (const [owner, job] of [
    [account, id],
    [other, theirs],
    [account, own],
  ] as const)
    expect(await ended(room, owner, job)).toMatchObject({ status: 'completed', translated_keys: 200 });
  expect(asked).toHaveLength(600);
  expect(new Set(asked).size).toBe(600);
  await checkBooks(room);
});

it('the reported progress never decreases', async () => {
  const { engine, asked, release } = gatedEngine();
  await enter({ engine, limits: { turnMs: 100 } });
  const account = await addAccount(room);
  const id = await createJob(room, account, { content: huge() });
  const seen: number[] = [];
  const look = async (): Promise<JobWithFiles> => {
    const job = await status(room, account, id);
    seen.push(job.translated_keys);
    return job;
  };
  await until(
    async () => asked.length >= 100 && (await look()).translated_keys > 0,
    'some of it is reported',
  );
  // Interrupts the large job, which then starts again.
  const smaller = await createJob(room, account, { content: medium() });
  await until(async () => {
    await look();
    return (await status(room, account, smaller)).completed_at !== null;
  }, 'the smaller one ends');
  release();
  await until(async () => (await look()).completed_at !== null, 'the large one ends');
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(KEYS);
});
