import { join } from 'node:path';
import { entryAt, listAt } from '../base/file-facts.ts';
import { BUILT_IN_FORMATS } from '../formats/registry.ts';
import { parseDocumentLocale } from '../languages/words.ts';
import { ANY_LAYOUT, directoryOf, type DocumentRule } from './layout.ts';
import { layoutOf } from './site.ts';
import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';

export const docusaurus = describeFramework({
  id: 'docusaurus',
  title: 'Docusaurus',
  evidence: [{ files: scriptsNamed('docusaurus.config') }],
  formats: ['json', 'markdown', 'mdx'],
  holds: /(?:^|\/)i18n\/[^/]+\/|\.mdx?$/,
  // Without an option, the command writes the files of the default language.
  ofPrograms: { paths: /(?:^|\/)i18n\/[^/]+\/.+\.json$/, extraction: 'npx docusaurus write-translations' },
  documents: ({ root, manifests }) =>
    manifests().flatMap(({ path, text }) => rulesOf(root, directoryOf(path).slice(0, -1), text) ?? []),
});

/** The text that the first group of `value` matches in a setting; the setting may name a variable of the file. */
function settingIn(text: string, name: string, value: RegExp): string | undefined {
  const own = new RegExp(`\\b${name}\\s*:\\s*${value.source}`).exec(text)?.[1];
  if (own !== undefined) return own;
  const variable = new RegExp(`\\b${name}\\s*:\\s*(\\w+)\\s*[,}]`).exec(text)?.[1] ?? name;
  return new RegExp(`\\b(?:const|let|var)\\s+${variable}\\b[^=;]{0,200}=\\s*${value.source}`).exec(text)?.[1];
}

const LOCALE_SETTINGS = /(?<![\w-])([\w-]{2,35})['"]?\s*:\s*\{\s*(?:label|direction|htmlLang|calendar)\s*:/g;

/** The languages in `localeConfigs`, recognized by their settings. */
function localesWithSettings(text: string): readonly string[] {
  const start = text.search(/\blocaleConfigs\b/);
  if (start < 0) return [];
  const names = [...text.slice(start).matchAll(LOCALE_SETTINGS)].flatMap(([, name]) => name ?? []);
  return names.filter((name) => parseDocumentLocale(name) !== undefined);
}

/** The content that Docusaurus translates: its directory in the site, and the directory of its translations. */
const OF_DOCUSAURUS: readonly (readonly [string, string])[] = [
  ['docs/', '/docusaurus-plugin-content-docs/current/'],
  ['blog/', '/docusaurus-plugin-content-blog/'],
  ['src/pages/', '/docusaurus-plugin-content-pages/'],
];

function rulesOf(root: string, directory: string, text: string): DocumentRule | undefined {
  const source = settingIn(text, 'defaultLocale', /['"`]([\w-]+)/);
  const list = settingIn(text, 'locales', /\[([^\][]*)\]/) ?? '';
  const listed = [...list.matchAll(/['"`]([\w-]+)['"`]/g)].flatMap(([, name]) => name ?? []);
  // A program may compute the list.
  const configured = listed.length > 0 ? listed : localesWithSettings(text);
  const start = directory === '' ? '' : `${directory}/`;
  const translations = `${start}i18n/`;
  const existing = directoriesIn(join(root, translations));
  const layout = layoutOf(source, [...configured, ...existing.toSorted()]);
  if (layout.spellings.size === 0) return undefined;
  const spellings = new Set(layout.spellings.values());
  // Other sets of documents, and earlier versions, are only translated if translations of them exist.
  const begun = existing
    .filter((spelling) => spellings.has(spelling))
    .flatMap((spelling) => sectionsIn(root, `${translations}${spelling}`));
  const sections = [...OF_DOCUSAURUS, ...begun];
  // By default, Docusaurus parses Markdown files as MDX.
  const format = /\bformat\s*:\s*['"`]detect/.test(text) ? undefined : BUILT_IN_FORMATS.ofPath('.mdx');
  return {
    ...layout,
    ...(format && { format }),
    // The directory has the texts of themes and plug-ins.
    hasFiles: true,
    isShown: (path) => path.startsWith(translations),
    placeOf(path) {
      if (!path.startsWith(start)) return undefined;
      const inSite = path.slice(start.length);
      const [, spelling = '', rest = ''] = /^i18n\/([^/]+)(\/.+\.(?:json|mdx?))$/.exec(inSite) ?? [];
      if (spellings.has(spelling) || parseDocumentLocale(spelling) === layout.source)
        return { template: { parts: [translations, rest], layout: ANY_LAYOUT }, spelling };
      const section = sections.find(([from]) => inSite.startsWith(from) && /\.mdx?$/.test(inSite));
      if (!section) return undefined;
      const [from, to] = section;
      return { template: { parts: [translations, to + inSite.slice(from.length)], layout: ANY_LAYOUT } };
    },
  };
}

function directoriesIn(path: string): readonly string[] {
  if (entryAt(path) !== 'directory') return [];
  return listAt(path).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}

/** Older versions of the documents, such as `version-1.0`, and the documents of plug-ins with an id. */
function sectionsIn(root: string, language: string): readonly (readonly [string, string])[] {
  const docs = 'docusaurus-plugin-content-docs';
  return [
    ...directoriesIn(join(root, language, docs)).flatMap((name) =>
      name.startsWith('version-') ? [[`versioned_docs/${name}/`, `/${docs}/${name}/`] as const] : [],
    ),
    ...directoriesIn(join(root, language)).flatMap((name) =>
      name.startsWith(`${docs}-`) ? [[`${name.slice(docs.length + 1)}/`, `/${name}/current/`] as const] : [],
    ),
  ];
}
