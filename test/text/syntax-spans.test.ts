import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSyntax } from '../../src/text/parse.ts';
import type { Syntax } from '../../src/text/syntax.ts';

const found = (value: string, syntax: Syntax): readonly string[] =>
  findSyntax(value, syntax).map(({ start, end }) => value.slice(start, end));

describe('the syntax in a value', () => {
  it('is everything except words', () => {
    expect(found('Save', 'plain')).toEqual([]);
    expect(found('Hello, {name}! You have %d <b>new</b> messages.', 'plain')).toEqual([
      '{name}',
      '%d',
      '<b>',
      '</b>',
    ]);
    expect(found('{{count}} left', 'i18next')).toEqual(['{{count}}']);
    expect(found('one car | {n} cars', 'vue')).toEqual(['|', '{n}']);
  });

  it('excludes the words in the branches of a plural', () => {
    expect(found('You have {n, plural, one {# file} other {# files}}.', 'icu')).toEqual([
      '{n, plural, one {#',
      '} other {#',
      '}}',
    ]);
  });

  it('is inside the value, in order, for any value', () => {
    const pieces = [
      '{n, plural, one {#',
      ' a} ',
      'other {b}}',
      '{x}',
      '%1$s',
      '<b>',
      '</b>',
      "'",
      'w ',
      ' | ',
      '&amp;',
    ];
    const syntaxes: readonly Syntax[] = ['plain', 'icu', 'i18next', 'vue', 'java', 'android', 'markup', 'c'];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string())),
        fc.constantFrom(...syntaxes),
        (parts, syntax) => {
          const value = parts.join('');
          let at = -1;
          for (const { start, end } of findSyntax(value, syntax)) {
            expect(start).toBeGreaterThan(at);
            expect(end).toBeGreaterThan(start);
            at = end;
          }
          expect(at).toBeLessThanOrEqual(value.length);
        },
      ),
    );
  });
});
