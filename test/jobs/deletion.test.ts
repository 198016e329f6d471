import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { addAccount, createJob, ended, openRoom, until, type Room, type RoomOptions } from './room.ts';

const noSignal = { signal: new AbortController().signal };
const BEGIN = Date.now();
/** Texts per call of the engine. */
const BATCH = 5;
/** Concurrent calls. */
const CALLS = 4;

/** Releases its calls one by one, and answers even if interrupted, like paid engines. */
function heldEngine(): Engine & { readonly calls: (() => void)[]; readonly signals: AbortSignal[] } {
  const pseudo = createPseudoEngine();
  const calls: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  return {
    ...pseudo,
    isPseudo: false,
    batch: { texts: BATCH, characters: 10_000 },
    calls,
    signals,
    async translate(request, signal) {
      signals.push(signal);
      await new Promise<void>((resolve) => calls.push(resolve));
      const outcomes = await pseudo.translate(request, noSignal.signal);
      return outcomes.map((outcome, i) =>
        request.texts[i]?.includes('FAIL') ? { failure: 'the engine does not want to' } : outcome,
      );
    },
  };
}

const content = (count: number, textOf = (i: number) => `Text number ${i}`): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, textOf(i)])));

async function open(engine: Engine, options?: RoomOptions): Promise<{ room: Room; account: string }> {
  // Time stands still: otherwise a process for small units would start the next unit beside a long one.
  const room = await openRoom({ engine, now: () => BEGIN, ...options });
  onTestFinished(() => room.close());
  return { room, account: await addAccount(room, 1_000) };
}

async function creditsOf(room: Room, account: string) {
  const found = await room.store.accounts.find(account);
  return { balance: found?.balance, reserved: found?.reserved };
}

async function settled(room: Room, account: string): Promise<number | undefined> {
  await until(async () => (await creditsOf(room, account)).reserved === 0, 'all is settled');
  return (await creditsOf(room, account)).balance;
}

it('a deletion charges the keys whose answers reached the server, including pending ones, and starts nothing more', async () => {
  const engine = heldEngine();
  const { room, account } = await open(engine);
  const id = await createJob(room, account, { content: content(60), targets: 'fr,de' });
  await until(() => Promise.resolve(engine.calls.length === CALLS), 'the engine is asked');
  engine.calls[0]?.();
  await until(() => Promise.resolve(engine.calls.length === CALLS + 1), 'the engine is asked again');
  await room.jobs.of(account).deleteJob(id, noSignal);
  await expect(room.jobs.of(account).jobStatus(id, noSignal)).rejects.toMatchObject({ code: 'not_found' });
  await expect(stat(join(room.directory, 'jobs', id))).rejects.toThrow('ENOENT');
  // The credits of unstarted work are released immediately.
  expect(await creditsOf(room, account)).toEqual({ balance: 1_000, reserved: 60 });
  for (const answer of engine.calls) answer();
  expect(await settled(room, account)).toBe(1_000 - BATCH * (CALLS + 1));
  expect(engine.calls).toHaveLength(CALLS + 1);
  const ledger = await room.database.sql
    .selectFrom('ledger')
    .selectAll()
    .where('reference', '=', id)
    .execute();
  expect(ledger.map(({ amount }) => amount)).toEqual([-BATCH * (CALLS + 1)]);
  await until(
    () =>
      stat(join(room.directory, 'jobs', id)).then(
        () => false,
        () => true,
      ),
    'nothing is left',
  );
});

