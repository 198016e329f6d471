import { DragomanError, traitsOf } from '../base/errors.ts';
import { countCodePoints } from '../base/code-points.ts';
import { type Engine, type EngineOutcome, requestOf } from './engine.ts';

/** An exact amount in units of 10⁻¹² of its currency: neither sums nor products of it drift. */
export type Money = bigint;

const DECIMALS = 12;
const ONE = 10n ** BigInt(DECIMALS);

/** What an engine takes for a character. The currency is a label only; empty where none was named. */
export interface Price {
  readonly perCharacter: Money;
  readonly currency: string;
}

export interface Amount {
  readonly money: Money;
  readonly currency: string;
}

const PRICE_HINT = 'Write it as 20/1M, 0.02/1k or 20 EUR/1M: an amount for so many characters.';
const AMOUNT_HINT = 'Write it as 5, 0.50 or 5 EUR.';
/** With up to 6 digits for a million characters, each character has a whole number of units. */
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

/** `2.50`, `0.00034`: exact, with two decimals at least. */
export function decimalOf(money: Money): string {
  const fraction = (money % ONE).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return `${money / ONE}.${fraction.padEnd(2, '0')}`;
}

/** `2.50 EUR`; `2.50` without a currency. */
export function amountText({ money, currency }: Amount): string {
  return currency === '' ? decimalOf(money) : `${decimalOf(money)} ${currency}`;
}

/** What texts cost as an engine gets them. */
export function costOf(price: Price, texts: readonly string[]): Money {
  return texts.reduce((sum, text) => sum + price.perCharacter * BigInt(countCodePoints(text)), 0n);
}

/** Money that a run may spend. All engines of the run share one. */
export class Spending {
  readonly currency: string;
  readonly #limit: Money | undefined;
  #spent: Money = 0n;

  /** @param limit default: none */
  constructor(currency: string, limit?: Money) {
    this.currency = currency;
    this.#limit = limit;
  }

  /** What was or may have been charged. */
  get spent(): Money {
    return this.#spent;
  }

  /** Takes the first costs that there is money for; says how many. */
  take(costs: readonly Money[]): number {
    for (const [i, cost] of costs.entries()) {
      if (this.#limit !== undefined && this.#spent + cost > this.#limit) return i;
      this.#spent += cost;
    }
    return costs.length;
  }

  /** What was taken, and certainly not charged. */
  giveBack(cost: Money): void {
    this.#spent -= cost;
  }

  exhausted(): DragomanError {
    const limit = amountText({ money: this.#limit ?? 0n, currency: this.currency });
    return new DragomanError('insufficient_credits', `the budget of ${limit} does not allow more`, {
      hint: 'Finished translations are saved. Set a higher --max-cost to continue.',
    });
  }
}

/** The same engine, which gets only texts that there is money for. It is closed as the engine itself is. */
export function withPrice(engine: Engine, price: Price, spending: Spending): Engine {
  return {
    id: engine.id,
    uses: engine.uses,
    isPseudo: engine.isPseudo,
    isImmediate: engine.isImmediate,
    batch: engine.batch,
    status: (signal) => engine.status(signal),
    supports: (source, target) => engine.supports(source, target),
    close: () => engine.close(),
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
  };
}
