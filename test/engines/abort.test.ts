import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { whileListening } from '../../src/workers/abandon.ts';

describe('whileListening', () => {
  it('removes its listener after success and failure', async () => {
    const { signal } = new AbortController();
    const calls = Array.from({ length: 50 }, (_, i) =>
      whileListening(signal, [], () => (i % 2 === 0 ? Promise.resolve(i) : Promise.reject(new Error('no')))),
    );
    await Promise.allSettled(calls);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('abandons its targets when the signal aborts, and rejects immediately', async () => {
    const controller = new AbortController();
    const abandoned: AbortSignal[] = [];
    const target = {
      abandon: (signal: AbortSignal) => void abandoned.push(signal),
      withdraw: () => undefined,
    };
    const call = whileListening(controller.signal, [target], () => new Promise(() => undefined));
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    expect(abandoned).toEqual([controller.signal]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
