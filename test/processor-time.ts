/**
 * Processor milliseconds of this process on a machine of ordinary speed, for limits on computing: a busy machine delays
 * a test, and a slow one needs more time for the same work, but neither computes more.
 */
export function processorTime(): number {
  return measured() / SLOWNESS;
}

/** Milliseconds that {@link compute} takes on an ordinary machine with a warm compiler. */
const ORDINARY = 1.2;

const ROWS = JSON.stringify(
  Array.from({ length: 2_000 }, (_, i) => ({ key: `key ${i}`, value: `value of ${i}` })),
);

/** How many times slower than an ordinary machine this one is; 1 for faster ones. */
const SLOWNESS = Math.max(1, leastTime() / ORDINARY);

function measured(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function leastTime(): number {
  const times = Array.from({ length: 10 }, () => {
    const begin = measured();
    compute();
    return measured() - begin;
  });
  return Math.min(...times);
}

/** Works like a reader of files: parses, collects words and reads each character. */
function compute(): number {
  const words = new Map<string, number>();
  for (const { key, value } of JSON.parse(ROWS) as readonly {
    readonly key: string;
    readonly value: string;
  }[])
    for (const word of value.split(' ')) words.set(word, (words.get(word) ?? 0) + key.length);
  let hash = 0;
  for (let i = 0; i < ROWS.length; i++) hash = Math.imul(hash, 31) + ROWS.charCodeAt(i);
  return hash + [...words.keys()].sort().length;
}
