import { expect } from 'vitest';

/** Waits until a condition holds, long enough for a busy machine. */
export function eventually(value: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(value, { interval: 10, timeout: 45_000 });
}
