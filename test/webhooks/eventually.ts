import { expect } from 'vitest';

/** What becomes true, however busy the machine is. */
export function eventually(value: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(value, { interval: 10, timeout: 45_000 });
}
