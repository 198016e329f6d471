import { DragomanError, traitsOf } from '../base/errors.ts';
import { countCodePoints } from '../base/code-points.ts';
import { type Engine, type EngineOutcome, requestOf, wrapEngine } from './engine.ts';

/** An exact amount in units of 10⁻¹² of its currency, so that sums and products are exact. */
export type Money = bigint;

const DECIMALS = 12;
const ONE = 10n ** BigInt(DECIMALS);

/** An engine's price per character. The currency is only a label; empty if none was given. */
export interface Price {
  readonly perCharacter: Money;
  readonly currency: string;
}

export interface Amount {
  readonly money: Money;
  readonly currency: string;
}

const PRICE_HINT = 'Write it as 20/1M, 0.02/1k or 20 EUR/1M: an amount per number of characters.';
const AMOUNT_HINT = 'Write it as 5, 0.50 or 5 EUR.';
/** With up to 6 digits per million characters, each character costs a whole number of units. */
const PER = new Map([
  ['1', 1n],
  ['1k', 1_000n],
  ['1M', 1_000_000n],
]);

/** `20/1M`, `0.02/1k`, `20 EUR/1M`. @throws DragomanError `usage` */
export function parsePrice(text: string): Price {
  const [first = '', per = '', ...more] = text.split('/');
  const amount = readAmount(first);
  const characters = PER.get(per.trim());
  if (!amount || characters === undefined || more.length > 0) {
    throw new DragomanError('usage', `"${text}" is not a price`, { hint: PRICE_HINT });
  }
  return { perCharacter: amount.money / characters, currency: amount.currency };
}

/** `5`, `0.50`, `5 EUR`, `$5`. @throws DragomanError `usage` */
export function parseAmount(text: string): Amount {
  const amount = readAmount(text);
  if (!amount) throw new DragomanError('usage', `"${text}" is not an amount of money`, { hint: AMOUNT_HINT });
  return amount;
}

const CURRENCY = String.raw`(\p{Sc}|[A-Za-z]{3})?`;
const AMOUNT = new RegExp(`^${CURRENCY} ?(\\d{1,9})(?:\\.(\\d{1,6}))? ?${CURRENCY}$`, 'u');

function readAmount(text: string): Amount | undefined {
  const [found, before, whole, fraction = '', after] = AMOUNT.exec(text.trim()) ?? [];
  if (found === undefined || whole === undefined || (before && after)) return undefined;
  return {
    money: BigInt(whole) * ONE + BigInt(fraction.padEnd(DECIMALS, '0')),
    currency: before ?? after ?? '',
  };
}

/** `2.50`, `0.00034`: exact, with at least two decimals. */
export function decimalOf(money: Money): string {
  const fraction = (money % ONE).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return `${money / ONE}.${fraction.padEnd(2, '0')}`;
}

/** `2.50 EUR`; `2.50` without a currency. */
export function amountText({ money, currency }: Amount): string {
  return currency === '' ? decimalOf(money) : `${decimalOf(money)} ${currency}`;
}

/** The price of encoded texts. */
export function costOf(price: Price, texts: readonly string[]): Money {
  return texts.reduce((sum, text) => sum + price.perCharacter * BigInt(countCodePoints(text)), 0n);
}

/** The budget of a run, which all its engines share. */
export class Spending {
  readonly currency: string;
  readonly #limit: Money | undefined;
  #spent: Money = 0n;

  /** @param limit Default: none. */
  constructor(currency: string, limit?: Money) {
    this.currency = currency;
    this.#limit = limit;
  }

  /** The amount that was or may have been charged. */
  get spent(): Money {
    return this.#spent;
  }

  /** Reserves costs in order, as many as the budget covers; returns their number. */
  take(costs: readonly Money[]): number {
    for (const [i, cost] of costs.entries()) {
      if (this.#limit !== undefined && this.#spent + cost > this.#limit) return i;
      this.#spent += cost;
    }
    return costs.length;
  }

  /** Returns a reserved amount that was certainly not charged. */
  giveBack(cost: Money): void {
    this.#spent -= cost;
  }

  exhausted(): DragomanError {
    const limit = amountText({ money: this.#limit ?? 0n, currency: this.currency });
    return new DragomanError('insufficient_credits', `continuing would exceed the budget of ${limit}`, {
      hint: 'Finished translations are saved. Set a higher --max-cost to continue.',
    });
  }
}

/** The engine, limited to texts that the budget covers. Closing it closes the engine. */
export function withPrice(engine: Engine, price: Price, spending: Spending): Engine {
  return wrapEngine(engine, {
    async translate(request, signal) {
      const costs = request.texts.map((text) => costOf(price, [text]));
      const count = spending.take(costs);
      const left = request.texts.slice(count).map((): EngineOutcome => {
        const error = spending.exhausted();
        return { failure: error.message, error };
      });
      if (count === 0) return left;
      try {
        const outcomes = await engine.translate(
          requestOf(request, [...costs.keys()].slice(0, count)),
          signal,
        );
        for (const [i, outcome] of outcomes.entries()) {
          const isFree = 'failure' in outcome && outcome.error && traitsOf(outcome.error).uncertain !== true;
          if (isFree) spending.giveBack(costs[i] ?? 0n);
        }
        return [...outcomes, ...left];
      } catch (error) {
        if (error instanceof DragomanError && traitsOf(error).uncertain !== true)
          for (const cost of costs.slice(0, count)) spending.giveBack(cost);
        throw error;
      }
    },
  });
}
