import { realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProjects } from '../../src/project/state/project.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

interface Layout {
  readonly name: string;
  readonly files: readonly string[];
  /** Source and target, for the requested locale. */
  readonly expected: readonly (readonly [source: string, locale: string, target: string])[];
  readonly source?: string;
  readonly targets?: readonly string[];
}

const LAYOUTS: readonly Layout[] = [
  {
    name: 'one file per locale',
    files: ['locales/en.json', 'locales/pt_BR.json', 'package.json', 'tsconfig.json'],
    expected: [
      ['locales/en.json', 'es', 'locales/es.json'],
      ['locales/en.json', 'pt-BR', 'locales/pt_BR.json'],
      ['locales/en.json', 'zh-CN', 'locales/zh_CN.json'],
    ],
  },
  {
    name: 'one directory per locale, with namespaces',
    files: ['locales/en/common.json', 'locales/en/deep/it.json', 'locales/de/common.json'],
    expected: [
      ['locales/en/common.json', 'de', 'locales/de/common.json'],
      ['locales/en/deep/it.json', 'zh-CN', 'locales/zh-CN/deep/it.json'],
    ],
  },
  {
    name: 'Chrome extension',
    files: ['_locales/en/messages.json'],
    expected: [['_locales/en/messages.json', 'pt-BR', '_locales/pt_BR/messages.json']],
  },
  {
    name: 'gettext, template above the locales',
    files: ['locale/django.pot', 'locale/fr/LC_MESSAGES/django.po'],
    expected: [
      ['locale/django.pot', 'fr', 'locale/fr/LC_MESSAGES/django.po'],
      ['locale/django.pot', 'zh-CN', 'locale/zh_CN/LC_MESSAGES/django.po'],
    ],
  },
  {
    name: 'gettext, template in a directory that is not a locale',
    files: [
      'locale/xx/LC_MESSAGES/app.pot',
      'locale/fr/LC_MESSAGES/app.po',
      'locale/fr/LC_MESSAGES/js.po',
      'locale/en/LC_MESSAGES/js.po',
    ],
    expected: [
      ['locale/xx/LC_MESSAGES/app.pot', 'es', 'locale/es/LC_MESSAGES/app.po'],
      ['locale/en/LC_MESSAGES/js.po', 'es', 'locale/es/LC_MESSAGES/js.po'],
    ],
  },
  {
    name: 'gettext, po directory with its template',
    files: ['po/app.pot', 'po/fr.po', 'po/sr@latin.po'],
    expected: [
      ['po/app.pot', 'fr', 'po/fr.po'],
      ['po/app.pot', 'sr-Latn', 'po/sr@latin.po'],
      ['po/app.pot', 'pt-BR', 'po/pt_BR.po'],
    ],
  },
  { name: 'gettext, template alone', files: ['po/app.pot'], expected: [['po/app.pot', 'es', 'po/es.po']] },
  {
    name: 'gettext, WordPress',
    files: ['languages/plugin.pot', 'languages/plugin-fr_FR.po'],
    expected: [
      ['languages/plugin.pot', 'fr-FR', 'languages/plugin-fr_FR.po'],
      ['languages/plugin.pot', 'es', 'languages/plugin-es.po'],
    ],
  },
  {
    name: 'Android',
    files: [
      'app/src/main/res/values/strings.xml',
      'app/src/main/res/values-night/strings.xml',
      'app/src/main/res/values-iw/strings.xml',
      'app/src/main/res/values/donottranslate.xml',
    ],
    expected: [
      ['app/src/main/res/values/strings.xml', 'es', 'app/src/main/res/values-es/strings.xml'],
      ['app/src/main/res/values/strings.xml', 'zh-CN', 'app/src/main/res/values-zh-rCN/strings.xml'],
      ['app/src/main/res/values/strings.xml', 'he', 'app/src/main/res/values-iw/strings.xml'],
      ['app/src/main/res/values/strings.xml', 'sr-Latn', 'app/src/main/res/values-b+sr+Latn/strings.xml'],
    ],
  },
  {
    name: 'Apple, with one directory per language',
    files: ['App/en.lproj/Localizable.strings', 'App/fr.lproj/Localizable.strings'],
    expected: [
      ['App/en.lproj/Localizable.strings', 'fr', 'App/fr.lproj/Localizable.strings'],
      ['App/en.lproj/Localizable.strings', 'zh-CN', 'App/zh-Hans.lproj/Localizable.strings'],
    ],
  },
  {
    name: 'Apple, Base',
    files: ['Base.lproj/Localizable.strings'],
    expected: [['Base.lproj/Localizable.strings', 'es', 'es.lproj/Localizable.strings']],
  },
  {
    name: 'Java bundle without locale',
    files: [
      'src/main/resources/messages.properties',
      'src/main/resources/application.properties',
      'gradle.properties',
    ],
    expected: [
      ['src/main/resources/messages.properties', 'es', 'src/main/resources/messages_es.properties'],
      ['src/main/resources/messages.properties', 'pt-BR', 'src/main/resources/messages_pt_BR.properties'],
    ],
  },
  {
    name: 'Java bundle with locale',
    files: ['l10n/JabRef_en.properties', 'l10n/JabRef_zh_TW.properties'],
    expected: [
      ['l10n/JabRef_en.properties', 'zh-TW', 'l10n/JabRef_zh_TW.properties'],
      ['l10n/JabRef_en.properties', 'es', 'l10n/JabRef_es.properties'],
    ],
  },
  {
    name: 'Rails',
    files: ['config/locales/en.yml', 'config/locales/devise.en.yml', 'config/database.yml'],
    expected: [
      ['config/locales/en.yml', 'es', 'config/locales/es.yml'],
      ['config/locales/devise.en.yml', 'pt-BR', 'config/locales/devise.pt-BR.yml'],
    ],
  },
  {
    name: 'Rails, a domain without Chinese next to one with its script',
    files: [
      'config/locales/en.yml',
      'config/locales/pt-BR.yml',
      'config/locales/zh-Hans.yml',
      'config/locales/zh-TW.yml',
      'config/locales/devise.en.yml',
    ],
    expected: [
      ['config/locales/en.yml', 'es', 'config/locales/es.yml'],
      ['config/locales/devise.en.yml', 'zh-CN', 'config/locales/devise.zh-Hans.yml'],
      ['config/locales/devise.en.yml', 'zh-TW', 'config/locales/devise.zh-TW.yml'],
    ],
  },
  {
    name: 'Android, a module without a language that another one has in its own spelling',
    files: [
      'app/src/main/res/values/strings.xml',
      'app/src/main/res/values-pt-rBR/strings.xml',
      'app/src/main/res/values-b+zh+Hans/strings.xml',
      'core/src/main/res/values/strings.xml',
      'core/src/main/res/values-es/strings.xml',
    ],
    expected: [
      ['app/src/main/res/values/strings.xml', 'es', 'app/src/main/res/values-es/strings.xml'],
      ['core/src/main/res/values/strings.xml', 'zh-CN', 'core/src/main/res/values-b+zh+Hans/strings.xml'],
    ],
  },
  {
    name: 'sets that disagree about the spelling of a language',
    files: [
      'one/en.json',
      'one/zh-Hans.json',
      'two/en.json',
      'two/pt-BR.json',
      'two/zh-CN.json',
      'three/en.json',
      'three/pt-BR.json',
    ],
    expected: [
      ['one/en.json', 'zh-CN', 'one/zh-Hans.json'],
      ['two/en.json', 'zh-CN', 'two/zh-CN.json'],
      ['three/en.json', 'zh-CN', 'three/zh-CN.json'],
    ],
  },
  {
    name: 'Flutter',
    files: ['lib/l10n/intl_en.arb', 'lib/l10n/app_en.arb', 'lib/l10n/app_zh_Hans.arb'],
    expected: [
      ['lib/l10n/intl_en.arb', 'pt-BR', 'lib/l10n/intl_pt_BR.arb'],
      ['lib/l10n/app_en.arb', 'zh-CN', 'lib/l10n/app_zh_Hans.arb'],
    ],
  },
  {
    name: 'names around the locale',
    files: ['i18n/strings.en.json', 'i18n/en.client.json', 'i18n/nb_NO.client.json'],
    expected: [
      ['i18n/strings.en.json', 'es', 'i18n/strings.es.json'],
      ['i18n/en.client.json', 'nb-NO', 'i18n/nb_NO.client.json'],
    ],
  },
  {
    name: 'resx',
    files: ['Properties/Resources.resx', 'Properties/Resources.fr.resx'],
    expected: [
      ['Properties/Resources.resx', 'fr', 'Properties/Resources.fr.resx'],
      ['Properties/Resources.resx', 'pt-BR', 'Properties/Resources.pt-BR.resx'],
    ],
  },
  {
    name: 'the locale twice in a path',
    files: ['lang/en/app.en.json', 'lang/fr/app.fr.json'],
    expected: [['lang/en/app.en.json', 'es', 'lang/es/app.es.json']],
  },
  {
    name: 'a directory that only looks like a locale',
    files: ['packages/en/i18n/en.json', 'packages/en/i18n/fr.json', 'packages/en/i18n/de.json'],
    expected: [['packages/en/i18n/en.json', 'es', 'packages/en/i18n/es.json']],
  },
  {
    name: 'another source language',
    files: ['locales/de.json', 'locales/en.json'],
    source: 'de',
    expected: [['locales/de.json', 'en', 'locales/en.json']],
  },
  {
    name: 'American English only',
    files: ['locales/en-US.json', 'locales/de-DE.json'],
    expected: [['locales/en-US.json', 'pt-BR', 'locales/pt-BR.json']],
  },
];

