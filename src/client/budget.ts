import { DragomanError } from '../base/errors.ts';

/** The credits of a service that a run may spend. All engines and jobs of the run share it. */
export class Budget {
  readonly #limit: number;
  /** Includes credits that may have been charged. */
  #taken = 0;
  #spent = 0;

  readonly #hint: string;

  /**
   * @param limit in credits; default: the account's balance
   * @param hint what to do when it is exhausted
   */
  constructor(
    limit = Infinity,
    hint = 'Finished translations are saved. Set a higher --max-credits to continue.',
  ) {
    this.#limit = limit;
    this.#hint = hint;
  }

  /** Credits charged according to answers. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Reserves as many whole portions of `price` credits as the budget allows, at most `count`; returns their number. If
   * an answer is lost, its credits stay reserved, because they may have been charged, but do not count as spent.
   */
  take(count: number, price = 1): number {
    const taken = price <= 0 ? count : Math.min(count, Math.floor((this.#limit - this.#taken) / price));
    this.#taken += taken * price;
    return taken;
  }

  /** Returns reserved credits that certainly were not charged. */
  giveBack(credits: number): void {
    this.#taken -= credits;
  }

  /** Records reserved credits as charged, according to an answer. */
  spend(credits: number): void {
    this.#spent += credits;
  }

  exhausted(): DragomanError {
    return new DragomanError(
      'insufficient_credits',
      `the budget of ${this.#limit.toLocaleString('en')} credits does not cover the rest`,
      { hint: this.#hint },
    );
  }
}
