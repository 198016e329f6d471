import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InspectionBudget } from '../../../src/jobs/inspection-budget.ts';
import { InFlight } from '../../../src/server/guards/in-flight.ts';
import { Coordinator } from '../../../src/server/processes/coordinator.ts';
import { join, type Joined } from '../joined.ts';

interface Process extends Joined {
  readonly inFlight: InFlight;
  /** Ends the requests in progress. */
  readonly leave: (() => void)[];
}

async function open(count: number, limit: number): Promise<{ coordinator: Coordinator; all: Process[] }> {
  const coordinator = new Coordinator();
  onTestFinished(() => coordinator.close());
  const all = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const joined = await join(coordinator, i, count);
      return { ...joined, inFlight: new InFlight(limit, joined.siblings), leave: [] };
    }),
  );
  return { coordinator, all };
}

/** Whether the process may start the request. */
async function enter({ inFlight, leave }: Process, key = 'k', limit?: number): Promise<boolean> {
  try {
    leave.push(await inFlight.enter(key, limit));
    return true;
  } catch {
    return false;
  }
}

const leaveAll = (processes: readonly Process[]): void => {
  for (const { leave } of processes) for (const left of leave.splice(0)) left();
};

describe('the count of a key’s running requests across the processes of a server', () => {
  it.each([
    [2, 64],
    [3, 64],
    [4, 3],
    [2, 1],
  ])('%d processes: a limit of %d holds, no matter where the requests arrive', async (count, limit) => {
    const { all } = await open(count, limit);
    const [first, last] = [all[0], all.at(-1)];
    if (!first || !last) throw new Error('there is no process');
    // All requests arrive at one process, and then at all processes in turn.
    for (const places of [[first], [last], all]) {
      for (let i = 0; i < limit; i++) expect(await enter(places[i % places.length] ?? first)).toBe(true);
      for (const one of all) expect(await enter(one)).toBe(false);
      expect(await last.inFlight.of('k')).toBe(limit);
      expect(await last.inFlight.of('other')).toBe(0);
      leaveAll(all);
      await turn();
      await turn();
    }
  });

  it('never exceeds the limit, and refuses no request without a reason, in any order of events', async () => {
    const event = fc.tuple(fc.nat(2), fc.constantFrom('enter', 'enter', 'leave', 'turn'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        async (events, limit) => {
          const { all } = await open(3, limit);
          const pending: Promise<unknown>[] = [];
          let inWork = 0;
          let most = 0;
          for (const [index, what] of events) {
            const process = all[index];
            if (!process) throw new Error('there is no such process');
            if (what === 'turn') await turn();
            else if (what === 'leave') {
              const left = process.leave.pop();
              if (left) inWork--;
              left?.();
            } else
              pending.push(
                enter(process).then((isIn) => {
                  if (isIn) most = Math.max(most, ++inWork);
                  return undefined;
                }),
              );
          }
          await Promise.all(pending);
          expect(most).toBeLessThanOrEqual(limit);
          leaveAll(all);
          for (let i = 0; i < 3; i++) await turn();
          for (let i = 0; i < limit; i++) expect(await enter(all[i % 3] ?? fail())).toBe(true);
          for (const one of all) expect(await enter(one)).toBe(false);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('forgets the requests of a process that died', async () => {
    const { coordinator, all } = await open(2, 4);
    const [first, second] = all;
    if (!first || !second) throw new Error('there is no process');
    for (let i = 0; i < 4; i++) expect(await enter(first)).toBe(true);
    expect(await enter(second)).toBe(false);
    coordinator.drop(first.member);
    for (let i = 0; i < 4; i++) expect(await enter(second)).toBe(true);
    // Its successor learns which keys are counted together.
    const next: Process = await join(coordinator, 0, 2).then((joined) => ({
      ...joined,
      inFlight: new InFlight(4, joined.siblings),
      leave: [],
    }));
    expect(await enter(next)).toBe(false);
  });

  it('sends no further requests once none is in progress', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { all } = await open(2, 4);
    const [first, second] = all;
    if (!first || !second) throw new Error('there is no process');
    for (let i = 0; i < 3; i++) expect(await enter(first)).toBe(true);
    expect(second.siblings.isShared('k')).toBe(true);
    leaveAll(all);
    await turn();
    vi.advanceTimersByTime(1_000);
    await turn();
    expect([first, second].map(({ siblings }) => siblings.isShared('k'))).toEqual([false, false]);
    expect(await enter(second)).toBe(true);
    expect(second.siblings.isShared('k')).toBe(false);
  });

  it('applies the lower limit of an account', async () => {
    const { all } = await open(2, 64);
    const [first, second] = all;
    if (!first || !second) throw new Error('there is no process');
    expect([await enter(first, 'k', 2), await enter(first, 'k', 2)]).toEqual([true, true]);
    expect(await enter(second, 'k', 2)).toBe(false);
    expect(await enter(second, 'k', 3)).toBe(true);
  });
});

describe('processes of a server tell each other', () => {
  it('how long they read uploads', async () => {
    const { all } = await open(2, 64);
    let now = 0;
    const budgets = all.map(
      ({ siblings }) => new InspectionBudget({ ms: 1, windowMs: 60_000, now: () => now, others: siblings }),
    );
    const end = budgets[0]?.begin('a');
    await new Promise((resolve) => setTimeout(resolve, 5));
    end?.();
    await turn();
    await turn();
    await turn();
    for (const budget of budgets) expect(() => budget.require('a')).toThrow(/took more than/);
    budgets[1]?.require('b');
    now = 60_000;
    for (const budget of budgets) budget.require('a');
  });

  it('the work that waits in the store', async () => {
    const { all } = await open(3, 64);
    const heard: string[] = [];
    for (const [i, { siblings }] of all.entries()) siblings.onNews((news) => heard.push(`${i} ${news}`));
    all[1]?.siblings.announce('deleted x');
    for (let i = 0; i < 3; i++) await turn();
    expect(heard).toEqual(['0 deleted x', '2 deleted x']);
  });

  it('the metrics of all processes, except one that does not answer', async () => {
    const { coordinator, all } = await open(3, 64);
    for (const [i, { siblings }] of all.entries()) {
      siblings.readMetricsBy(() => (i === 1 ? Promise.reject(new Error('busy')) : Promise.resolve([{ i }])));
    }
    expect(await all[0]?.siblings.metrics()).toEqual([[{ i: 0 }], [], [{ i: 2 }]]);
    coordinator.drop(all[2]?.member ?? fail());
    expect(await all[0]?.siblings.metrics()).toEqual([[{ i: 0 }], []]);
  });
});

function fail(): never {
  throw new Error('there is no such process');
}
