import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import type { Engine } from '../../src/engines/engine.ts';
import {
  amountText,
  costOf,
  decimalOf,
  parseAmount,
  parsePrice,
  Spending,
  withPrice,
} from '../../src/engines/price.ts';

describe('a price', () => {
  it.each([
    ['20/1M', '0.00002', ''],
    ['20 EUR/1M', '0.00002', 'EUR'],
    ['$0.5/1k', '0.0005', '$'],
    ['€ 25.50/1M', '0.0000255', '€'],
    ['0.000001/1M', '0.000000000001', ''],
    ['1/1', '1.00', ''],
  ])('%s is %s per character', (text, amount, currency) => {
    const price = parsePrice(text);
    expect(decimalOf(price.perCharacter)).toBe(amount);
    expect(price.currency).toBe(currency);
  });

  it.each([
    '',
    '20',
    '20/',
    '/1M',
    '20/1G',
    '-1/1M',
    '1e3/1M',
    '20/1M/1M',
    'EUR 20 EUR/1M',
    '0.0000001/1M',
    '1,5/1M',
  ])('is not %j', (text) => {
    expect(() => parsePrice(text)).toThrow(
      expect.objectContaining({ code: 'usage', message: `"${text}" is not a price` }),
    );
  });

  it('of texts is exact, in any order of addition', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.nat({ max: 999_999 }),
        fc.array(fc.nat({ max: 40 }), { maxLength: 60 }),
        (whole, micros, lengths) => {
          const decimal = `${whole}.${String(micros).padStart(6, '0')}`;
          const price = parsePrice(`${decimal}/1M`);
          const texts = lengths.map((length) => '𝄞'.repeat(length));
          const characters = lengths.reduce((sum, length) => sum + length, 0);
          const oneByOne = texts.reduce((sum, text) => sum + costOf(price, [text]), 0n);
          expect(oneByOne).toBe(costOf(price, texts));
          // A decimal price in millionths per million: (whole and micros) × characters, in units of 10⁻¹².
          expect(oneByOne).toBe((BigInt(whole) * 1_000_000n + BigInt(micros)) * BigInt(characters));
          expect(parseAmount(decimal).money).toBe(BigInt(whole) * 10n ** 12n + BigInt(micros) * 10n ** 6n);
        },
      ),
    );
  });

  it('does not drift as floating-point numbers do', () => {
    const price = parsePrice('0.1/1');
    expect(amountText({ money: costOf(price, ['abc']), currency: 'EUR' })).toBe('0.30 EUR');
    expect(String(0.1 * 3)).not.toBe('0.3');
  });
});

describe('an engine with a price', () => {
  const engineWith = (translate: Engine['translate']): Engine => ({
    id: 'fake',
    status: () => Promise.reject(new Error('not asked')),
    supports: () => Promise.resolve(true),
    translate,
    close: () => Promise.resolve(),
  });
  const request = (...texts: string[]) => ({ source: 'en', target: 'de', texts });
  const { signal } = new AbortController();
  const price = parsePrice('1/1');

  it('gets the first texts that the budget covers; the others fail with an error that stops the run', async () => {
    const asked: string[] = [];
    const engine = engineWith(({ texts }) => {
      asked.push(...texts);
      return Promise.resolve(texts.map((translation) => ({ translation })));
    });
    const spending = new Spending('EUR', parseAmount('5').money);
    const priced = withPrice(engine, price, spending);
    const outcomes = await priced.translate(request('aa', 'bb', 'cc', 'd'), signal);
    expect(asked).toEqual(['aa', 'bb']);
    expect(
      outcomes.map((outcome) => ('failure' in outcome ? outcome.error?.code : outcome.translation)),
    ).toEqual(['aa', 'bb', 'insufficient_credits', 'insufficient_credits']);
    expect(spending.exhausted()).toMatchObject({
      message: 'continuing would exceed the budget of 5.00 EUR',
      hint: 'Finished translations are saved. Set a higher --max-cost to continue.',
    });
    expect(decimalOf(spending.spent)).toBe('4.00');
    expect(await priced.translate(request('xx'), signal)).toMatchObject([
      { error: { code: 'insufficient_credits' } },
    ]);
    expect(asked).toEqual(['aa', 'bb']);
  });

  it('is still a model, and names it', async () => {
    const model = { ...engineWith(() => Promise.resolve([])), isModel: true, modelFor: async () => 'm-1' };
    const priced = withPrice(model, price, new Spending('EUR'));
    expect(priced.isModel).toBe(true);
    expect(await priced.modelFor?.('fake', { source: 'en', target: 'de' })).toBe('m-1');
  });

  it.each([
    ['unreachable', '0.00'],
    ['answer_lost', '2.00'],
    ['interrupted', '2.00'],
  ] as const)('counts nothing as spent that was certainly not charged: %s', async (code, spent) => {
    const spending = new Spending('');
    const thrown = withPrice(
      engineWith(() => Promise.reject(new DragomanError(code, 'no'))),
      price,
      spending,
    );
    await expect(thrown.translate(request('aa'), signal)).rejects.toMatchObject({ code });
    expect(decimalOf(spending.spent)).toBe(spent);
    const answered = new Spending('');
    const error = new DragomanError(code, 'no');
    const outcomes = withPrice(
      engineWith(() => Promise.resolve([{ failure: 'no', error }])),
      price,
      answered,
    );
    await outcomes.translate(request('aa'), signal);
    expect(decimalOf(answered.spent)).toBe(spent);
  });
});
