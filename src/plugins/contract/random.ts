/** Random numbers, the same in every run with the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 up to, but not including, `bound`. */
  below(bound: number): number {
    // The mulberry32 generator.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  /** True in one of `times` calls on average. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<const Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number];
  pick<T>(items: readonly T[]): T | undefined;
  pick(items: readonly unknown[]): unknown {
    return items[this.below(items.length)];
  }

  /** Start and end of a piece within this length, usually short. */
  range(length: number): readonly [start: number, end: number] {
    const start = this.below(length + 1);
    const most = this.once(6) ? length : 24;
    return [start, Math.min(length, start + this.below(most + 1))];
  }
}

/** The seed of one trial of a campaign, so that a trial can be repeated alone. */
export function seedOf(campaign: number, trial: number): number {
  return (Math.imul(campaign ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(trial + 1, 0xc2b2ae35)) >>> 0;
}