describe('layout', () => {
  it.each(LAYOUTS)('$name', async ({ files, expected, source }) => {
    const project = new ProjectDirectory(Object.fromEntries(files.map((file) => [file, ''])));
    const { resources } = await project.open({ source, targets: [] });
    expect(resources.map((resource) => resource.source)).toEqual(
      [...new Set(expected.map(([path]) => path))].sort(),
    );
    for (const [path, locale, target] of expected) {
      expect(resources.find((resource) => resource.source === path)?.targetPath(locale)).toBe(target);
    }
  });

  it('takes the languages of existing files as targets, except for variants of the source', async () => {
    const project = new ProjectDirectory({
      'en.json': '',
      'fr.json': '',
      'zh_Hans.json': '',
      'en-GB.json': '',
    });
    expect(await project.open()).toMatchObject({ source: 'en', targets: ['fr', 'zh-CN'] });
  });

  it('lists the candidates if no file is English', async () => {
    const project = new ProjectDirectory({ 'de.json': '', 'fr.json': '', 'a/de.json': '' });
    await expect(project.open()).rejects.toMatchObject({
      code: 'configuration',
      hint: expect.stringContaining('de, fr'),
    });
  });

  it('lists the expected layouts if nothing is found', async () => {
    const project = new ProjectDirectory({ 'src/main.ts': '' });
    await expect(project.open()).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('no localization files'),
      hint: expect.stringContaining('locales/en.json'),
    });
    await expect(openProjects([join(project.path, 'nowhere')])).rejects.toMatchObject({
      code: 'unreadable_input',
    });
  });

  it('skips dependencies, build output and links', async () => {
    const project = new ProjectDirectory({
      'locales/en.json': '',
      'node_modules/x/locales/en.json': '',
      'dist/en.json': '',
      '.hidden/en.json': '',
    });
    symlinkSync(join(project.path, 'locales'), join(project.path, 'linked'));
    symlinkSync(project.path, join(project.path, 'locales', 'circle'));
    expect((await project.open()).resources.map(({ source }) => source)).toEqual(['locales/en.json']);
  });

  it('selects the files below the given path if a configuration is above it', async () => {
    const project = new ProjectDirectory({
      'dragoman.config.json': '{"targets": ["es"]}',
      'a/en.json': '',
      'b/en.json': '',
    });
    for (const path of ['a', 'a/en.json']) {
      const [opened] = await openProjects([join(project.path, path)]);
      expect(opened?.resources.map(({ source }) => source)).toEqual(['a/en.json']);
      expect(opened?.sources).toEqual(new Set(['a/en.json', 'b/en.json']));
    }
    project.write('empty/x', '');
    await expect(openProjects([join(project.path, 'empty')])).rejects.toMatchObject({
      message: expect.stringContaining('empty'),
    });
  });
});

