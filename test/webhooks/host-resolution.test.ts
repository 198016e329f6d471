import { describe, expect, it, vi } from 'vitest';
import { HostResolution, type HostAddress, type Lookup } from '../../src/webhooks/host-resolution.ts';

const never = new AbortController().signal;
const ANSWER: readonly HostAddress[] = [{ address: '1.1.1.1', family: 4 }];

/** A system whose lookups end on command, and a clock. */
function heldLookups() {
  const held = new Map<string, () => void>();
  let now = 0;
  const resolution = new HostResolution(
    (hostname) =>
      new Promise((resolve) => {
        held.set(hostname, () => resolve(ANSWER));
      }),
    () => now,
  );
  const begun = () => [...held.keys()];
  const release = (hostname: string, afterMs = 0) => {
    now += afterMs;
    held.get(hostname)?.();
    held.delete(hostname);
  };
  return { resolution, begun, release };
}

describe('lookups', () => {
  it('of one name are shared', async () => {
    const lookup = vi.fn<Lookup>(() => Promise.resolve(ANSWER));
    const resolution = new HostResolution(lookup);
    await Promise.all([resolution.resolve('a', never), resolution.resolve('a', never)]);
    expect(lookup).toHaveBeenCalledTimes(1);
    await resolution.resolve('a', never);
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  it('run two at a time', async () => {
    const { resolution, begun, release } = heldLookups();
    const all = Promise.all(['a', 'b', 'c'].map((name) => resolution.resolve(name, never)));
    await vi.waitFor(() => expect(begun()).toEqual(['a', 'b']));
    release('a');
    await vi.waitFor(() => expect(begun()).toEqual(['b', 'c']));
    release('b');
    release('c');
    expect(await all).toEqual([ANSWER, ANSWER, ANSWER]);
  });

  it('of slow names do not block others', async () => {
    const { resolution, begun, release } = heldLookups();
    const names = ['slow1', 'slow2', 'slow3'];
    for (const name of names) {
      const first = resolution.resolve(name, never);
      await vi.waitFor(() => expect(begun()).toEqual([name]));
      release(name, 1_001);
      await first;
    }
    const again = [...names, 'quick'].map((name) => resolution.resolve(name, never));
    await vi.waitFor(() => expect(begun()).toEqual(['slow1', 'quick']));
    for (const name of ['quick', ...names]) {
      await vi.waitFor(() => expect(begun()).toContain(name));
      release(name);
    }
    await Promise.all(again);
    // These names were resolved quickly the last time.
    const forgiven = names.slice(0, 2).map((name) => resolution.resolve(name, never));
    await vi.waitFor(() => expect(begun()).toEqual(['slow1', 'slow2']));
    for (const name of names) release(name);
    await Promise.all(forgiven);
  });

  it('that are aborted reject immediately', async () => {
    const { resolution } = heldLookups();
    const controller = new AbortController();
    const pending = resolution.resolve('a', controller.signal);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'interrupted' });
    await expect(resolution.resolve('b', controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
  });
});
