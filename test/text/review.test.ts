import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Remark } from '../../src/text/review/remark.ts';
import { reviewMessage, reviewTranslation } from '../../src/text/review/review.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { verify } from '../../src/text/verify.ts';
import { processorTime } from '../processor-time.ts';
import { wrong } from './review-faults.ts';
import { FILES, fine, fineInCatalogues } from './review-rows.ts';

/** The default findings. */
const isShown = ({ rule }: Remark): boolean =>
  !['number-left-out', 'unused-category', 'select-added', 'markup-changed'].includes(rule);

describe('reviewTranslation', () => {
  it.each([...fine, ...fineInCatalogues])('accepts %s', (_, locale, syntax, source, target) => {
    expect(reviewTranslation([source], target, { syntax, locale }).filter(isShown)).toEqual([]);
  });

  it.each(wrong)('finds %s', (_, locale, syntax, source, target, rule) => {
    const remarks = reviewTranslation([source], target, { syntax, locale }).filter(isShown);
    expect(remarks.map((remark) => remark.rule)).toContain(rule);
    // A problem causes only one finding.
    expect(new Set(remarks.map((remark) => remark.rule)).size).toBe(1);
    expect(new Set(remarks.map(({ detail }) => detail)).size).toBe(remarks.length);
  });

  const FORMS = ['One file in %s', '%d files in %s'];
  const numbered = ['%1$d file in %2$s', '%1$d files in %2$s'];

  it.each<[form: string, locale: string, target: string, rules: readonly string[]]>([
    ['one', 'de', 'Datei in %2$s', []],
    ['zero', 'ar', 'لا ملف في %2$s', []],
    ['two', 'ar', 'ملفان في %2$s', []],
    // `one` also applies to 21 in Russian, and to 0 in French: worth knowing, but not an error.
    ['one', 'ru', 'файл в %2$s', ['number-left-out']],
    ['one', 'fr', 'fichier dans %2$s', ['number-left-out']],
    ['other', 'de', 'Dateien in %2$s', ['placeholder-mismatch']],
    ['one', 'de', 'Datei', ['placeholder-mismatch']],
    // The number is %1$d.
    ['one', 'de', '%1$d Datei', ['placeholder-mismatch']],
    ['one', 'de', 'Datei in %2$s %3$s', ['placeholder-mismatch']],
  ])('the form %s in %s may omit the number: %s', (form, locale, target, rules) => {
    const remarks = reviewTranslation(numbered, target, { syntax: 'android', locale, form });
    expect([...new Set(remarks.map(({ rule }) => rule))]).toEqual(rules);
  });

  // Qt prints a warning for an argument without a place, and Qt Linguist reports it in every form; for `%n`, neither
  // does.
  it.each<[syntax: Syntax, form: string, locale: string, source: string, target: string, missing: string]>([
    ['qt', 'one', 'ar', '%1 - %2 of %n Hits', '%L1 - نتيجة واحدة فقط', '%2'],
    ['qt', 'one', 'de', '%1 of %Ln Hits', 'ein Treffer', '%1'],
    ['i18next', 'one', 'de', '{{count}} of {{name}}', 'einer', '{{name}}'],
    ['ruby', 'one', 'de', '%{count} of %{name}', 'einer', '%{name}'],
    ['qt', 'other', 'de', '%1 of %n Hits', '%1', '%n'],
  ])('lets only the number be omitted: %s, %s, %s', (syntax, form, locale, source, target, missing) => {
    const remarks = reviewTranslation([source], target, { syntax, locale, form });
    expect(remarks.map(({ detail }) => detail)).toEqual([`${missing} is missing`]);
  });

  it.each<[source: string, form: string, target: string, doubts: readonly (readonly [string, boolean])[]]>([
    ['%1$u day and %2$u hour before', 'one', 'יום ושעה לפני', [['%2$u is missing', true]]],
    ['%d day, %d hour and %d minute', 'two', 'יום, שעה ושתי דקות', [['%d is missing', true]]],
    ['%1$u day and %2$u hour before', 'other', 'יום ושעה לפני', [['%1$u is missing', false]]],
    ['%1$u hours for %2$s', 'one', 'שעה', [['%1$u is missing', false]]],
  ])('doubts several numbers in words, but not names: %s, %s', (source, form, target, [expected]) => {
    const remarks = reviewTranslation([source], target, { syntax: 'c', locale: 'he', form });
    expect(remarks.map(({ detail, isDoubtful = false }) => [detail, isDoubtful])).toContainEqual(expected);
  });

  it('accepts a form as the translation of any form of the source', () => {
    const options = { syntax: 'c', locale: 'de' } as const;
    expect(reviewTranslation(FORMS, 'Datei in %s', { ...options, form: 'one' })).toEqual([]);
    expect(reviewTranslation(FORMS, '%d Datei in %s', { ...options, form: 'one' })).toEqual([]);
    expect(reviewTranslation(FORMS, '%d Dateien', { ...options, form: 'other' })).not.toEqual([]);
  });

  it('allows any order of conversions in programs with their own format', () => {
    const review = (target: string, hasOwnFormat: boolean): number =>
      reviewTranslation(['%@: want %0e or %1e, not %u'], target, {
        syntax: 'plain',
        locale: 'ja',
        hasOwnFormat,
      }).length;
    expect(review('%@: %u でなく %0e か %1e', true)).toBe(0);
    expect(review('%@: %u でなく %0e か %1e', false)).toBeGreaterThan(0);
    expect(review('%@: %u でなく %0e', true)).toBeGreaterThan(0);
  });

  it('reads `{ or }` as words if other texts of the catalogue have flags', () => {
    const review = (source: string, target: string, hasOwnFormat: boolean): number =>
      reviewTranslation([source], target, { syntax: 'plain', locale: 'de', hasOwnFormat }).length;
    expect(review('stray { or } somewhere', 'einzelne { oder }', true)).toBe(0);
    expect(review('stray { or } somewhere', 'einzelne { oder }', false)).toBeGreaterThan(0);
    expect(review('for {name}', 'für', true)).toBeGreaterThan(0);
  });

  it('lets manuals choose which words they mark, but not leave tags open', () => {
    const rules = (source: string, target: string, isManual: boolean): readonly string[] =>
      reviewTranslation([source], target, { syntax: 'plain', locale: 'fr', isManual }).map(
        ({ rule }) => rule,
      );
    const marked = 'Touche (<keycap>Esc</keycap>)';
    expect(rules('The Escape key', marked, true)).toEqual(['markup-changed']);
    expect(rules('as <quote>bad</quote>', 'aussi mauvais', true)).toEqual(['markup-changed']);
    expect(rules('The Escape key', marked, false)).toEqual(['tag-mismatch']);
    expect(rules('see <ulink url="x">it</ulink>', 'voir', true)).toEqual(['tag-mismatch']);
    expect(rules('a <varname>x</varname>', 'un <varname>x', true)).toEqual(['tag-mismatch']);
  });

  it('reports possible problems as information', () => {
    const rules = (source: string, target: string, locale: string): readonly string[] =>
      reviewTranslation([source], target, { syntax: 'icu', locale }).map(({ rule }) => rule);
    expect(rules(FILES, '{n, plural, one {#} other {#}}', 'ja')).toEqual(['unused-category']);
    expect(rules(FILES, '{n, plural, one {#} other {x}}', 'de')).toEqual(['number-left-out']);
    expect(rules('a', '{g, select, other {a}}', 'de')).toEqual(['select-added']);
    expect(rules('<b>a</b>', 'a', 'de')).toEqual(['markup-changed']);
  });

  it('takes into account which programs interpret quotes', () => {
    const options = { syntax: 'icu', locale: 'uk' } as const;
    expect(reviewTranslation(["to '{0}'"], 'до «{0}»', { ...options, isCertain: true })).toHaveLength(1);
    expect(reviewTranslation(['to «{0}»'], "до '{0}'", options)).toHaveLength(1);
  });

  it('warns about unreadable syntax', () => {
    const doubts = (syntax: Syntax, source: string, target: string): readonly unknown[] =>
      reviewTranslation([source], target, { syntax, locale: 'de', isCertain: true }).map(
        ({ isDoubtful = false }) => isDoubtful,
      );
    expect(doubts('android', 'use {{Country}} %s', 'nutze {{Land}} %s')).toEqual([true, true]);
    expect(doubts('android', 'use {{Country}} %s', 'nutze {{Country}}')).toEqual([false]);
    expect(doubts('i18next', '%s {{name}}', '{{name}}')).toEqual([true]);
    expect(doubts('i18next', '%s {{name}}', '%s')).toEqual([false]);
    expect(doubts('vue', 'a | b', 'a | b | c | d')).toEqual([true]);
    expect(doubts('vue', 'a', 'a | b')).toEqual([true]);
    expect(doubts('laravel', 'a', 'a|b')).toEqual([false]);
    expect(doubts('laravel', 'only :count', 'nur eins|nur :count')).toEqual([true]);
    expect(doubts('vscode', 'use `a.b`', 'nutze `a`')).toEqual([true, true]);
  });

  it('takes into account the arguments that a program always passes', () => {
    const names = new Set(['attribute']);
    const options = { syntax: 'ruby', locale: 'ar', supplied: names, spared: names } as const;
    expect(reviewTranslation(['must be given'], '%{attribute} x', options)).toEqual([]);
    expect(reviewTranslation(['%{attribute} %{a}'], '%{a}', options)).toEqual([]);
    expect(reviewTranslation(['%{attribute} %{a}'], '%{a}', { ...options, spared: undefined })).toHaveLength(
      1,
    );
    expect(reviewTranslation(['must be given'], '%{atribute} x', options)).toHaveLength(1);
  });

  it('finds nothing when a message is compared with itself, and never throws', () => {
    const syntax = fc.constantFrom<Syntax>('plain', 'icu', 'vue', 'c', 'android', 'markup', 'ruby', 'java');
    const piece = fc.constantFrom(
      '{n, plural, ',
      'one {',
      'other {',
      '}',
      '}}',
      '{a}',
      '<b>',
      '</b>',
      '<x y>',
      '%s',
      '%1$d',
      '%',
      '#',
      "'",
      ' | ',
      'https://a.org/',
      '%Y',
      '&lt;',
      '\\n',
      'word ',
      '{g, select, other {',
      '<0/>',
    );
    const message = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(syntax, message, message, (syntax, source, target) => {
        const options = { syntax, locale: 'ru' };
        const own = reviewMessage(source, options);
        expect(reviewTranslation([source], source, options)).toEqual(own);
        // A translation that passes the strict check can only have faults that the source does not have.
        const strict = verify(source, target, options);
        const remarks = reviewTranslation([source], target, options).filter(isShown);
        if (strict.length === 0) expect(remarks).toEqual([]);
      }),
    );
  });

  it('accepts conversions with and without numbers in Android plurals, if they mean the same', () => {
    const source = '%1$d min until <b>%2$s</b>';
    for (const syntax of ['android', 'markup'] as const) {
      const review = (target: string, form?: string): number =>
        reviewTranslation([source], target, { syntax, locale: 'de', form }).length;
      expect(review('%d min bis <b>%2$s</b>', 'other')).toBe(0);
      expect(review('%2$s bis <b>%d</b>', 'other')).toBe(0);
      expect(review('%s bis <b>%2$s</b>', 'other')).not.toBe(0);
      expect(review('%d min bis <b>%2$s</b>')).toBe(1);
    }
  });

  it('treats names in braces as words if a catalogue has no such arguments', () => {
    const options = { syntax: 'plain', locale: 'de', hasNames: false } as const;
    expect(reviewTranslation(['{unset} %{year}'], '{leer} %{Jahr}', options)).toEqual([]);
    expect(reviewTranslation(['Run {1}'], 'Starten', options)).toHaveLength(1);
    expect(reviewTranslation(['{unset}'], '{leer}', { ...options, hasNames: true })).not.toEqual([]);
  });

  it('lets the form for zero say that there is nothing', () => {
    const options = { syntax: 'python', locale: 'ar' } as const;
    const source = '%(count)s %(name)s were changed.';
    expect(reviewTranslation([source], 'لم يتغير شيء', { ...options, form: 'zero' })).toEqual([]);
    expect(reviewTranslation([source], 'تغير', { ...options, form: 'few' })).not.toEqual([]);
  });

  it('takes time proportional to the length', () => {
    const branches = Array.from({ length: 2_000 }, (_, i) => `=${i} {# {a${i}}}`).join(' ');
    const source = `{n, plural, ${branches} other {#}}`;
    const started = processorTime();
    reviewTranslation([source], source.replace('{a7}', ''), { syntax: 'icu', locale: 'de' });
    reviewTranslation(['<b>'.repeat(20_000)], '</b>'.repeat(20_000), { syntax: 'plain', locale: 'de' });
    reviewTranslation(['{a} '.repeat(20_000)], '{b '.repeat(20_000), { syntax: 'plain', locale: 'de' });
    expect(processorTime() - started).toBeLessThan(5_000);
  });
});
