import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Evidence } from '../../src/frameworks/description.ts';
import { readManifest } from '../../src/frameworks/manifest.ts';
import {
  findFramework,
  FRAMEWORKS,
  type Framework,
  type FrameworkId,
} from '../../src/frameworks/registry.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { findGrowth } from '../hostile/growth.ts';
import type { Work } from '../hostile/work.ts';
import { processorTime } from '../processor-time.ts';

/** Settings and manifests of each framework. The tests make hostile files from their beginnings. */
const SAMPLES: Readonly<Partial<Record<FrameworkId, readonly string[]>>> = {
  android: [
    '\nunqualifiedResLocale = en',
    '<resources><item type="string" name="a" translatable="false">@string/b</item>',
    '<?xml version="1.0"?><style><!-- a -->',
  ],
  apple: ['Package(defaultLocalization: LanguageTag("en"))'],
  chrome: ['{"default_locale" : "en"}'],
  codeigniter: ["public $defaultLocale = 'en'"],
  django: ["LANGUAGE_CODE = 'en'"],
  docusaurus: [
    "i18n: { defaultLocale: 'en', locales: ['en', 'de'] }",
    "const locales : string = ['en']",
    "localeConfigs: { 'de' : { label : 'Deutsch' } }",
  ],
  dotnet: [
    '<NeutralLanguage> en </NeutralLanguage>',
    '<root><!-- a --><data name = "a" xml:space = "preserve" > <value>Word</value>',
  ],
  'ember-intl': ["'fallbackLocale' : 'en'"],
  flutter: ['template-arb-file: app_en.arb'],
  hugo: ["defaultContentLanguage = 'en'\n[languages.de]", 'languages: {de: {}}'],
  i18next: ["init({ fallbackLng : [ 'en' ] })"],
  java: ['a.b = Some text'],
  laravel: ["'fallback_locale' => env( 'LOCALE' , 'en')"],
  lingui: ["sourceLocale : 'en'"],
  minecraft: ['{"name" : "a.b.c", "title": "#"'],
  mkdocs: ['plugins:\n  - i18n: {}'],
  'next-intl': ["defaultLocale : 'en'"],
  'ngx-translate': ["setDefaultLang('en')", "fallbackLang : 'en'"],
  paraglide: ['"baseLocale" : "en"'],
  phoenix: ['default_locale" : "en"'],
  rails: ['\nconfig.i18n.default_locale = :"en"', 'class Engine < ::Rails::Engine'],
  starlight: ["locales : { 'root' : { 'lang' : 'en' }, root : { label: '', lang : 'en' }"],
  'svelte-i18n': ["fallbackLocale : 'en'"],
  symfony: ["\ndefault_locale: 'en'"],
  transloco: ["defaultLang : 'en'"],
  vitepress: ["locales: { 'de' : { }, root : { lang : 'en' }", 'locales : A = { b: `', 'locales: { b: /* a'],
  'vue-i18n': ["fallbackLocale : 'en', pluralRules: { ru: (n) => n }"],
  wordpress: ['Requires at least:', '/* Theme Name:', '<?php\n/* Plugin Name:'],
  yii: ["'sourceLanguage' => 'en'"],
};

const FILLERS = ['\n', ' ', 'a', '0', '_', '.', '@', '#', '{', '[', "'", '"', 'a:', '- ', '<!--', '/*'];

/** Passes a text to every function with which a framework reads the files of a checkout. */
function workOn({ evidence, ...framework }: Framework): Work {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, '.vitepress'));
  const { programs = [], sourceSettings = [], layouts = [], documents, branchRule } = framework;
  const withText: readonly Evidence[] = [...evidence, ...programs, ...sourceSettings];
  return async (text) => {
    writeFileSync(join(directory, '.vitepress/config.ts'), text);
    const begin = processorTime();
    for (const { text: pattern } of withText) pattern?.exec(text);
    const names = new Set(evidence.flatMap(({ files }) => files.map((name) => name.replace(/^\*|\*$/, 'a'))));
    const manifests = [...names].slice(0, 2).map((name) => readManifest(name, text));
    const pages = ['index.md', 'docs/index.md', 'de/index.md'];
    await documents?.({ root: directory, manifests: () => manifests, documents: pages });
    await branchRule?.(manifests);
    for (const { textNames, textlessReason } of layouts) {
      textNames?.(text);
      for (const path of ['values/a.xml', 'a.resx', 'a.properties'])
        textlessReason?.({ path, languages: 0, read: () => ({ text, isWhole: true }) });
    }
    framework.isData?.({ path: 'patchouli_books/a.json', text: () => text, isBelowManifest: () => true });
    framework.lint?.supplied?.([text], 'a');
    return new Map([[framework.id, processorTime() - begin]]);
  };
}

it('every pattern for settings has a sample', () => {
  const without = FRAMEWORKS.flatMap(({ id, programs = [], sourceSettings = [], evidence }) => {
    const withText: readonly Evidence[] = [...evidence, ...programs, ...sourceSettings];
    return withText.flatMap(({ text }) =>
      text && SAMPLES[id]?.some((sample) => text.test(sample)) !== true ? `${id}: ${text.source}` : [],
    );
  });
  expect(without).toEqual([]);
});

it.each(FRAMEWORKS.map(({ id }) => id))(
  '%s reads hostile manifests in time that grows only with their length',
  { timeout: 1_200_000 },
  async (id) => {
    const work = workOn(findFramework(id));
    const found: string[] = [];
    for (const sample of ['', '%', ...(SAMPLES[id] ?? [])]) {
      const starts = new Set([...sample.matchAll(/\w+|\W/g)].map((word) => sample.slice(0, word.index)));
      for (const start of [...starts, sample])
        for (const unit of start === '' ? FILLERS : [start, ...FILLERS]) {
          const make = (length: number): string => start + unit.repeat(Math.ceil(length / unit.length));
          const grown = await findGrowth(work, { name: unit, make });
          found.push(...grown.map((times) => `${JSON.stringify([start, unit])} ${times}`));
        }
    }
    expect(found).toEqual([]);
  },
);
