import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameForms } from '../../src/formats/po/plural-categories.ts';
import { parseExpression, readPluralForms } from '../../src/formats/po/plural-expression.ts';
import { PLURAL_FORMS, pluralFormsOf } from '../../src/formats/po/plural-forms.ts';

/** Every language with a known rule, and `pt-PT`. */
const LANGUAGES = [...PLURAL_FORMS.keys()];

const ORDER = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** Languages for which CLDR has no rule: the table has the rule that their translators use. */
const UNKNOWN_TO_CLDR = new Set(
  'ach arn ay crh csb frp gun ky la mai mfe mi mo nap oc pms rof rue rw sco sh szl tg tl tt'.split(' '),
);

describe('the table of plural forms', () => {
  const known = LANGUAGES.filter((code) => Intl.PluralRules.supportedLocalesOf([code]).length > 0);

  it('covers every language of CLDR, and more', () => {
    expect(known.length).toBeGreaterThan(190);
    expect(LANGUAGES.length).toBe(new Set(LANGUAGES).size);
    const strange = LANGUAGES.filter((code) => !known.includes(code) && !UNKNOWN_TO_CLDR.has(code));
    expect(strange).toEqual([]);
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    // Replaced codes come back as current ones, sometimes with three letters.
    const inCldr = Intl.PluralRules.supportedLocalesOf(pairs).filter((code) => pairs.includes(code));
    expect(inCldr.filter((code) => !LANGUAGES.includes(code))).toEqual([]);
  });

  it.each(known)('%s agrees with CLDR', (code) => {
    const rule = readPluralForms(pluralFormsOf(code));
    if (!rule) throw new Error('no rule');
    const cldr = new Intl.PluralRules(code);
    const used = new Set<string>();
    for (let n = 0; n <= 1000; n++) used.add(cldr.select(n));
    // Millions are the only place where gettext is simpler than CLDR, except for Breton.
    if (rule.nplurals > used.size) used.add(cldr.select(1_000_000)).add(cldr.select(100_000));
    const categories = ORDER.filter((category) => used.has(category));
    expect(rule.nplurals).toBe(categories.length);
    const numbers = Array.from({ length: 1001 }, (_, n) => n);
    expect(numbers.map((n) => categories[rule.indexOf(n) ?? -1])).toEqual(numbers.map((n) => cldr.select(n)));
  });

  it('handles the varieties of Portuguese, and languages without a rule', () => {
    expect(pluralFormsOf('pt-BR')).toContain('n > 1');
    expect(pluralFormsOf('pt-PT')).toContain('n != 1');
    expect(pluralFormsOf('sr-Latn-RS')).toBe(pluralFormsOf('sr'));
    expect(pluralFormsOf('tlh')).toBe('nplurals=2; plural=(n != 1);');
  });
});

/** The names of all forms of a rule. */
const names = (header: string, locale?: string): readonly string[] => {
  const rule = readPluralForms(header);
  const naming = nameForms(rule, locale);
  return Array.from({ length: rule?.nplurals ?? 3 }, (_, index) => naming.categoryOf(index));
};

describe('naming forms', () => {
  it.each([
    ['nplurals=1; plural=0;', 'ja', ['other']],
    ['nplurals=2; plural=(n > 1);', 'fr_CA', ['one', 'other']],
    [
      'nplurals=3; plural=(n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;',
      'fr',
      ['one', 'many', 'other'],
    ],
    ['nplurals=3; plural=n==1 ? 0 : n>=2 && n<=4 ? 1 : 2;', 'cs', ['one', 'few', 'other']],
    ['nplurals=2; plural=(n != 1);', 'ru', ['0', '1']],
    ['nplurals=2; plural=(n != 1);', 'tlh', ['one', 'other']],
    ['nplurals=2; plural=(n != 1);', undefined, ['one', 'other']],
    ['nplurals=1; plural=0;', undefined, ['other']],
    ['nplurals=3; plural=n;', undefined, ['0', '1', '2']],
    ['nplurals=INTEGER; plural=EXPRESSION;', 'ar', ['one', 'other', '2']],
  ])('%s in %s', (header, locale, expected) => {
    expect(names(header, locale)).toEqual(expected);
  });

  it('uses the singular as the source if the form covers few numbers or the singular contains the number', () => {
    const russian = nameForms(readPluralForms(pluralFormsOf('ru')), 'ru');
    expect(russian.sourceOf(0, 'One file', '%d files')).toBe('%d files');
    expect(russian.sourceOf(0, '%d file', '%d files')).toBe('%d file');
    expect(russian.sourceOf(1, '%d file', '%d files')).toBe('%d files');
    const french = nameForms(readPluralForms(pluralFormsOf('fr')), 'fr');
    expect(french.sourceOf(0, 'One file', '%d files')).toBe('One file');
    const japanese = nameForms(readPluralForms(pluralFormsOf('ja')), 'ja');
    expect(japanese.sourceOf(0, 'One file', '%d files')).toBe('%d files');
  });
});

