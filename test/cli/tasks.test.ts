import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { doTasks } from '../../src/cli/documents/run.ts';

const failure = new DragomanError('insufficient_credits', 'none left');

/** Items whose tasks end on command, in any order. */
function tasksOf(count: number) {
  const started: number[] = [];
  const ends: { resolve: (value: number) => void; reject: (error: unknown) => void }[] = [];
  const items = Array.from({ length: count }, (_, i) => i);
  const task = (item: number): Promise<number> => {
    started.push(item);
    return new Promise<number>((resolve, reject) => {
      ends[item] = { resolve, reject };
    });
  };
  return { started, ends, items, task };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('tasks', () => {
  it('run one after the other, or several at once, and return in order', async () => {
    const { started, ends, items, task } = tasksOf(3);
    const all = doTasks(items, task, { stopped: () => undefined, atOnce: 2 });
    expect(started).toEqual([0, 1]);
    ends[1]?.resolve(1);
    await tick();
    expect(started).toEqual([0, 1, 2]);
    ends[2]?.resolve(2);
    ends[0]?.resolve(0);
    await expect(all).resolves.toEqual({ done: [0, 1, 2], unavailable: [], error: undefined });
    const single = tasksOf(2);
    void doTasks(single.items, single.task, { stopped: () => undefined });
    expect(single.started).toEqual([0]);
  });

  it('end with the first error, and finish pending work', async () => {
    const { started, ends, items, task } = tasksOf(4);
    const all = doTasks(items, task, { stopped: () => undefined, atOnce: 2 });
    ends[0]?.reject(failure);
    await tick();
    ends[1]?.resolve(1);
    await expect(all).resolves.toEqual({ done: [1], unavailable: [], error: failure });
    expect(started).toEqual([0, 1]);
  });

  it('end when stopped, and report the task that was stopped', async () => {
    const { started, ends, items, task } = tasksOf(2);
    const all = doTasks(items, task, { stopped: () => failure });
    ends[0]?.resolve(0);
    await expect(all).resolves.toEqual({ done: [0], unavailable: [], error: failure });
    expect(started).toEqual([0]);
  });

  it('do not end with an error if no engine supports the languages of a task, even if it is the only one', async () => {
    const error = new DragomanError('engine_unavailable', 'no engine');
    const task = (item: string): Promise<string> =>
      item === 'xx' ? Promise.reject(error) : Promise.resolve(item);
    const unavailable = [{ item: 'xx', error }];
    const stopped = (): undefined => undefined;
    await expect(doTasks(['de', 'xx', 'es'], task, { stopped })).resolves.toMatchObject({
      done: ['de', 'es'],
      unavailable,
    });
    await expect(doTasks(['xx'], task, { stopped })).resolves.toMatchObject({ done: [], unavailable });
  });

  it('throw if nothing succeeded, and always for a defect', async () => {
    const { ends, items, task } = tasksOf(1);
    const nothing = doTasks(items, task, { stopped: () => undefined });
    ends[0]?.reject(failure);
    await expect(nothing).rejects.toBe(failure);
    const broken = (item: number): Promise<number> =>
      item === 0 ? Promise.resolve(1) : Promise.reject(new TypeError('x'));
    await expect(doTasks([0, 1], broken, { stopped: () => undefined })).rejects.toBeInstanceOf(TypeError);
  });
});
