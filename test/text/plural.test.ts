import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';
import { matchesOnlyOne, pluralCategories, requiredCategories, sourceForm } from '../../src/text/plural.ts';
import { verify } from '../../src/text/verify.ts';

describe('plural categories', () => {
  it.each([
    ['ru', 'one few many other'],
    ['ar', 'zero one two few many other'],
    ['ja', 'other'],
    ['fr', 'one many other'],
    ['pl', 'one few many other'],
    ['cs', 'one few many other'],
    ['he', 'one two other'],
    ['en', 'one other'],
    ['oc', 'one other'],
    ['not a locale!', 'one other'],
  ])('%s: %s', (locale, expected) => {
    expect(pluralCategories(locale).join(' ')).toBe(expected);
  });

  it('handles ordinals and the categories of everyday numbers', () => {
    expect(pluralCategories('en', 'ordinal')).toEqual(['one', 'two', 'few', 'other']);
    expect(requiredCategories('fr')).toEqual(['one', 'other']);
    expect(requiredCategories('cs')).toEqual(['one', 'few', 'other']);
    expect(requiredCategories('ru')).toEqual(['one', 'few', 'many', 'other']);
  });

  it.each([
    ['en', true],
    ['de', true],
    ['he', true],
    ['ja', true],
    ['pl', true],
    ['fr', false],
    ['ru', false],
    ['oc', true],
  ] as const)('%s has a separate form for 1 alone: %s', (locale, expected) => {
    expect(matchesOnlyOne(locale)).toBe(expected);
  });

  it('selects the form that a translation starts from', () => {
    const english = ['one', 'other'];
    const numberless = { showsNumber: (category: string): boolean => category === 'other' };
    expect(sourceForm(english, 'few', 'ru')).toBe('other');
    expect(sourceForm(english, 'one', 'ru')).toBe('one');
    expect(sourceForm(english, 'one', 'ru', numberless)).toBe('other');
    expect(sourceForm(english, 'one', 'de', numberless)).toBe('one');
    expect(sourceForm(['one'], 'few', 'ru')).toBeUndefined();
  });
});

/** The value for a language when every text is translated separately. */
function adapted(value: string, locale: string): string {
  const message = parseMessage(value, 'icu');
  const result = message.assemble(locale, message.segments(locale));
  expect(verify(value, result, { syntax: 'icu', locale })).toEqual([]);
  expect(verify(value, result, { syntax: 'icu', locale: locale === 'ja' ? 'ru' : 'ja' })).not.toEqual([]);
  return result;
}

describe('branches of another language', () => {
  const items = '{n, plural, one {# item} other {# items}}';
  it.each([
    ['ru', '{n, plural, one {# item} few {# items} many {# items} other {# items}}'],
    [
      'ar',
      '{n, plural, zero {# items} one {# item} two {# items} few {# items} many {# items} other {# items}}',
    ],
    ['ja', '{n, plural, other {# items}}'],
    ['fr', '{n, plural, one {# item} many {# items} other {# items}}'],
    ['pl', '{n, plural, one {# item} few {# items} many {# items} other {# items}}'],
    ['cs', '{n, plural, one {# item} few {# items} many {# items} other {# items}}'],
    ['he', '{n, plural, one {# item} two {# items} other {# items}}'],
  ])('%s', (locale, expected) => {
    expect(adapted(items, locale)).toBe(expected);
  });

  it('keeps exact branches and offsets, and the style of the author', () => {
    const value = '{n, plural,\n  offset:1\n  =0 {none}\n  one {# file}\n  other {# files}\n}';
    expect(adapted(value, 'ja')).toBe('{n, plural,\n  offset:1\n  =0 {none}\n  other {# files}\n}');
    expect(adapted(value, 'he')).toBe(
      '{n, plural,\n  offset:1\n  =0 {none}\n  one {# file}\n  two {# files}\n  other {# files}\n}',
    );
  });

  it('writes valid syntax for compact and first branches', () => {
    expect(adapted('{n,plural,one{# a}other{# b}}', 'pl')).toBe(
      '{n,plural,one{# a}few{# b}many{# b}other{# b}}',
    );
    expect(adapted('{n,plural,other{# b}}', 'he')).toBe('{n,plural,one{# b}two{# b}other{# b}}');
    expect(adapted('{n, plural, offset:1 one{# a} other{# b}}', 'ja')).toBe(
      '{n, plural, offset:1 other{# b}}',
    );
  });

  it('does not use the text for 1 thing for 21 things', () => {
    const value = '{n, plural, one {a file} other {# files}}';
    expect(adapted(value, 'ru')).toBe(
      '{n, plural, one {# files} few {# files} many {# files} other {# files}}',
    );
    expect(adapted(value, 'he')).toBe('{n, plural, one {a file} two {# files} other {# files}}');
    expect(adapted('{n, plural, one {{n} file} other {{n} files}}', 'ru')).toContain('one {{n} file}');
  });

  it('adapts ordinals by their own rules, and inner plurals', () => {
    const ordinal = '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}';
    const message = parseMessage(ordinal, 'icu');
    expect(message.assemble('ja', message.segments('ja'))).toBe('{n, selectordinal, other {#th}}');
    expect(adapted(`{g, select, a {${items}} other {x}}`, 'ja')).toBe(
      '{g, select, a {{n, plural, other {# items}}} other {x}}',
    );
  });

  it('adapts a plural in a text of any syntax', () => {
    const message = parseMessage(`You %1$s have ${items}.`, 'android');
    expect(message.assemble('he', message.segments('he'))).toBe(
      'You %1$s have {n, plural, one {# item} two {# items} other {# items}}.',
    );
  });
});
