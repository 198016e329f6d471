import { DragomanError } from '../base/errors.ts';

/** Credits of a service that a run may spend. All engines and jobs of the run share one. */
export class Budget {
  readonly #limit: number;
  #spent = 0;

  /** @param limit in credits; default: what the account has */
  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  /** Credits that were or may have been charged: those of a request whose answer was lost are among them. */
  get spent(): number {
    return this.#spent;
  }

  /** Takes as many whole portions of `price` credits as there is budget for, `count` at most; says how many. */
  take(count: number, price = 1): number {
    const taken = price <= 0 ? count : Math.min(count, Math.floor((this.#limit - this.#spent) / price));
    this.#spent += taken * price;
    return taken;
  }

  /** What was taken, and certainly not charged. */
  giveBack(credits: number): void {
    this.#spent -= credits;
  }

  exhausted(): DragomanError {
    return new DragomanError(
      'insufficient_credits',
      `the budget of ${this.#limit.toLocaleString('en')} credits does not allow more`,
      { hint: 'Finished translations are saved. Set a higher --max-credits to continue.' },
    );
  }
}
