import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { addAccount, createJob, openRoom, until, type Room } from './room.ts';

const noSignal = { signal: new AbortController().signal };
const BEGIN = Date.now();
/** Texts per call of the engine. */
const BATCH = 5;
/** Concurrent calls. */
const CALLS = 4;

/** Releases its calls one by one, and answers even if interrupted, like paid engines. */
function heldEngine(): Engine & { readonly calls: (() => void)[] } {
  const pseudo = createPseudoEngine();
  const calls: (() => void)[] = [];
  return {
    ...pseudo,
    isPseudo: false,
    batch: { texts: BATCH, characters: 10_000 },
    calls,
    async translate(request) {
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

async function open(engine: Engine): Promise<{ room: Room; account: string }> {
  // Time stands still: otherwise a process for small units would start the next one next to a long unit.
  const room = await openRoom({ engine, now: () => BEGIN });
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

it('charges the keys whose answers reached the server, including pending ones, and starts nothing more', async () => {
  const engine = heldEngine();
  const { room, account } = await open(engine);
  const id = await createJob(room, account, { content: content(60), targets: 'fr,de' });
  await until(() => Promise.resolve(engine.calls.length === CALLS), 'the engine is asked');
  engine.calls[0]?.();
  await until(() => Promise.resolve(engine.calls.length === CALLS + 1), 'the engine is asked again');
  await room.jobs.of(account).deleteJob(id, noSignal);
  await expect(room.jobs.of(account).jobStatus(id, noSignal)).rejects.toMatchObject({ code: 'not_found' });
  await expect(stat(join(room.directory, 'jobs', id))).rejects.toThrow('ENOENT');
  // Unstarted work is free at once.
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

it('charges nothing for keys that failed', async () => {
  const engine = heldEngine();
  const { room, account } = await open(engine);
  const text = (i: number): string => (i < 7 ? `FAIL ${i}` : `Text number ${i}`);
  const id = await createJob(room, account, { content: content(60, text) });
  await until(() => Promise.resolve(engine.calls.length === CALLS), 'the engine is asked');
  await room.jobs.of(account).deleteJob(id, noSignal);
  for (const answer of engine.calls) answer();
  expect(await settled(room, account)).toBe(1_000 - (BATCH * CALLS - 7));
});

it('charges the answers received before the server ended', async () => {
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
