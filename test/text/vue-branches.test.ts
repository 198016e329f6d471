import { compileToFunction, createCoreContext, registerMessageCompiler, translate } from '@intlify/core-base';
import { describe, expect, it } from 'vitest';
import { readPluralRules } from '../../src/frameworks/vue-plurals.ts';
import { parseMessage } from '../../src/text/message.ts';

registerMessageCompiler(compileToFunction);

type Rules = Readonly<Record<string, (choice: number, count: number) => number>>;

/**
 * The text that vue-i18n shows.
 * @param pluralRules of the application; default: its own rule
 */
function show(message: string, locale: string, count: number, pluralRules: Rules = {}): unknown {
  const context = createCoreContext({ locale, messages: { [locale]: { key: message } }, pluralRules });
  // The library's types contradict each other with exact optional properties.
  return translate(context as unknown as Parameters<typeof translate>[0], 'key', count);
}

describe('branches of vue-i18n', () => {
  it.each(['one car | {count} cars', 'no cars | one car | {count} cars'])(
    '%s has as many branches in every language as its default rule selects from',
    (source) => {
      expect(show(source, 'en', 2)).toBe('2 cars');
      for (const locale of ['ar', 'de', 'ja', 'pl', 'ru']) {
        const message = parseMessage(source, 'vue');
        const segments = message.segments(locale);
        const translation = message.assemble(locale, segments);
        expect(message.problemsOf(translation, locale)).toEqual([]);
        for (const n of [0, 1, 2, 5, 21, 100])
          expect(show(translation, locale, n)).toBe(show(source, 'en', n));
      }
    },
  );

  /** The Slavic example of vue-i18n's handbook. */
  const slavic = (choice: number, count: number): number => {
    if (choice === 0) return 0;
    const isTeen = choice > 10 && choice < 20;
    const endsWithOne = choice % 10 === 1;
    if (!isTeen && endsWithOne) return 1;
    if (!isTeen && choice % 10 >= 2 && choice % 10 <= 4) return 2;
    return count < 4 ? 2 : 3;
  };
  const application = `
    import { createI18n } from 'vue-i18n';
    const slavic = ${slavic.toString()};
    function two(choice: number, _count: number, usual: Rule): number { return usual(choice, 2) }
    export default createI18n({
      locale: 'en',
      pluralRules: {
        ru: slavic,
        sr: (n) => (n % 10 === 1 && n % 100 !== 11 ? 0 : n % 10 > 1 && n % 10 < 5 && Math.floor(n / 10) % 10 !== 1 ? 1 : 2),
        de: two as Rule,
        fr: (n) => Math.min(n, 1),
        cs: (n) => new Intl.PluralRules('cs').select(n),
        pl: (n) => n,
        it: (n) => it(n),
      },
    });
    const it = (n) => it(n);
  `;

  it.each([
    ['ru', 'one car | {count} cars', '{count} cars | {count} cars | {count} cars | {count} cars'],
    ['ru', '{count} car | {count} cars', '{count} cars | {count} car | {count} cars | {count} cars'],
    ['ru', 'no cars|one car|{count} cars', 'no cars|{count} cars|{count} cars|{count} cars'],
    ['sr', '{n} car | {n} cars', '{n} car | {n} cars | {n} cars'],
    ['de', 'one car | {n} cars', 'one car | {n} cars'],
    ['fr', 'no car | one car | {n} cars', 'no car | {n} cars'],
    // More than arithmetic, an index without a branch, an endless loop, and no rule: the translation gets as
    // many branches as the source.
    ['cs', 'one car | {n} cars', 'one car | {n} cars'],
    ['pl', 'one car | {n} cars', 'one car | {n} cars'],
    ['it', 'one car | {n} cars', 'one car | {n} cars'],
    ['ja', 'one car | {n} cars', 'one car | {n} cars'],
    // No plural.
    ['ru', 'a', 'a'],
  ])('are in %s those of the application’s own rule: %s', (locale, source, expected) => {
    const rule = readPluralRules(['export const nothing = 1;', 'a broken {', application]);
    const message = parseMessage(source, 'vue', rule);
    const translation = message.assemble(locale, message.segments(locale));
    expect(translation).toBe(expected);
    expect(message.problemsOf(translation, locale)).toEqual([]);
  });

  it('are refused if a number has none', () => {
    const message = parseMessage('{n} car | {n} cars', 'vue', readPluralRules([application]));
    const [problem] = message.problemsOf('{n} машина | {n} машин', 'ru');
    expect(problem?.detail).toBe('2 branches between bars instead of 4');
    // The rule returns one of these indexes for each number.
    expect(message.problemsOf('{n} машин | {n} машина | {n} машин', 'ru')).toEqual([]);
  });

  it('show a text for every number by the application’s own rule', () => {
    const rule = readPluralRules([application]);
    const message = parseMessage('{count} car | {count} cars', 'vue', rule);
    const translation = message.assemble('ru', message.segments('ru'));
    for (const n of [0, 1, 2, 5, 11, 21, 104])
      expect(show(translation, 'ru', n, { ru: slavic })).toBe(
        `${n} ${n % 10 === 1 && n !== 11 ? 'car' : 'cars'}`,
      );
    expect(show('{count} car | {count} cars', 'ru', 5, { ru: slavic })).toBeUndefined();
  });
});
