import { describe, expect, it } from 'vitest';
import { foreignLanguageOf } from '../../src/languages/foreign-language.ts';

const GERMAN = 'Die Einstellungen konnten nicht gespeichert werden, weil die Datei gesperrt ist.';
const ENGLISH = 'The settings could not be saved because the file is locked by another program.';

describe('a text in another language than the target', () => {
  it.each([
    [GERMAN, 'fr', 'de'],
    [ENGLISH, 'de', 'en'],
    [ENGLISH, 'ja', 'en'],
    ['Настройки не удалось сохранить, потому что файл заблокирован.', 'de', 'ru'],
  ])('%s for %s', async (text, target, language) => {
    expect(await foreignLanguageOf(text, target)).toBe(language);
  });

  it.each([
    [GERMAN, 'de-AT'],
    ['Save the file', 'de'],
    ['As definições não puderam ser guardadas porque o ficheiro está bloqueado.', 'es'],
    ['Првенство према редоследу приказаних датотека', 'sr'],
    ['Приоритет према показаном редоследу датотека', 'sr'],
    [ENGLISH, 'kab'],
  ])('is uncertain: %s for %s', async (text, target) => {
    expect(await foreignLanguageOf(text, target)).toBeUndefined();
  });
});
