import { describe, expect, it } from 'vitest';
import { findingsIn } from './findings.ts';

/** The severities in languages with these texts, for a program that reads messages as vue-i18n does. */
async function severitiesIn(
  source: string,
  texts: Readonly<Record<string, string>>,
  configuration: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const files = Object.entries({ en: source, ...texts }).map(
    ([code, value]) => [`locales/${code}.json`, JSON.stringify({ posts: value, title: 'x' })] as const,
  );
  const manifest = { 'package.json': '{"dependencies": {"vue-i18n": "^11"}}' };
  const found = await findingsIn({ ...manifest, ...configuration, ...Object.fromEntries(files) });
  return found.map(({ locale, severity }) => `${locale} ${severity}`);
}

describe('a named argument that the source lacks', () => {
  it('is a warning if three languages use it in the same place', async () => {
    const texts = { de: '{v} Posten', es: '{v} entradas', fr: '{v} articles', nl: '{x} berichten' };
    expect(await severitiesIn('{name} posts', texts)).toEqual([
      'de warning',
      'es warning',
      'fr warning',
      'nl error',
    ]);
  });

  it('is an error if only two languages use it, or if the translation also lacks another argument', async () => {
    const texts = { de: '{v} Posten', es: '{v} {of}', fr: '{v} {of}', nl: '{of} {v}' };
    expect(await severitiesIn('{name} {of} posts', texts)).toEqual([
      'de error',
      'es warning',
      'fr warning',
      'nl warning',
    ]);
    expect(await severitiesIn('{name} posts', { de: '{v} Posten', es: '{v} entradas' })).toEqual([
      'de error',
      'es error',
    ]);
  });

  it.each([
    ['the same language', 5, ['pt', 'pt-BR', 'pt-PT'], 'error'],
    ['two languages in four keys', 4, ['ar', 'he'], 'error'],
    ['two languages in five keys', 5, ['ar', 'he'], 'warning'],
  ])('depends on distinct languages and keys: %s', async (_, keys, languages, severity) => {
    const texts = (value: string): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (__, i) => [`k${i}`, value])));
    const found = await findingsIn({
      'package.json': '{"dependencies": {"vue-i18n": "^11"}}',
      'locales/en.json': texts('{n} days'),
      ...Object.fromEntries(languages.map((code) => [`locales/${code}.json`, texts('{v} x')])),
    });
    expect(new Set(found.map((one) => one.severity))).toEqual(new Set([severity]));
    expect(found).toHaveLength(keys * languages.length);
  });

  it('follows the configuration', async () => {
    const texts = { de: '{v} Posten', es: '{v} entradas', fr: '{v} articles' };
    const configuration = {
      'dragoman.config.yaml': 'lint:\n  rules:\n    placeholder-mismatch: error\n',
    };
    expect(await severitiesIn('{name} posts', texts, configuration)).toEqual([
      'de error',
      'es error',
      'fr error',
    ]);
  });

  it('does not excuse an argument that all languages omit', async () => {
    expect(await severitiesIn('{name} posts', { de: 'Posten', es: 'entradas', fr: 'articles' })).toEqual([
      'de error',
      'es error',
      'fr error',
    ]);
  });
});
