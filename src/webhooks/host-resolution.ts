import { lookup as systemLookup } from 'node:dns/promises';
import PQueue from 'p-queue';
import { throwIfAborted, unlessAborted } from '../base/interruption.ts';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves all addresses of a name. It cannot be cancelled. */
export type Lookup = (hostname: string, options: { readonly all: true }) => Promise<readonly HostAddress[]>;

/**
 * Lookups cannot be cancelled and use Node's four threads, which file operations also need. Two at a time are enough
 * for fast names, and one for names that were slow before, so that slow ones never delay others.
 */
const QUICK_LANE = 2;
const SLOW_LANE = 1;
const SLOW_MS = 1_000;
const MAX_SLOW_NAMES = 1_000;

/** Resolves the addresses of receivers. Concurrent requests for a name share a lookup; results are not cached. */
export class HostResolution {
  readonly #lookup: Lookup;
  readonly #now: () => number;
  readonly #quick = new PQueue({ concurrency: QUICK_LANE });
  readonly #slow = new PQueue({ concurrency: SLOW_LANE });
  readonly #pending = new Map<string, Promise<readonly HostAddress[]>>();
  readonly #slowNames = new Set<string>();

  constructor(lookup: Lookup = systemLookup, now: () => number = () => performance.now()) {
    this.#lookup = lookup;
    this.#now = now;
  }

  /** Rejects with the system's error, or with DragomanError `interrupted` as soon as `signal` aborts. */
  async resolve(hostname: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
    throwIfAborted(signal);
    let pending = this.#pending.get(hostname);
    if (!pending) {
      const lane = this.#slowNames.has(hostname) ? this.#slow : this.#quick;
      pending = lane.add(() => this.#timed(hostname)).finally(() => this.#pending.delete(hostname));
      this.#pending.set(hostname, pending);
    }
    return unlessAborted(pending, signal);
  }

  async #timed(hostname: string): Promise<readonly HostAddress[]> {
    const started = this.#now();
    try {
      return await this.#lookup(hostname, { all: true });
    } finally {
      this.#slowNames.delete(hostname);
      if (this.#now() - started > SLOW_MS) this.#rememberSlow(hostname);
    }
  }

  #rememberSlow(hostname: string): void {
    for (const oldest of this.#slowNames) {
      if (this.#slowNames.size < MAX_SLOW_NAMES) break;
      this.#slowNames.delete(oldest);
    }
    this.#slowNames.add(hostname);
  }
}

/** Shared, because the threads belong to the process. */
export const hosts = new HostResolution();
