import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { languageName, requireLanguage, supportedLanguages } from '../../src/languages/catalog.ts';
import { parseLocale } from '../../src/languages/locale.ts';

function refusal(code: string): DragomanError {
  try {
    requireLanguage(code);
  } catch (error) {
    if (error instanceof DragomanError) return error;
  }
  throw new Error(`${code} was accepted`);
}

describe('the list of languages', () => {
  const languages = supportedLanguages();

  it('has more than 100, including those that the service interface names', () => {
    expect(languages.length).toBeGreaterThan(100);
    const codes = languages.map(({ code }) => code);
    expect(codes).toEqual(
      expect.arrayContaining(['en', 'fr', 'es', 'de', 'zh-CN', 'zh-TW', 'ar', 'ja', 'ru', 'pt', 'pt-BR']),
    );
  });

  it('contains only canonical codes, each once, in order', () => {
    const codes = languages.map(({ code }) => code);
    expect(codes.map((code) => parseLocale(code))).toEqual(codes);
    expect(codes).toEqual([...new Set(codes)].sort());
  });

  it('gives every language a different name', () => {
    expect(new Set(languages.map(({ name }) => name)).size).toBe(languages.length);
  });
});

describe('languageName', () => {
  it.each([
    ['es', 'Spanish'],
    ['zh-CN', 'Chinese (Simplified)'],
    ['pt-BR', 'Portuguese (Brazil)'],
    ['fr-LU', 'French (fr-LU)'],
    ['xx', 'xx'],
  ])('%s is %s', (code, name) => {
    expect(languageName(code)).toBe(name);
  });
});

describe('requireLanguage', () => {
  it.each([
    ['es', 'es'],
    ['pt_br', 'pt-BR'],
    ['zh-Hans', 'zh-CN'],
    ['fr-LU', 'fr-LU'],
    ['sr@latin', 'sr-Latn'],
    ['iw', 'he'],
  ])('takes %s as %s', (code, canonical) => {
    expect(requireLanguage(code)).toBe(canonical);
  });

  it.each([
    ['french', 'fr'],
    ['Français', 'fr'],
    ['frensh', 'fr'],
    ['日本語', 'ja'],
    ['jp', 'ja'],
    ['cn', 'zh-CN'],
    ['eng', 'en'],
    ['ger', 'de'],
    ['zh-CNN', 'zh-CN'],
    ['pt-BRR', 'pt-BR'],
    ['de-XYZ', 'de'],
  ])('guesses that %s meant %s', (code, meant) => {
    const error = refusal(code);
    expect(error.code).toBe('unsupported_language');
    expect(error.message).toMatch(new RegExp(`^unsupported language "${code}"; did you mean "${meant}" `));
  });

  it('names the bad code and lists the supported ones', () => {
    const error = refusal('qq');
    expect(error.message).toBe('unsupported language "qq"');
    for (const { code } of supportedLanguages()) expect(` ${error.hint},`).toContain(` ${code},`);
  });

  it('refuses auto and the empty code, and does not repeat a long one', () => {
    expect(refusal('auto').message).toContain('only be a source');
    expect(refusal('').message).toBe('unsupported language ""');
    expect(refusal('x'.repeat(10_000)).message.length).toBeLessThan(100);
  });
});
