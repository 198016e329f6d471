import { DragomanError } from '../base/errors.ts';

/** Credits of a service that a run may spend. All engines and jobs of the run share one. */
export class Budget {
  readonly #limit: number;
  /** With what may have been charged. */
  #taken = 0;
  #spent = 0;

  /** @param limit in credits; default: what the account has */
  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  /** Credits that answers say were charged. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Takes as many whole portions of `price` credits as there is budget for, `count` at most; says how many. Those of a
   * request whose answer is lost stay taken, since they may have been charged, but are not spent as far as is known.
   */
  take(count: number, price = 1): number {
    const taken = price <= 0 ? count : Math.min(count, Math.floor((this.#limit - this.#taken) / price));
    this.#taken += taken * price;
    return taken;
  }

  /** Credits that were taken and certainly not charged. */
  giveBack(credits: number): void {
    this.#taken -= credits;
  }

  /** Credits that were taken, and are charged according to an answer. */
  spend(credits: number): void {
    this.#spent += credits;
  }

  exhausted(): DragomanError {
    return new DragomanError(
      'insufficient_credits',
      `the budget of ${this.#limit.toLocaleString('en')} credits does not allow more`,
      { hint: 'Finished translations are saved. Set a higher --max-credits to continue.' },
    );
  }
}
