import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLocale, withLikelyRegion } from '../../src/languages/locale.ts';
import { isWord, isWordPair } from '../../src/languages/words.ts';
import { folderRules } from '../../src/project/discover/documents.ts';

const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
/** Every language with every region, in lower case: `to-do`, `pt-br`. */
const CODES = PAIRS.filter((language) => parseLocale(language) !== undefined).flatMap((language) =>
  PAIRS.map((region) => `${language}-${region}`).filter((code) => parseLocale(code) !== undefined),
);

describe('a code of a language and a region that is two words', () => {
  it('is rare, and never that of the country where most people speak the language', () => {
    const words = CODES.filter(isWordPair);
    expect(CODES.length).toBeGreaterThan(30_000);
    expect(words.length).toBeLessThan(CODES.length / 100);
    for (const code of ['to-do', 'as-is', 'is-it', 'it-is', 'am-pm', 'no-id']) expect(words).toContain(code);
    for (const code of [
      'it-it',
      'it-ch',
      'is-is',
      'as-in',
      'so-so',
      'no-no',
      'id-id',
      'be-by',
      'de-at',
      'pt-br',
    ])
      expect(words).not.toContain(code);
    for (const code of words) expect(withLikelyRegion(code.slice(0, 2))?.toLowerCase()).not.toBe(code);
  });

  it('is only a word in lower case', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CODES.filter(isWordPair)),
        fc.constantFrom('-', '_'),
        (code, separator) => {
          const [language = '', region = ''] = code.split('-');
          expect(isWord(language + separator + region)).toBe(true);
          expect(isWord(language + separator + region.toUpperCase())).toBe(false);
        },
      ),
    );
  });
});

describe('a directory of pages', () => {
  const languagesOf = (...names: readonly string[]): readonly string[] =>
    folderRules(['docs/index.md', ...names.map((name) => `docs/${name}/index.md`)]).flatMap(({ rule }) => [
      ...rule.spellings.values(),
    ]);

  it('with a name of two words is a language only next to another one with a region', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CODES), (code) => {
        expect(languagesOf(code).includes(code)).toBe(!isWordPair(code));
        expect(languagesOf('eo', code).includes(code)).toBe(!isWordPair(code));
        expect(languagesOf('eo-001', code)).toContain(code);
      }),
    );
  });
});
