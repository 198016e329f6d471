import type { CallLimits } from '../delivery-store.ts';

/** A call that is due and not claimed. */
export interface DueDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly origin: string;
}

/** A call under way. */
export type Owner = Pick<DueDelivery, 'accountId' | 'origin'>;

/**
 * Which of the calls that are due to begin now: always one of the account that has the fewest under way, and of its
 * receivers the one with the fewest. Where they are equal, in the order of `due`.
 */
export function chooseFairly(
  due: readonly DueDelivery[],
  running: Iterable<Owner>,
  limits: CallLimits,
): readonly DueDelivery[] {
  const load = new Load(running);
  const waiting = new Set(due);
  const chosen: DueDelivery[] = [];
  while (load.total < limits.total) {
    let best: DueDelivery | undefined;
    for (const one of waiting) {
      const isFull = load.ofAccount(one) >= limits.perAccount || load.ofOrigin(one) >= limits.perOrigin;
      if (!isFull && (best === undefined || load.isLess(one, best))) best = one;
    }
    if (best === undefined) break;
    waiting.delete(best);
    load.add(best);
    chosen.push(best);
  }
  return chosen;
}

/** Calls under way, counted by account and by receiver. */
export class Load {
  readonly #accounts = new Map<string, number>();
  readonly #origins = new Map<string, number>();
  total = 0;

  constructor(running: Iterable<Owner>) {
    for (const owner of running) this.add(owner);
  }

  add({ accountId, origin }: Owner): void {
    this.total++;
    this.#accounts.set(accountId, (this.#accounts.get(accountId) ?? 0) + 1);
    this.#origins.set(origin, (this.#origins.get(origin) ?? 0) + 1);
  }

  ofAccount({ accountId }: Owner): number {
    return this.#accounts.get(accountId) ?? 0;
  }

  ofOrigin({ origin }: Owner): number {
    return this.#origins.get(origin) ?? 0;
  }

  isLess(one: Owner, other: Owner): boolean {
    const difference =
      this.ofAccount(one) - this.ofAccount(other) || this.ofOrigin(one) - this.ofOrigin(other);
    return difference < 0;
  }

  /** Those that have reached a limit. */
  full({ perAccount, perOrigin }: CallLimits): { accounts: readonly string[]; origins: readonly string[] } {
    const keysFrom = (counts: ReadonlyMap<string, number>, limit: number): readonly string[] =>
      [...counts].filter(([, count]) => count >= limit).map(([key]) => key);
    return { accounts: keysFrom(this.#accounts, perAccount), origins: keysFrom(this.#origins, perOrigin) };
  }
}
