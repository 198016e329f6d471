import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FrameworkEvidence } from '../../src/frameworks/evidence.ts';
import type { FormatId } from '../../src/formats/registry.ts';

/** The framework of a file in a tree of manifests, with the evidence. */
function frameworkIn(manifests: Readonly<Record<string, string>>, path: string, format: FormatId): string {
  const root = mkdtempSync(join(tmpdir(), 'frameworks-'));
  const evidence = new FrameworkEvidence(root);
  for (const [name, text] of Object.entries(manifests)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    evidence.add(name);
  }
  const { framework, manifest } = evidence.frameworkOf(path, format);
  return manifest === undefined ? framework.id : `${framework.id} by ${manifest.path}`;
}

const dependsOn = (...names: readonly string[]): string =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) });

describe('the framework of a file', () => {
  it.each([
    ['package.json', dependsOn('react-i18next'), 'src/locales/en.json', 'json', 'i18next'],
    ['package.json', dependsOn('vue-i18n'), 'src/locales/en.json', 'json', 'vue-i18n'],
    ['composer.json', '{"require": {"laravel/framework": "^11"}}', 'lang/en/auth.php', 'php', 'laravel'],
    [
      'composer.json',
      '{"require": {"symfony/translation": "^7"}}',
      'translations/a.en.yaml',
      'yaml',
      'symfony',
    ],
    ['Gemfile', 'gem "rails", "~> 8.0" # the server', 'config/locales/en.yml', 'yaml', 'rails'],
    [
      'photos/lib/photos/engine.rb',
      'class Engine < ::Rails::Engine; end',
      'photos/config/locales/en.yml',
      'yaml',
      'rails',
    ],
    ['mix.exs', '{:gettext, "~> 0.26"}', 'priv/gettext/de/LC_MESSAGES/default.po', 'po', 'phoenix'],
    ['go.mod', 'require github.com/nicksnyder/go-i18n/v2 v2.4.0', 'active.en.toml', 'toml', 'go-i18n'],
    ['Cargo.toml', '[dependencies]\nfluent = "0.16"', 'i18n/en/app.ftl', 'fluent', 'fluent'],
    ['angular.json', '{}', 'src/locale/messages.xlf', 'xliff', 'angular'],
    ['po/POTFILES.in', 'src/main.c', 'po/de.po', 'po', 'gettext'],
    ['App/App.xcodeproj/project.pbxproj', '', 'App/en.lproj/Main.strings', 'strings', 'apple'],
  ] as const)('is shown by %s', (name, text, path, format, id) => {
    expect(frameworkIn({ [name]: text }, path, format)).toBe(`${id} by ${name}`);
  });

  it('is not Android just because of a build file, which other programs also have', () => {
    const manifests = { 'build.gradle.kts': 'plugins { java }\n' };
    expect(frameworkIn(manifests, 'src/main/resources/doc/en/contents.xml', 'xml')).not.toContain('android');
    expect(frameworkIn(manifests, 'src/main/res/values/strings.xml', 'xml')).toContain('android');
  });

  it('is that of a package that depends on the package of the file', () => {
    const manifests = {
      'package.json': '{"name": "root"}',
      'apps/site/package.json': dependsOn('next-intl', '@acme/texts'),
      'apps/tool/package.json': dependsOn('i18next'),
      'packages/texts/package.json': '{"name": "@acme/texts"}',
      'packages/other/package.json': '{"name": "@acme/other"}',
    };
    const frameworkOf = (path: string): string => frameworkIn(manifests, path, 'json');
    expect(frameworkOf('packages/texts/src/locales/en.json')).toBe('next-intl by apps/site/package.json');
    expect(frameworkOf('packages/other/src/locales/en.json')).toBe('plain');
    expect(frameworkOf('locales/en.json')).toBe('plain');
  });

  it('is that of the neighbouring packages if the file is in a directory of texts and they all use the same one', () => {
    const manifests = {
      'package.json': '{"name": "root"}',
      'frontend/package.json': dependsOn('vue-i18n'),
      'server/go.mod': 'module example.com/server',
      'apps/web/package.json': dependsOn('i18next'),
      'apps/tool/package.json': dependsOn('react-intl'),
    };
    const frameworkOf = (path: string): string => frameworkIn(manifests, path, 'json');
    expect(frameworkOf('i18n/en.json')).toBe('vue-i18n by frontend/package.json');
    expect(frameworkOf('locales/app/en.json')).toBe('vue-i18n by frontend/package.json');
    expect(frameworkOf('server/data/en.json')).toBe('plain');
    expect(frameworkOf('apps/locales/en.json')).toBe('plain');
  });

  it('is not that of a package whose manifest only contains the other name as a word', () => {
    const manifests = {
      'apps/site/package.json': '{"name": "site", "type": "module", "dependencies": {"react-intl": "1.0.0"}}',
      'packages/module/package.json': '{"name": "module"}',
      'server/pom.xml': '<project><module>web</module></project>',
      'packages/web/package.json': '{"name": "web"}',
    };
    expect(frameworkIn(manifests, 'packages/module/locales/en.json', 'json')).toBe('plain');
    expect(frameworkIn(manifests, 'packages/web/messages.properties', 'properties')).toBe('java');
  });

  it('is unknown if the packages that depend on the package of the file use different ones', () => {
    const manifests = {
      'apps/site/package.json': dependsOn('next-intl', '@acme/texts'),
      'apps/tool/package.json': dependsOn('i18next', '@acme/texts'),
      'packages/texts/package.json': '{"name": "@acme/texts"}',
    };
    expect(frameworkIn(manifests, 'packages/texts/locales/en.json', 'json')).toBe('plain');
  });

  it('is found in a repository of many packages, and each manifest is read only a few times', () => {
    const looksFor = (packages: number): number => {
      const root = mkdtempSync(join(tmpdir(), 'frameworks-'));
      const evidence = new FrameworkEvidence(root);
      for (let i = 0; i < packages; i++) {
        mkdirSync(join(root, `packages/p${i}`), { recursive: true });
        writeFileSync(join(root, `packages/p${i}/package.json`), JSON.stringify({ name: `p${i}` }));
        evidence.add(`packages/p${i}/package.json`);
      }
      const looks = vi.spyOn(Set.prototype, 'has');
      try {
        for (let i = 0; i < packages; i++) evidence.frameworkOf(`packages/p${i}/locales/en.json`, 'json');
        return looks.mock.calls.length;
      } finally {
        looks.mockRestore();
      }
    };
    expect(looksFor(40)).toBeLessThan(8 * looksFor(10));
  });

  it('is that of the nearest manifest', () => {
    const manifests = {
      'package.json': dependsOn('vue-i18n'),
      'apps/web/package.json': dependsOn('i18next'),
    };
    expect(frameworkIn(manifests, 'apps/web/locales/en.json', 'json')).toBe(
      'i18next by apps/web/package.json',
    );
    expect(frameworkIn(manifests, 'apps/shop/locales/en.json', 'json')).toBe('vue-i18n by package.json');
  });

  it('is never one that does not read files of the format', () => {
    expect(frameworkIn({ 'package.json': dependsOn('i18next') }, 'locale/de.po', 'po')).toBe('gettext');
  });

  it('is not shown by a comment or a broken manifest', () => {
    expect(frameworkIn({ Gemfile: '# gem "rails"' }, 'config/locales/en.yml', 'yaml')).toBe('plain');
    expect(frameworkIn({ 'package.json': '{"dependencies": {' }, 'en.json', 'json')).toBe('plain');
  });

  it('is known from paths that only one framework reads', () => {
    const manifests = { 'package.json': dependsOn('i18next') };
    expect(frameworkIn(manifests, '_locales/en/messages.json', 'json')).toBe('chrome');
    expect(frameworkIn(manifests, 'app/src/main/res/values/strings.xml', 'xml')).toBe('android');
    expect(frameworkIn(manifests, 'lib/l10n/app_en.arb', 'json')).toBe('flutter');
  });

  it('is searched for up to the end of any path', () => {
    expect(frameworkIn({}, '/locales/en.json', 'json')).toBe('plain');
  });

  it('is plain without evidence of another', () => {
    expect(frameworkIn({}, 'locales/en.json', 'json')).toBe('plain');
  });
});