/** A unit that waits for answers makes room for a job of another account. */
async function yielding() {
  const engine = heldEngine();
  let skew = 0;
  const limits = { turnMs: 20, lookMs: 3_600_000 };
  const { room, account } = await open(engine, { limits, now: () => BEGIN + skew });
  const other = await addAccount(room);
  const id = await createJob(room, account, { content: content(60) });
  await until(() => Promise.resolve(engine.calls.length === CALLS), 'the engine is asked');
  engine.calls[0]?.();
  await until(() => Promise.resolve(engine.calls.length === CALLS + 1), 'the engine is asked again');
  const theirs = await createJob(room, other, { content: content(60) });
  skew = 200_000;
  await until(() => Promise.resolve(engine.signals.at(-1)?.aborted), 'it makes room');
  // Longer than the time that a worker gets to stop.
  await delay(1_500);
  return { engine, room, account, other, id, theirs };
}

it('a deletion charges pending answers of a unit that made room for another job before the deletion', async () => {
  const { engine, room, account, id } = await yielding();
  await room.jobs.of(account).deleteJob(id, noSignal);
  for (const answer of engine.calls.slice(0, CALLS + 1)) answer();
  expect(await settled(room, account)).toBe(1_000 - BATCH * (CALLS + 1));
});

it('a unit that made room while it waited for answers requests nothing twice', async () => {
  const { engine, room, account, other, id, theirs } = await yielding();
  const answering = setInterval(() => engine.calls.splice(0).forEach((answer) => answer()), 20);
  onTestFinished(() => clearInterval(answering));
  await ended(room, other, theirs);
  expect(await ended(room, account, id)).toMatchObject({ status: 'completed', translated_keys: 60 });
  expect(engine.signals).toHaveLength((2 * 60) / BATCH);
});

it('a unit that makes room returns to the queue when the server ends before its engine answers', async () => {
  const { room, id } = await yielding();
  await room.jobs.close(0);
  const [unit] = await room.instance.jobs.units(id);
  expect(unit).toMatchObject({ status: 'pending', instance_id: null, translated_keys: BATCH });
});

it('a unit that makes room stays with a process that has taken it over', async () => {
  const { engine, room, account, other, id, theirs } = await yielding();
  const successor = await room.store.register();
  onTestFinished(() => successor.close());
  const held = { instance_id: successor.id };
  await room.database.sql.updateTable('job_units').set(held).where('job_id', '=', id).execute();
  const before = await creditsOf(room, account);
  const answering = setInterval(() => engine.calls.splice(0).forEach((answer) => answer()), 20);
  onTestFinished(() => clearInterval(answering));
  await ended(room, other, theirs);
  expect(await room.instance.jobs.units(id)).toMatchObject([{ status: 'running', ...held }]);
  expect(await creditsOf(room, account)).toEqual(before);
});

it('a deletion charges nothing for keys that failed', async () => {
  const engine = heldEngine();
  const { room, account } = await open(engine);
  const text = (i: number): string => (i < 7 ? `FAIL ${i}` : `Text number ${i}`);
  const id = await createJob(room, account, { content: content(60, text) });
  await until(() => Promise.resolve(engine.calls.length === CALLS), 'the engine is asked');
  await room.jobs.of(account).deleteJob(id, noSignal);
  for (const answer of engine.calls) answer();
  expect(await settled(room, account)).toBe(1_000 - (BATCH * CALLS - 7));
});

it('a deletion charges the answers received before the server ended', async () => {
  const engine = heldEngine();
  const { room, account } = await open(engine);
  const id = await createJob(room, account, { content: content(60) });
  await until(() => Promise.resolve(engine.calls.length === CALLS), 'the engine is asked');
  for (const answer of engine.calls.splice(0)) answer();
  await until(async () => {
    const [unit] = await room.instance.jobs.units(id);
    return unit?.translated_keys === BATCH * CALLS && engine.calls.length === CALLS;
  }, 'the progress is stored');
  await room.jobs.of(account).deleteJob(id, noSignal);
  const { store, directory } = room;
  await room.jobs.close(0);
  await room.instance.close();
  expect(await creditsOf(room, account)).toEqual({ balance: 1_000 - BATCH * CALLS, reserved: 0 });
  for (const answer of engine.calls) answer();
  expect(store && directory).toBeTruthy();
});
