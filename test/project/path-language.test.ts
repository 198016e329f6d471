import { describe, expect, it } from 'vitest';
import { languageOfPath } from '../../src/project/discover/path-language.ts';

describe('languageOfPath', () => {
  it.each([
    ['en.json', 'en'],
    ['/app/src/it.json', 'it'],
    ['/app/locales/en/common.json', 'en'],
    ['/app/locales/id/common.json', 'id'],
    ['/app/locales/pt_BR/admin/users.json', 'pt-BR'],
    ['/app/fr/common.json', 'fr'],
    ['/app/_locales/zh_TW/messages.json', 'zh-TW'],
    ['/app/config/locales/devise.de.yml', 'de'],
    ['/app/de.client.json', 'de'],
    ['/app/messages_it.properties', 'it'],
    ['/app/lib/l10n/app_zh_Hans.arb', 'zh-CN'],
    ['/app/res/values-pt-rBR/strings.xml', 'pt-BR'],
    ['/app/res/values-b+sr+Latn/strings.xml', 'sr-Latn'],
    ['/app/ja.lproj/Main.strings', 'ja'],
    ['C:\\app\\locales\\de\\common.json', 'de'],
  ])('reads %s: %s', (path, locale) => {
    expect(languageOfPath(path)).toBe(locale);
  });

  it.each([
    ['a path without a language', '/app/messages.json'],
    ['the language of a project', '/app/res/values/strings.xml'],
    ['its base', '/app/Base.lproj/Main.strings'],
    ['a qualifier that is not a locale', '/app/res/values-night/strings.xml'],
    ['values-de above a file that is not XML', '/app/values-de/strings.json'],
    ['words that are codes', '/app/sign_in.json'],
    ['the same in a directory of languages', '/app/locales/sign_in.json'],
    ['a directory that is a word', '/app/src/it/main.json'],
    ['directories far above', '/home/de/app/main.json'],
    ['two languages', '/app/locales/en/fr.json'],
  ])('does not accept %s as a language', (_, path) => {
    expect(languageOfPath(path)).toBeUndefined();
  });

  it('treats a word in a language’s directory as a word', () => {
    expect(languageOfPath('/app/locales/en/it.json')).toBe('en');
  });
});
