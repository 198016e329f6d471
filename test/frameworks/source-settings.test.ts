import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProjects, type Project } from '../../src/project/state/project.ts';
import { temporaryDirectory } from '../cli/harness.ts';

async function openWith(files: Readonly<Record<string, string | Buffer>>): Promise<Project | undefined> {
  const root = temporaryDirectory();
  execFileSync('git', ['init', '-q', root]);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return (await openProjects([root], {}))[0];
}

/** The source language of a project with these files. */
async function sourceOf(files: Readonly<Record<string, string>>): Promise<string | undefined> {
  return (await openWith(files))?.source;
}

const dependsOn = (name: string): string => JSON.stringify({ dependencies: { [name]: '1.0.0' } });
const requires = (name: string): string => JSON.stringify({ require: { [name]: '1.0.0' } });
const named = (pattern: string, text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['de', 'en', 'fr'].map((code) => [pattern.replaceAll('*', code), text.replaceAll('*', code)]),
  );

const JSON_TEXT = '{ "title": "* *" }\n';
const PHP_TEXT = "<?php return ['title' => '* *'];\n";

describe('the source language', () => {
  it.each([
    [
      'config/app.php',
      "'fallback_locale' => env('APP_FALLBACK_LOCALE', 'de'),",
      { 'composer.json': requires('laravel/framework'), ...named('lang/*/shop.php', PHP_TEXT) },
    ],
    [
      'config/application.rb',
      '    config.i18n.default_locale = :de\n',
      { Gemfile: 'gem "rails"\n', ...named('config/locales/*.yml', '*:\n  title: A title\n') },
    ],
    [
      'config/packages/translation.yaml',
      'framework:\n    default_locale: de\n',
      {
        'composer.json': requires('symfony/translation'),
        ...named('translations/messages.*.yaml', 'title: A title\n'),
      },
    ],
    [
      'app/Config/App.php',
      "public string $defaultLocale = 'de';",
      { 'composer.json': requires('codeigniter4/framework'), ...named('app/Language/*/Shop.php', PHP_TEXT) },
    ],
    [
      'i18n/routing.ts',
      "export const routing = defineRouting({ locales, defaultLocale: 'de' });",
      { 'package.json': dependsOn('next-intl'), ...named('messages/*.json', JSON_TEXT) },
    ],
    [
      'src/i18n.ts',
      "i18n.init({ fallbackLng: ['de'] });",
      { 'package.json': dependsOn('i18next'), ...named('public/locales/*/shop.json', JSON_TEXT) },
    ],
    [
      'src/i18n/index.ts',
      "createI18n({ locale: 'en', fallbackLocale: 'de' });",
      { 'package.json': dependsOn('vue-i18n'), ...named('src/locales/*.json', JSON_TEXT) },
    ],
    [
      'nuxt.config.ts',
      "i18n: { defaultLocale: 'de' }",
      { 'package.json': dependsOn('@nuxtjs/i18n'), ...named('i18n/locales/*.json', JSON_TEXT) },
    ],
    [
      'src/lib/i18n/index.ts',
      "init({ fallbackLocale: 'de' });",
      { 'package.json': dependsOn('svelte-i18n'), ...named('src/lib/locales/*.json', JSON_TEXT) },
    ],
    [
      'config/ember-intl.js',
      "return { fallbackLocale: 'de' };",
      { 'package.json': dependsOn('ember-intl'), ...named('translations/*.json', JSON_TEXT) },
    ],
    [
      'project.inlang/settings.json',
      '{ "baseLocale": "de" }',
      { 'package.json': dependsOn('@inlang/paraglide-js'), ...named('messages/*.json', JSON_TEXT) },
    ],
    [
      'manifest.json',
      '{ "manifest_version": 3, "default_locale": "de" }',
      named('_locales/*/messages.json', '{ "title": { "message": "A title" } }'),
    ],
    ['l10n.yaml', 'template-arb-file: app_de.arb\n', named('lib/l10n/app_*.arb', JSON_TEXT)],
    [
      'Package.swift',
      'let package = Package(name: "Shop", defaultLocalization: "de")',
      named('Sources/*.lproj/Localizable.strings', '"title" = "A title";\n'),
    ],
    ['hugo.toml', "defaultContentLanguage = 'de'\n", named('i18n/*.toml', 'title = "A title"\n')],
  ] as const)('is the one in %s', async (name, text, files) => {
    expect(await sourceOf(files)).toBe('en');
    expect(await sourceOf({ ...files, [name]: text })).toBe('de');
  });

  it.each([
    [
      'config/main.php',
      "'sourceLanguage' => 'de',",
      {
        'composer.json': requires('yiisoft/yii2'),
        'messages/fr/app.php': "<?php return [\n    'Ein Titel' => 'Un titre',\n];\n",
      },
    ],
    [
      'shop/settings.py',
      "LANGUAGE_CODE = 'de'\n",
      {
        'manage.py': '',
        'locale/fr/LC_MESSAGES/django.po': 'msgid ""\nmsgstr ""\n\nmsgid "Ein Titel"\nmsgstr ""\n',
      },
    ],
    [
      'config/config.exs',
      'config :shop, Gettext, default_locale: "de"\n',
      {
        'mix.exs': '{:gettext, "~> 0.26"}',
        'priv/gettext/fr/LC_MESSAGES/default.po': 'msgid ""\nmsgstr ""\n\nmsgid "Ein Titel"\nmsgstr ""\n',
      },
    ],
    [
      'Shop.csproj',
      '<Project><PropertyGroup><NeutralLanguage>de</NeutralLanguage></PropertyGroup></Project>',
      {
        'Text.resx': '<root><data name="t"><value>Ein Titel</value></data></root>',
        'Text.fr.resx': '<root></root>',
      },
    ],
    [
      'lingui.config.ts',
      "export default { sourceLocale: 'de' };",
      {
        'package.json': dependsOn('@lingui/core'),
        'locales/fr/messages.po': 'msgid ""\nmsgstr ""\n\nmsgid "Ein Titel"\nmsgstr ""\n',
      },
    ],
    [
      'app/src/main/res/resources.properties',
      'unqualifiedResLocale=de\n',
      {
        'app/build.gradle': '',
        'app/src/main/res/values/strings.xml': '<resources><string name="t">Ein Titel</string></resources>',
        'app/src/main/res/values-fr/strings.xml': '<resources></resources>',
      },
    ],
  ] as const)('is the one in %s, if no file is named after it', async (name, text, files) => {
    expect(await sourceOf(files)).toBe('en');
    expect(await sourceOf({ ...files, [name]: text })).toBe('de');
  });

  it('is not a language into which catalogues are translated', async () => {
    const catalogue = 'msgid ""\nmsgstr ""\n\nmsgid "A title"\nmsgstr "Ein Titel"\n';
    const files = {
      'manage.py': '',
      'locale/de/LC_MESSAGES/django.po': catalogue,
      'settings.py': "LANGUAGE_CODE = 'de'\n",
    };
    expect(await sourceOf(files)).toBe('en');
  });

  it('is neither a language without files nor one that another application names', async () => {
    const files = { 'package.json': dependsOn('i18next'), ...named('public/locales/*/shop.json', JSON_TEXT) };
    expect(await sourceOf({ ...files, 'src/i18n.ts': "i18n.init({ fallbackLng: 'cs' });" })).toBe('en');
    const other = {
      'apps/web/package.json': dependsOn('i18next'),
      'apps/web/i18n.ts': "i18n.init({ fallbackLng: 'de' });",
    };
    expect(await sourceOf({ ...files, ...other })).toBe('en');
  });

  it('is not the value of an expression', async () => {
    const files = {
      'composer.json': requires('symfony/translation'),
      ...named('translations/messages.*.yaml', 'title: A title\n'),
    };
    const setting = {
      'config/packages/translation.yaml': "framework:\n    default_locale: '%app.locale%'\n",
    };
    expect(await sourceOf({ ...files, ...setting })).toBe('en');
  });
});

