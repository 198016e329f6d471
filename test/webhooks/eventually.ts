import { expect } from 'vitest';

/** A condition that becomes true, however busy the machine is. */
export function eventually(value: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(value, { interval: 10, timeout: 45_000 });
}
