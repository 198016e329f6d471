import { join } from 'node:path';
import { entryAt, listAt } from '../base/file-facts.ts';
import { BUILT_IN_FORMATS } from '../formats/registry.ts';
import { parseDocumentLocale } from '../languages/words.ts';
import { COMMENTS } from './configured-locales.ts';
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

/** `exclude: ['drafts/**']` among the options of the documents, the blog or the pages. */
const EXCLUDED = /\bexclude\s*:\s*\[([^\]]{0,2000})\]/g;
/** The text before these options: `docs: {` in a preset, or the name of a plug-in. */
const OPTIONS = /\b(docs|blog|pages)['"`]?\s*[:,]\s*\{$/;
/** More text than options have before their patterns. */
const MAX_OPTIONS = 4_000;

/**
 * The patterns of documents that a site leaves out. Those for parts that pages import are not among them: a translated
 * page imports them from its own directory.
 */
function excludedBy(text: string, start: string): readonly string[] {
  return [...text.replaceAll(COMMENTS, '').matchAll(EXCLUDED)].flatMap(({ 1: list = '', index, input }) => {
    const before = input.slice(Math.max(0, index - MAX_OPTIONS), index);
    const kind = OPTIONS.exec(before.slice(0, openBraceIn(before) + 1))?.[1];
    const directories = OF_KINDS.get(kind ?? '') ?? [];
    const patterns = [...list.matchAll(/'([^'\\\n]+)'|"([^"\\\n]+)"/g)]
      .map(([, single, double]) => single ?? double ?? '')
      .filter((pattern) => !/^\*\*\/_\*[./]/.test(pattern));
    return directories.flatMap((directory) => patterns.map((one) => `${start}${directory}/${one}`));
  });
}

const OF_KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['docs', ['docs', 'versioned_docs/*']],
  ['blog', ['blog']],
  ['pages', ['src/pages']],
]);

/** The last brace without its counterpart, or -1. */
function openBraceIn(text: string): number {
  let depth = 1;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === '}') depth++;
    else if (text[at] === '{' && --depth === 0) return at;
  }
  return -1;
}

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
    excluded: excludedBy(text, start),
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
