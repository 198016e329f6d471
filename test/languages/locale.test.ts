import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  languageOf,
  localeStyle,
  localeStyles,
  parseLocale,
  sameLanguage,
  spellLocale,
} from '../../src/languages/locale.ts';
import { LANGUAGES, VARIANTS } from '../../src/languages/table.ts';

const spelt: Readonly<Record<string, readonly string[]>> = {
  en: ['en', 'EN', 'en.UTF-8'],
  'en-GB': ['en-GB', 'en_GB', 'en-rGB', 'en-gb', 'en_gb', 'en-UK', 'en_GB.utf8', 'en_GB.ISO-8859-1'],
  'de-DE': ['de_DE', 'de_DE@euro', 'de_DE.ISO-8859-15@euro'],
  'pt-BR': ['pt-BR', 'pt_BR', 'pt-rBR', 'pt-br', 'pt_br', 'b+pt+BR', 'ptBr', 'ptBR', 'ptbr'],
  'ja-JP': ['ja-JP', 'jaJP', 'jaJp'],
  'sr-Latn': ['sr-Latn', 'sr_Latn', 'b+sr+Latn', 'sr@latin', 'sr@Latn', 'sr-latn'],
  'sr-Latn-RS': ['sr_RS@latin', 'sr_Latn_RS', 'sr-latn-rs', 'sr_RS.UTF-8@latin'],
  'sr-Latn-ijekavsk': ['sr@ijekavianlatin'],
  'uz-Cyrl': ['uz@cyrillic', 'b+uz+Cyrl', 'uz_Cyrl'],
  'ca-valencia': ['ca@valencia', 'ca-valencia', 'b+ca+valencia', 'ca_valencia'],
  'es-419': ['es-419', 'es_419', 'b+es+419'],
  'zh-CN': [
    'zh-CN',
    'zh_CN',
    'zh-rCN',
    'zh_CN.UTF-8',
    'zh_CN.GB2312',
    'zh-Hans',
    'zh_Hans',
    'zh-Hans-CN',
    'zh-hans',
    'zh-SG',
    'zh-Hans-SG',
    'zh-CHS',
    'b+zh+Hans',
    'b+zh+Hans+CN',
  ],
  'zh-TW': [
    'zh-TW',
    'zh_TW',
    'zh-rTW',
    'zh-Hant',
    'zh_Hant_TW',
    'zh-Hant-TW',
    'zh_TW.Big5',
    'zh-CHT',
    'b+zh+Hant',
  ],
  'zh-HK': ['zh-HK', 'zh_HK', 'zh-Hant-HK', 'zh-rHK', 'zh_Hant_HK'],
  zh: ['zh'],
  he: ['he', 'iw'],
  'he-IL': ['iw-rIL', 'he_IL'],
  id: ['id', 'in'],
  yi: ['yi', 'ji'],
  no: ['no'],
  nb: ['nb'],
  fil: ['fil', 'tl'],
  ku: ['ku', 'kmr'],
  ckb: ['ckb'],
  ast: ['ast'],
  'en-XA': ['en-rXA'],
};