/** An expression, fully parenthesized or unambiguous, with its meaning in C. */
interface Meaning {
  readonly source: string;
  readonly of: (n: number) => number;
}

const OPERATORS: readonly (readonly [string, (a: number, b: number) => number])[] = [
  ['<', (a, b) => Number(a < b)],
  ['>', (a, b) => Number(a > b)],
  ['<=', (a, b) => Number(a <= b)],
  ['>=', (a, b) => Number(a >= b)],
  ['==', (a, b) => Number(a === b)],
  ['!=', (a, b) => Number(a !== b)],
  ['&&', (a, b) => Number(a !== 0 && b !== 0)],
  ['||', (a, b) => Number(a !== 0 || b !== 0)],
  ['+', (a, b) => a + b],
];

const expression: fc.Arbitrary<Meaning> = fc.letrec<{ node: Meaning }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constant({ source: 'n', of: (n: number) => n }),
    fc.nat(200).map((value) => ({ source: `${value}`, of: () => value })),
    fc.tuple(tie('node'), fc.constantFrom(...OPERATORS), tie('node')).map(([a, [symbol, apply], b]) => ({
      source: `(${a.source}) ${symbol} (${b.source})`,
      of: (n: number) => apply(a.of(n), b.of(n)),
    })),
    fc.tuple(tie('node'), fc.integer({ min: 1, max: 100 })).map(([a, b]) => ({
      source: `(${a.source})%${b}`,
      of: (n: number) => a.of(n) % b,
    })),
    tie('node').map((a) => ({ source: `!(${a.source})`, of: (n: number) => Number(a.of(n) === 0) })),
    fc.tuple(tie('node'), tie('node'), tie('node')).map(([a, b, c]) => ({
      source: `(${a.source}) ? ${b.source} : ${c.source}`,
      of: (n: number) => (a.of(n) === 0 ? c.of(n) : b.of(n)),
    })),
  ),
})).node;

describe('plural expressions', () => {
  it('have the same value as in C', () => {
    fc.assert(
      fc.property(expression, fc.nat(2000), ({ source, of }, n) => {
        expect(parseExpression(source)?.(n)).toBe(of(n));
      }),
    );
  });

  it.each([
    ['1 + 2 * 3', 7],
    ['10 - 3 - 2', 5],
    ['n % 10 == 4 && n != 14 || n == 3', 1],
    ['n > 3 == 0', 0],
    ['!n == 0', 1],
    ['0 ? 1 : n ? 2 : 3', 2],
    ['n / 5 % 4', 0],
    ['n==104?1:0', 1],
  ])('%s binds as in C', (source, value) => {
    expect(parseExpression(source)?.(104)).toBe(value);
  });

  it.each([
    '',
    'n +',
    '(n',
    'n)',
    'n ? 1',
    'n ** 2',
    'm',
    'n = 1',
    'process.exit()',
    '9999999999',
    '('.repeat(500) + 'n' + ')'.repeat(500),
    '!'.repeat(500) + 'n',
  ])('refuses %s', (source) => {
    expect(parseExpression(source)).toBeUndefined();
  });

  it.each(['n/0', 'n%0', 'n-1', '5', 'n*1000000*1000000*1000000'])('returns no index for %s', (source) => {
    expect(
      readPluralForms(`nplurals=3; plural=${source};`)?.indexOf(0 + (source === 'n-1' ? 0 : 7)),
    ).toBeUndefined();
  });

  it.each([
    'plural=n>1; nplurals=2;',
    'nplurals= 2 plural=n>1',
    'nplurals=2, plural=n>1;',
    'nplurals = 2; plural = n>1',
  ])('reads %s', (header) => {
    const rule = readPluralForms(header);
    expect([rule?.nplurals, rule?.indexOf(1), rule?.indexOf(2)]).toEqual([2, 0, 1]);
  });

  it.each(['nplurals=0; plural=0;', 'nplurals=99; plural=0;', 'nplurals=2'])(
    'ignores the invalid rule %s',
    (header) => {
      expect(readPluralForms(header)).toBeUndefined();
    },
  );
});