describe('the project of a path', () => {
  const ANDROID = 'app/src/main/res/values/strings.xml';

  async function rootOf(project: ProjectDirectory, path: string): Promise<string | undefined> {
    const [opened] = await openProjects([join(project.path, path)], { source: 'en', targets: ['fr'] });
    return opened && relative(realpathSync(project.path), opened.root);
  }

  it.each([
    [ANDROID, 'app/src/main/res', 'values-fr/strings.xml'],
    ['app/src/main/res/values', 'app/src/main/res', 'values-fr/strings.xml'],
    ['locales/en/app.json', 'locales', 'fr/app.json'],
    ['locales/en/admin/users.json', 'locales', 'fr/admin/users.json'],
    ['locales/en/messages.properties', 'locales', 'fr/messages.properties'],
    ['ios/en.lproj/L.strings', 'ios', 'fr.lproj/L.strings'],
    ['ios/Base.lproj/L.strings', 'ios', 'fr.lproj/L.strings'],
    ['locale/en/LC_MESSAGES/app.po', 'locale', 'fr/LC_MESSAGES/app.po'],
    ['_locales/en/messages.json', '_locales', 'fr/messages.json'],
    ['it/locales/en.json', 'it/locales', 'fr.json'],
  ])('%s belongs to %s', async (path, root, target) => {
    const file = path === 'app/src/main/res/values' ? ANDROID : path;
    const project = new ProjectDirectory({ [file]: '', 'elsewhere/en.json': '' });
    const [opened] = await openProjects([join(project.path, path)], { source: 'en', targets: ['fr'] });
    expect(opened && relative(realpathSync(project.path), opened.root)).toBe(root);
    expect(opened?.resources.map((resource) => resource.targetPath('fr'))).toEqual([target]);
  });

  it('is that of the nearest lock above', async () => {
    const project = new ProjectDirectory({ 'app/en/a.json': '{"a": "One"}', 'b/c/en.json': '{}' });
    expect(await rootOf(project, 'b/c/en.json')).toBe('b/c');
    await project.sync(new RecordingEngine(), { source: 'en', targets: ['fr'] });
    for (const path of ['app', 'app/en', 'app/en/a.json', 'app/fr/a.json', 'b/c/en.json']) {
      expect(await rootOf(project, path), path).toBe('');
    }
  });

  it.each([['.git/HEAD'], ['.git']])('is the work tree’s if %s is a file', async (name) => {
    const project = new ProjectDirectory({ 'app/en/a.json': '{}', 'b/c/en.json': '{}', [name]: '' });
    for (const path of ['app', 'app/en', 'app/en/a.json', 'b/c/en.json']) {
      expect(await rootOf(project, path), path).toBe('');
    }
  });

  it('is the current directory if there is no other evidence and it contains the path', async () => {
    const project = new ProjectDirectory({ 'it/app/locales/en/a.json': '{}' });
    const rootFrom = async (cwd: string, ...paths: readonly string[]): Promise<string | undefined> => {
      const [opened] = await openProjects(
        paths.map((path) => join(project.path, path)),
        { source: 'en', targets: ['fr'], cwd: join(project.path, cwd) },
      );
      return opened && relative(realpathSync(project.path), opened.root);
    };
    expect(await rootFrom('', 'it/app/locales')).toBe('');
    expect(await rootFrom('it', 'it/app/locales/en')).toBe('it');
    expect(await rootFrom('it/app', 'it/app/locales/en/a.json')).toBe('it/app');
    expect(await rootFrom('it/app')).toBe('it/app');
    // From a language's directory, the root is its parent directory.
    expect(await rootFrom('it/app/locales/en')).toBe('it/app/locales');
    expect(await rootFrom('it/app/locales/en', 'it/app/locales/en/a.json')).toBe('it/app/locales');
    expect(await rootFrom('it/app/locales/en', 'it/app/locales')).toBe('it/app/locales');
  });

  it('has the languages of a Chrome extension in Chrome’s spelling, in any directory', async () => {
    const project = new ProjectDirectory({ 'x/_locales/en/messages.json': '{}' });
    for (const path of ['x', 'x/_locales', 'x/_locales/en/messages.json']) {
      const [opened] = await openProjects([join(project.path, path)], { source: 'en', targets: ['pt-BR'] });
      expect(opened?.resources[0]?.targetPath('pt-BR'), path).toMatch(/pt_BR.messages\.json$/);
    }
  });
});