describe('parseLocale', () => {
  for (const [code, spellings] of Object.entries(spelt)) {
    it.each(spellings)(`reads %s as ${code}`, (spelling) => {
      expect(parseLocale(spelling)).toBe(code);
    });
  }

  it.each([
    'src',
    'lib',
    'app',
    'doc',
    'docs',
    'test',
    'new',
    'Base',
    'base',
    'main',
    'war',
    'ace',
    'spa',
    'car',
    'bin',
    'xx',
    'values',
    'night',
    'land',
    'sw600dp',
    'v21',
    'en-test',
    'no-op',
    'en-',
    '-en',
    'en--US',
    'en_US_',
    '',
    ' en',
    'en ',
    'en.json',
    'messages',
    'en@quot',
    'en@boldquot',
    'en@',
    'zh@CHS',
    'sr-Latn@latin',
    'en-US-US',
    'en-US-Latn',
    'b+',
    'b+en+XX',
    'b+xx',
    'en-rus',
    'en-rXX',
    'pt-BRA',
    'C',
    'POSIX',
    'auto',
    'en-valencia-US',
    'en/US',
    'root',
    'jajp',
    'toDo',
    'myID',
    'default',
    `en-${'a'.repeat(100)}`,
  ])('does not accept %j as a locale', (word) => {
    expect(parseLocale(word)).toBeUndefined();
  });

  it('only returns codes that are their own canonical form', () => {
    const part = fc.constantFrom(
      'en',
      'zh',
      'sr',
      'Hans',
      'Hant',
      'Latn',
      'CN',
      'SG',
      'HK',
      'r',
      'rCN',
      '419',
      'b',
      'iw',
      '1996',
    );
    const separator = fc.constantFrom('-', '_', '@', '+', '.', '');
    const spelling = fc
      .array(fc.tuple(part, separator), { minLength: 1, maxLength: 5 })
      .map((pairs) => pairs.flat().slice(0, -1).join(''));
    fc.assert(
      fc.property(spelling, (text) => {
        const code = parseLocale(text);
        expect(code && parseLocale(code)).toBe(code);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('spellLocale', () => {
  it.each([
    [
      'zh-CN',
      ['zh-CN', 'zh_CN', 'zh-rCN', 'zh-Hans', 'zh_Hans', 'zh_CN', 'zh-cn', 'zh_cn', 'zhCN', 'zhCn', 'zhcn'],
    ],
    [
      'zh-TW',
      ['zh-TW', 'zh_TW', 'zh-rTW', 'zh-Hant', 'zh_Hant', 'zh_TW', 'zh-tw', 'zh_tw', 'zhTW', 'zhTw', 'zhtw'],
    ],
    [
      'zh-HK',
      ['zh-HK', 'zh_HK', 'zh-rHK', 'zh-HK', 'zh_HK', 'zh_HK', 'zh-hk', 'zh_hk', 'zhHK', 'zhHk', 'zhhk'],
    ],
    [
      'sr-Latn',
      [
        'sr-Latn',
        'sr_Latn',
        'b+sr+Latn',
        'sr-Latn',
        'sr_Latn',
        'sr@latin',
        'sr-latn',
        'sr_latn',
        'sr-Latn',
        'sr-Latn',
        'sr-Latn',
      ],
    ],
    [
      'pt-BR',
      ['pt-BR', 'pt_BR', 'pt-rBR', 'pt-BR', 'pt_BR', 'pt_BR', 'pt-br', 'pt_br', 'ptBR', 'ptBr', 'ptbr'],
    ],
    [
      'es-419',
      [
        'es-419',
        'es_419',
        'b+es+419',
        'es-419',
        'es_419',
        'es_419',
        'es-419',
        'es_419',
        'es-419',
        'es-419',
        'es-419',
      ],
    ],
    ['he', ['he', 'he', 'iw', 'he', 'he', 'he', 'he', 'he', 'he', 'he', 'he']],
    [
      'ca-valencia',
      [
        'ca-valencia',
        'ca_valencia',
        'b+ca+valencia',
        'ca-valencia',
        'ca_valencia',
        'ca@valencia',
        'ca-valencia',
        'ca_valencia',
        'ca-valencia',
        'ca-valencia',
        'ca-valencia',
      ],
    ],
  ])('spells %s in every style', (code, spellings) => {
    expect(localeStyles.map((style) => spellLocale(code, style))).toEqual(spellings);
  });

  const scripts = ['', '-Latn', '-Cyrl', '-Arab', '-Deva', '-Hebr'];
  const regions = ['', '-US', '-BR', '-IS', '-419', '-001', '-SA'];
  it('round-trips to the same code for every language, script and region in every style', () => {
    const languages = LANGUAGES;
    let tried = 0;
    for (const language of languages) {
      for (const script of scripts) {
        for (const region of regions) {
          for (const style of localeStyles) {
            const code = language + script + region;
            expect(parseLocale(spellLocale(code, style)), `${code} ${style}`).toBe(code);
            tried++;
          }
        }
      }
    }
    expect(tried).toBe(languages.length * scripts.length * regions.length * localeStyles.length);
  });

  it('round-trips to the same code for the named variants', () => {
    for (const code of VARIANTS) {
      for (const style of localeStyles) expect(parseLocale(spellLocale(code, style))).toBe(code);
    }
  });
});

describe('localeStyle', () => {
  it.each([
    [['en', 'pt-BR', 'es'], 'bcp47'],
    [['en', 'pt_BR'], 'underscore'],
    [['en', 'pt-rBR'], 'android'],
    [['en', 'b+sr+Latn'], 'android'],
    [['en', 'zh-Hans', 'pt-BR'], 'script'],
    [['zh_Hans', 'zh_Hant'], 'script-underscore'],
    [['zh_Hant_TW', 'zh_Hans_CN'], 'script-underscore'],
    [['sr@latin', 'pt_BR'], 'gettext'],
    [['pt-br', 'zh-cn'], 'lower-hyphen'],
    [['zh-hans', 'pt-br'], 'lower-hyphen'],
    [['pt_br'], 'lower-underscore'],
    [['enUS', 'deDE', 'jaJP'], 'camel-upper'],
    [['de', 'enUs'], 'camel'],
    [['en', 'zhtw'], 'lower'],
    [['zh-CN', 'zh-TW'], 'bcp47'],
    [['messages', 'pt_BR', 'src'], 'underscore'],
  ] as const)('reads %j as %s', (spellings, style) => {
    expect(localeStyle(spellings, 'bcp47')).toBe(style);
  });

  it('uses the fallback if no spelling decides', () => {
    for (const style of localeStyles) {
      expect(localeStyle([], style)).toBe(style);
      expect(localeStyle(['en', 'es', 'messages'], style)).toBe(style);
    }
    expect(localeStyle(['pt_BR'], 'gettext')).toBe('gettext');
  });

  it('does not take a replaced language code for Android', () => {
    expect(localeStyle(['en', 'fr', 'iw'], 'underscore')).toBe('underscore');
  });

  it('recognizes every style that it writes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...localeStyles), (style) => {
        const spellings = ['zh-CN', 'pt-BR', 'sr-Latn', 'es'].map((code) => spellLocale(code, style));
        expect(localeStyle(spellings, style === 'bcp47' ? 'underscore' : 'bcp47')).toBe(style);
      }),
    );
  });
});

describe('languages of codes', () => {
  it('names the primary subtag', () => {
    expect(languageOf('pt-BR')).toBe('pt');
    expect(languageOf('fil')).toBe('fil');
  });

  it.each([
    ['en', 'en-GB', true],
    ['no', 'nb', true],
    ['no', 'nn', false],
    ['zh', 'zh-CN', true],
    ['zh', 'zh-TW', false],
    ['zh-TW', 'zh-HK', true],
    ['zh-CN', 'zh-TW', false],
    ['sr', 'sr-Latn', false],
    ['sr', 'sr-Cyrl', true],
    ['pt', 'pt-BR', true],
    ['es', 'pt', false],
    ['ca', 'ca-valencia', true],
  ])('%s and %s: %s', (a, b, same) => {
    expect(sameLanguage(a, b)).toBe(same);
    expect(sameLanguage(b, a)).toBe(same);
  });
});