describe('an English file with texts that differ from its keys is the source, even if its keys are texts', () => {
  const apple = '"Leave the harbour" = "Cast off";\n';
  const i18next = { 'package.json': dependsOn('i18next') };
  const german = '{\n  "Save all changes": "Alles speichern",\n  "Go back": "Zurück"\n}\n';
  it.each([
    [
      'on one line',
      'locales/*.json',
      i18next,
      german,
      '{"Save all changes":"Save everything","Go back":"Back"}',
    ],
    ['in UTF-16', '*.lproj/Localizable.strings', {}, apple, Buffer.from(`\ufeff${apple}`, 'utf16le')],
    [
      'after a long comment',
      '*.lproj/Localizable.strings',
      {},
      apple,
      `/* ${'Copyright. '.repeat(10_000)} */\n${apple}`,
    ],
  ] as const)('%s', async (_, pattern, files, translation, source) => {
    const [english, others] = [pattern.replace('*', 'en'), pattern.replace('*', 'de')];
    const project = await openWith({ ...files, [others]: translation, [english]: source });
    expect(project?.resources).toMatchObject([{ source: english, keysAreTexts: false }]);
    // A file without texts is not a source.
    const empty = await openWith({ ...files, [others]: translation, [english]: '/* None yet. */\n' });
    expect(empty?.resources).toMatchObject([{ source: others, keysAreTexts: true }]);
  });
});
