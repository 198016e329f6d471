import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In bytes. A smaller heap is not worth collecting. */
const SMALL = 48_000_000;

/** Collects once the heap has grown by this factor since the start or the last collection. */
const GROWTH = 1.4;

/**
 * Collects garbage at moments when most of the heap is probably unused, such as after a language of a sync. V8 would
 * wait until the heap is several times as large as the live data.
 */
export class GarbageCollection {
  #least = leastAfter();
  #collect: (() => void) | undefined;

  collect(): void {
    if (getHeapStatistics().used_heap_size < this.#least) return;
    this.#collect ??= collector();
    this.#collect();
    this.#least = leastAfter();
  }
}

/** The heap size, in bytes, that triggers the next collection. */
function leastAfter(): number {
  return Math.max(SMALL, getHeapStatistics().used_heap_size * GROWTH);
}

/** Node provides the function only with a flag, which is set while a context is created. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return typeof collect === 'function' ? () => void Reflect.apply(collect, undefined, []) : () => undefined;
}
