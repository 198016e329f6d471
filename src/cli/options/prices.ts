import { InvalidArgumentError, type Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { Engine } from '../../engines/engine.ts';
import {
  decimalOf,
  parseAmount,
  parsePrice,
  withPrice,
  type Amount,
  type Price,
  type Spending,
} from '../../engines/price.ts';
import { AUTO_ENGINE, requireEngines } from '../../engines/registry.ts';
import { inGroup, markRare } from '../output/help.ts';
import type { SettingsFiles } from './setting.ts';

export interface PriceFlags {
  readonly price?: readonly NamedPrice[];
}

interface NamedPrice {
  /** Undefined for all engines of the run. */
  readonly engine: string | undefined;
  readonly price: Price;
}

export function addPriceOption(command: Command): void {
  inGroup(command, 'Engine', () =>
    command.option(
      '--price <price>',
      'engine price per million characters: 20/1M, or deepl=20/1M for one engine (repeatable)',
      (text: string, previous?: readonly NamedPrice[]) => [
        ...(previous ?? []),
        atOption(() => readNamed(text)),
      ],
    ),
  );
  markRare(command, '--price');
}

/** Commander's parser of an amount of money. */
export function amountOption(text: string): Amount {
  return atOption(() => parseAmount(text));
}

function readNamed(text: string): NamedPrice {
  const at = text.indexOf('=');
  if (at < 0) return { engine: undefined, price: parsePrice(text) };
  const engine = text.slice(0, at);
  requireEngines(engine);
  return { engine, price: parsePrice(text.slice(at + 1)) };
}

function atOption<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new InvalidArgumentError(`${error.message}. ${error.hint ?? ''}`);
  }
}

/**
 * The prices of engines: from flags, otherwise from the user's configuration, otherwise from the project's, which is
 * part of a checkout.
 */
export class Prices {
  readonly currency: string;
  readonly #all: Price | undefined;
  readonly #byEngine: ReadonlyMap<string, Price>;

  /** @throws DragomanError `usage` for prices in several currencies, which cannot be added */
  constructor(named: readonly NamedPrice[]) {
    this.#all = named.findLast(({ engine }) => engine === undefined)?.price;
    this.#byEngine = new Map(
      named.flatMap(({ engine, price }) => (engine === undefined ? [] : [[engine, price]])),
    );
    this.currency = onlyCurrency(named.map(({ price }) => price));
  }

  get isKnown(): boolean {
    return this.#all !== undefined || this.#byEngine.size > 0;
  }

  /** An engine's price; for `auto`, the highest price among its candidates. */
  of(engine: string): Price | undefined {
    const own = this.#byEngine.get(engine) ?? this.#all;
    if (own || engine !== AUTO_ENGINE) return own;
    return [...this.#byEngine.values()].reduce<Price | undefined>(
      (most, price) => (most && most.perCharacter >= price.perCharacter ? most : price),
      undefined,
    );
  }

  /** For the options of engines: makes each engine with a price charge `spending`. */
  chargerOf(spending: Spending): (engine: Engine) => Engine {
    return (engine) => {
      const price = this.of(engine.id);
      return price ? withPrice(engine, price, spending) : engine;
    };
  }
}

/** @throws DragomanError `usage`, `configuration` */
export async function findPrices({ price: flags = [] }: PriceFlags, files: SettingsFiles): Promise<Prices> {
  const configured = (await pricesIn(files.user())) ?? (await pricesIn(files.project())) ?? {};
  const isFree = flags.every(({ engine }) => engine !== undefined);
  const settings = Object.entries(isFree ? configured : {}).map(([engine, text]): NamedPrice => ({
    engine,
    price: parsePrice(text),
  }));
  const named = new Set(flags.map(({ engine }) => engine));
  return new Prices([...settings.filter(({ engine }) => !named.has(engine)), ...flags]);
}

async function pricesIn(
  loaded: ReturnType<SettingsFiles['project']>,
): Promise<Readonly<Record<string, string>> | undefined> {
  return (await loaded)?.configuration.prices;
}

/** @throws DragomanError `usage` for a budget in a different currency than the prices */
export function requireCurrency({ currency }: Amount, prices: Prices): string {
  return onlyCurrency([{ currency }, prices]);
}

function onlyCurrency(amounts: readonly Pick<Price, 'currency'>[]): string {
  const [first = '', ...others] = new Set(
    amounts.flatMap(({ currency }) => (currency === '' ? [] : [currency])),
  );
  if (others.length === 0) return first;
  throw new DragomanError('usage', `amounts in ${[first, ...others].join(' and ')} cannot be added`, {
    hint: 'Name all prices and the budget in one currency.',
  });
}

/** Money for `--json`: a decimal string, which no program rounds. */
export function costDocument({ money, currency }: Amount): object {
  return { amount: decimalOf(money), currency: currency === '' ? null : currency };
}
