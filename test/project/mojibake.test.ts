import { describe, expect, it } from 'vitest';
import { findMojibake } from '../../src/project/lint/lint.ts';
import type { Finding } from '../../src/project/lint/finding.ts';
import { findingsIn } from './findings.ts';

const brief = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ rule, file, line, column, key }) => `${file}:${line}:${column} ${rule} ${key?.join('.') ?? ''}`,
  );

describe('a file that was decoded incorrectly as a whole', () => {
  /** UTF-8 read as Windows-1252 if it has the character, otherwise as ISO-8859-1. */
  const misread = (text: string): string => new TextDecoder('windows-1252').decode(Buffer.from(text));
  const catalogue = (...texts: readonly string[]): string =>
    texts.map((text, i) => `k${i} = ${text}\n`).join('');
  const english = catalogue('Hello', 'Save it', 'Close', 'Open it', 'OK');

  it.each([
    ['fr', ['Déjà vu', 'Gardé', 'Fermé là', 'Ouvré', 'OK']],
    ['ru', ['Привет', 'Сохранить', 'Закрыть', 'Открыть', 'OK']],
    ['zh', ['你好', '保存它', '关', '打开', 'OK']],
    ['hi', ['नमस्ते', 'सहेजें', 'बंद करें', 'खोलें', 'OK']],
  ])('is one finding, with the count and an example: %s', async (locale, texts) => {
    const findings = await findingsIn({
      'i18n/app_en.properties': english,
      [`i18n/app_${locale}.properties`]: catalogue(...texts.map(misread)),
    });
    expect(findings).toMatchObject([
      { rule: 'mojibake', severity: 'error', key: undefined, line: 1, column: 6 },
    ]);
    expect(findings[0]?.message).toMatch(
      /^4 of 4 texts with non-ASCII characters were decoded with the wrong encoding, such as "/,
    );
  });

  it('has a finding for each damaged text if others are correct', async () => {
    const texts = ['Déjà vu', 'Gardé', 'Fermé là', misread('Ouvré'), misread('Bientôt')];
    const findings = await findingsIn({
      'i18n/app_en.properties': english,
      'i18n/app_fr.properties': catalogue(...texts),
    });
    expect(brief(findings)).toEqual([
      'i18n/app_fr.properties:4:6 mojibake k3',
      'i18n/app_fr.properties:5:6 mojibake k4',
    ]);
  });

  it('still reports other problems of its texts', async () => {
    const broken = catalogue(...['Déjà vu {0}', 'Gardé {0}', 'Fermé', 'Ouvré', 'OK'].map(misread));
    const findings = await findingsIn({
      'i18n/app_en.properties': catalogue('Hello {0}', 'Save it', 'Close {0}', 'Open {0}', 'OK'),
      'i18n/app_fr.properties': broken,
    });
    expect(brief(findings)).toEqual([
      'i18n/app_fr.properties:1:6 mojibake ',
      'i18n/app_fr.properties:2:6 placeholder-mismatch k1',
      'i18n/app_fr.properties:3:6 placeholder-mismatch k2',
      'i18n/app_fr.properties:4:6 placeholder-mismatch k3',
    ]);
  });
});

describe('findMojibake', () => {
  it.each(['cafÃ©', 'â€™', 'Ã¼ber', '\ufffd', 'Ð¿Ñ€Ð¸Ð²ÐµÑ‚', 'Â©'])('finds it in %s', (text) => {
    expect(findMojibake(text)).toBeDefined();
  });

  it.each([
    'café',
    'Ãlvaro São João ÂNGULO',
    'naïve',
    'привет',
    'Ñandú',
    'Đặng',
    '€ 5',
    '“quoted”',
    '日本語',
    'Âge',
    'CORAÇÃO',
    'Â ',
  ])('does not report %s', (text) => {
    expect(findMojibake(text)).toBeUndefined();
  });
});
