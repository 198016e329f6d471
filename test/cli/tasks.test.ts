import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { doTasks } from '../../src/cli/tasks.ts';

const failure = new DragomanError('insufficient_credits', 'none left');

/** Tasks that end when they are told to, in any order. */
function tasksOf(count: number) {
  const started: number[] = [];
  const ends: { resolve: (value: number) => void; reject: (error: unknown) => void }[] = [];
  const tasks = Array.from({ length: count }, (_, i) => () => {
    started.push(i);
    return new Promise<number>((resolve, reject) => {
      ends[i] = { resolve, reject };
    });
  });
  return { started, ends, tasks };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('tasks', () => {
  it('go one after the other, or some at once, and come back in their order', async () => {
    const { started, ends, tasks } = tasksOf(3);
    const all = doTasks(tasks, { stopped: () => undefined, atOnce: 2 });
    expect(started).toEqual([0, 1]);
    ends[1]?.resolve(1);
    await tick();
    expect(started).toEqual([0, 1, 2]);
    ends[2]?.resolve(2);
    ends[0]?.resolve(0);
    await expect(all).resolves.toEqual({ done: [0, 1, 2], error: undefined });
    const single = tasksOf(2);
    void doTasks(single.tasks, { stopped: () => undefined });
    expect(single.started).toEqual([0]);
  });

  it('end with the first error, and keep what was under way', async () => {
    const { started, ends, tasks } = tasksOf(4);
    const all = doTasks(tasks, { stopped: () => undefined, atOnce: 2 });
    ends[0]?.reject(failure);
    await tick();
    ends[1]?.resolve(1);
    await expect(all).resolves.toEqual({ done: [1], error: failure });
    expect(started).toEqual([0, 1]);
  });

  it('end when something stops them, with the task that knew', async () => {
    const { started, ends, tasks } = tasksOf(2);
    const all = doTasks(tasks, { stopped: () => failure });
    ends[0]?.resolve(0);
    await expect(all).resolves.toEqual({ done: [0], error: failure });
    expect(started).toEqual([0]);
  });

  it('throw when nothing was done, and always what is a defect', async () => {
    const { ends, tasks } = tasksOf(1);
    const nothing = doTasks(tasks, { stopped: () => undefined });
    ends[0]?.reject(failure);
    await expect(nothing).rejects.toBe(failure);
    const broken = [() => Promise.resolve(1), () => Promise.reject(new TypeError('x'))];
    await expect(doTasks(broken, { stopped: () => undefined })).rejects.toBeInstanceOf(TypeError);
  });
});
