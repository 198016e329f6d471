import { DragomanError } from '../../base/errors.ts';
import { amountText, type Money } from '../../engines/price.ts';
import type { LanguagePrice, Pricing } from '../../project/plan/pricing.ts';
import type { SyncReport } from '../../project/plan/report.ts';
import type { Output } from '../output/output.ts';
import { costDocument } from '../options/prices.ts';
import type { SyncEngine } from '../execution/sync-engine.ts';
import { pluralize, digits } from '../terminal/table.ts';

/** The cost of all languages of all projects; undefined if no price was requested. */
export function totalPrice(reports: readonly SyncReport[]): LanguagePrice {
  let [credits, cost]: [number | undefined, Money | undefined] = [undefined, undefined];
  for (const one of reports.flatMap(({ languages }) => languages)) {
    if (one.credits !== undefined) credits = (credits ?? 0) + one.credits;
    if (one.cost !== undefined) cost = (cost ?? 0n) + one.cost;
  }
  return { credits, cost };
}

/** `12 credits`, `0.25 EUR`, or both; undefined without a price. */
function priceText({ credits, cost }: LanguagePrice, currency: string): string | undefined {
  const parts = [
    ...(credits === undefined ? [] : [pluralize(credits, 'credit')]),
    ...(cost === undefined ? [] : [amountText({ money: cost, currency })]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

const PRICES = {
  strings: 'Counts 1 credit for each distinct text of a language. Retries can add a little.',
  jobs: 'Counts 1 credit per language for each key of a file that lacks a translation.',
  limit:
    'Counts 1 credit for each distinct text of a language that the service may translate; other engines need no credits.',
} as const;

/** Prints the expected charge of a sync (`--dry-run`). */
export function printPrice(
  reports: readonly SyncReport[],
  pricing: Pricing,
  currency: string,
  output: Output,
): void {
  const total = totalPrice(reports);
  const isLimit = pricing.via === 'strings' && pricing.isLimit === true;
  const isFree = (total.credits ?? 0) === 0 && (total.cost ?? 0n) === 0n;
  output.result(`total: ${isLimit && !isFree ? 'at most ' : ''}${priceText(total, currency) ?? ''}`);
  if (total.credits) output.message(PRICES[isLimit ? 'limit' : pricing.via]);
  if (total.cost) output.message(COST);
}

const COST =
  'Counts every character of each distinct text, including placeholders. Retries can add a little.';

/** The charge of a sync. */
export function printSpent({ spent, spending }: SpentMeans, output: Output): void {
  const [credits, money] = [spent(), spending.spent];
  const price = priceText(
    { ...(credits > 0 && { credits }), ...(money > 0n && { cost: money }) },
    spending.currency,
  );
  if (price !== undefined) output.message(`${price} spent`);
}

type SpentMeans = Pick<SyncEngine, 'spent' | 'spending' | 'pricing'>;

/** The fields for `--json` that state the charge. */
export function spentDocument({ pricing, spent, spending }: SpentMeans): object {
  if (!pricing) return {};
  const hasCredits = pricing.via === 'jobs' || pricing.creditsOf;
  const hasCost = pricing.via === 'strings' && pricing.costOf;
  return {
    ...(hasCredits && { credits_spent: spent() }),
    ...(hasCost && { cost_spent: costDocument({ money: spending.spent, currency: spending.currency }) }),
  };
}

/** Prints the work that a stopped sync leaves for the next one. */
export function printRemainder(
  reports: readonly SyncReport[],
  { code }: DragomanError,
  currency: string,
  output: Output,
): void {
  const left = remainingLanguages(reports);
  const isTotalled = code === 'insufficient_credits';
  // The error already contains the sum.
  if (isTotalled && left.length < 2) return;
  const printLine = (label: string, keys: number, price: LanguagePrice): void => {
    const text = priceText(price, currency);
    output.problem(`${label}: ${pluralize(keys, 'key')} left${text === undefined ? '' : `, ${text}`}`);
  };
  for (const { locale, keys, ...price } of left) printLine(locale, keys, price);
  if (left.length > 1 && !isTotalled) printLine('together', keysIn(left), totalPrice(reports));
}

/** Extends the error about an exhausted account or budget: the remaining work and its price, next to the balance. */
export async function withRemainder(
  error: DragomanError,
  reports: readonly SyncReport[],
  { creditsLeft, spending }: Pick<SyncEngine, 'creditsLeft' | 'spending'>,
): Promise<DragomanError> {
  const keys = keysIn(remainingLanguages(reports));
  const price = priceText(totalPrice(reports), spending.currency);
  if (error.code !== 'insufficient_credits' || keys === 0 || price === undefined) return error;
  // An error without a status is about the user's own budget, which no service answered.
  const left = error.status === undefined ? undefined : await creditsLeft?.();
  const reason =
    error.status === undefined
      ? error.message
      : left === undefined
        ? 'the account does not have enough credits'
        : `the account has ${pluralize(left, 'credit')} left`;
  const need = keys === 1 ? 'the remaining key needs' : `the remaining ${digits(keys)} keys need`;
  const { code, hint, status } = error;
  return new DragomanError(code, `${reason}; ${need} ${price}`, { hint, status, cause: error });
}

function keysIn(left: readonly { readonly keys: number }[]): number {
  return left.reduce((sum, { keys }) => sum + keys, 0);
}

export function remainingLanguages(
  reports: readonly SyncReport[],
): readonly ({ readonly locale: string; readonly keys: number } & LanguagePrice)[] {
  return reports.flatMap(({ languages }) =>
    languages.flatMap(({ locale, wanted = 0, credits, cost }) =>
      wanted === 0 ? [] : [{ locale, keys: wanted, credits, cost }],
    ),
  );
}
