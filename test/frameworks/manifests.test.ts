import { expect, it } from 'vitest';
import { Checkout } from '../project/checkout.ts';

/** Tests what manifests reveal about a project's layout, through the command line. */
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

interface Report {
  readonly projects: readonly {
    readonly source_language: string;
    readonly languages: readonly {
      readonly files: readonly { readonly source: string; readonly target: string }[];
    }[];
  }[];
}

function filesOf(checkout: Checkout, ...options: readonly string[]): readonly string[] {
  const { projects } = JSON.parse(checkout.do(['status', ...options, '--json']).stdout) as Report;
  return projects.flatMap(({ languages }) =>
    languages.flatMap(({ files }) => files.map(({ source, target }) => `${source} > ${target}`)),
  );
}

const xliff = (...units: readonly string[]): string =>
  `<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" datatype="plaintext" original="a"><body>\n${units.join('\n')}\n</body></file></xliff>\n`;
const unit = (target = ''): string => `<trans-unit id="1"><source>Save</source>${target}</trans-unit>`;

it('Angular extracts to a directory above the languages, which are named twice', () => {
  const locales = Object.fromEntries(
    ['de', 'zh-Hans'].map((code) => [code, { translation: `i18n/${code}/messages.${code}.xlf` }]),
  );
  const checkout = new Checkout({
    'web/angular.json': json({ projects: { app: { i18n: { sourceLocale: 'en', locales } } } }),
    'web/i18n/messages.xlf': xliff(unit()),
    'web/i18n/de/messages.de.xlf': xliff(unit('<target>Sichern</target>')),
    'web/i18n/zh-Hans/messages.zh-Hans.xlf': xliff(unit('<target>保存</target>')),
  });
  expect(filesOf(checkout, '-t', 'de,es,zh-CN')).toEqual([
    'web/i18n/messages.xlf > web/i18n/de/messages.de.xlf',
    'web/i18n/messages.xlf > web/i18n/es/messages.es.xlf',
    'web/i18n/messages.xlf > web/i18n/zh-Hans/messages.zh-Hans.xlf',
  ]);
});

it('Docusaurus components in a language directory are not catalogues', () => {
  const checkout = new Checkout({
    'docusaurus.config.js': `module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'ja'] } };\n`,
    'docs/a.md': '# Title\n',
    'i18n/ja/docusaurus-plugin-content-docs/current/a.md': '# 題\n',
    'i18n/ja/docusaurus-plugin-content-docs/current/data.js': `export default { name: '名' };\n`,
  });
  expect(filesOf(checkout)).toEqual(['docs/a.md > i18n/ja/docusaurus-plugin-content-docs/current/a.md']);
});

it('a Starlight language may have its directory in any spelling that the configuration uses', () => {
  const checkout = new Checkout({
    'astro.config.ts': `import starlight from '@astrojs/starlight';
export default { integrations: [starlight({ locales: { root: { label: 'English', lang: 'en' }, 'zh-cn': { label: '简体中文', lang: 'zh-CN' } } })] };\n`,
    'src/content/docs/a.md': '# Title\n',
    'src/content/docs/zh-CN/a.md': '# 题\n',
  });
  expect(filesOf(checkout)).toEqual(['src/content/docs/a.md > src/content/docs/zh-CN/a.md']);
});

it('a Minecraft language keeps its country’s code', () => {
  const en = json({ 'block.lamp': 'Lamp' });
  const checkout = new Checkout({ 'src/main/resources/assets/mod/lang/en_us.json': en });
  const path = 'src/main/resources/assets/mod/lang/cy_gb.json';
  const sync = ['sync', '-t', 'cy', '--engine', 'pseudo'];
  expect(checkout.do(sync).stderr).toContain('cy means cy-GB here');
  expect(checkout.read(path)).toContain('block.lamp');
  expect(checkout.do(sync).stderr).toContain('everything is up to date');
  // Toki Pona has no country.
  expect(filesOf(checkout, '-t', 'tok')).toEqual([expect.stringContaining('/tok.json')]);
});

it('PO files below messages/ belong to next-intl, others to gettext', () => {
  const po = (text: string): string =>
    `msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "{n, plural, one {# page} other {# pages}}"\nmsgstr "${text}"\n`;
  const checkout = new Checkout({
    'package.json': json({ dependencies: { 'next-intl': '4.0.0' } }),
    'messages/de.po': po('{n, plural, one {# Seite}}'),
    'po/de.po': po('{n, plural, one {# Seite}}'),
  });
  const { stdout } = checkout.run(['lint']);
  expect(stdout.match(/^.*: (?:error|warning): [a-z-]+/gm)).toEqual([
    'messages/de.po:5:8: error: missing-other',
    'po/de.po:5:8: warning: missing-other',
  ]);
});

it('a package.json of several megabytes is read', () => {
  const checkout = new Checkout({
    'package.json': json({ description: 'x'.repeat(2 * 1024 * 1024) }),
    'locales/en.json': json({ a: 'Save' }),
  });
  expect(filesOf(checkout, '-t', 'es')).toEqual(['locales/en.json > locales/es.json']);
});

it('data named after the source language is not a source next to translated files', () => {
  const files = {
    'assets/tags_en.json': json([{ id: 'low', name: 'Low' }]),
    'lib/l10n/app_en.arb': json({ a: 'Save' }),
  };
  const checkout = new Checkout({ ...files, 'lib/l10n/app_es.arb': json({ a: 'Guardar' }) });
  expect(filesOf(checkout)).toEqual(['lib/l10n/app_en.arb > lib/l10n/app_es.arb']);
  expect(checkout.run(['status']).stderr).toContain(
    '1 .json file in no other language, skipped (for example assets/tags_en.json)',
  );
  // In a new project, these may be the only files.
  expect(filesOf(new Checkout(files), '-t', 'es')).toHaveLength(2);
});

it('a directory with a language-like name is not a source next to catalogues', () => {
  const catalogue = (text: string): string =>
    `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Save"\nmsgstr "${text}"\n`;
  const checkout = new Checkout({
    'packages/ee/package.json': json({ name: 'ee' }),
    'packages/lib/translations/en/web.po': catalogue('Save'),
    'packages/lib/translations/es/web.po': catalogue('Guardar'),
  });
  expect(filesOf(checkout)).toEqual([
    'packages/lib/translations/en/web.po > packages/lib/translations/es/web.po',
  ]);
});
