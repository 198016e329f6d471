import { join, posix } from 'node:path';
import { readHead } from '../../base/file-head.ts';
import { entryAt, listAt } from '../../base/file-facts.ts';
import { formatOfPath } from '../../formats/registry.ts';
import { parseLocale } from '../../languages/locale.ts';
import {
  type DocumentLayout,
  type DocumentRule,
  folderRule,
  readSuffix,
  spellingsOf,
  suffixRule,
} from './layout.ts';
import { isWord } from './path-language.ts';

/** The longest configuration of a generator that is read. */
const LIMIT = 1 << 17;

/** The number of directories in which VitePress is looked for. */
const MAX_DIRECTORIES = 500;

const DOCUSAURUS = /^docusaurus\.config\.[cm]?[jt]s$/;
const MKDOCS = /^mkdocs\.ya?ml$/;
const HUGO = /^(?:hugo|config)\.(?:toml|ya?ml)$/;
const HUGO_DIRECTORY = /(?:^|\/)config\/_default$/;
const VITEPRESS = ['config', 'config/index'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((extension) => `.vitepress/${name}.${extension}`),
);

/** Whether a file may be the configuration of a generator of sites, by its name. */
export function isSiteConfiguration(path: string): boolean {
  const name = posix.basename(path);
  return DOCUSAURUS.test(name) || MKDOCS.test(name) || isHugo(path);
}

/** Whether a file is the configuration of a generator wherever it stands: `docs/es/mkdocs.yml` holds no translations. */
export function isSiteSettings(path: string): boolean {
  return MKDOCS.test(posix.basename(path));
}

function isHugo(path: string): boolean {
  const isInDirectory = HUGO_DIRECTORY.test(posix.dirname(path));
  return HUGO.test(posix.basename(path)) || (isInDirectory && /\/languages\.(?:toml|ya?ml)$/.test(path));
}

/**
 * The layouts of the sites that generators make of documents in several languages. Their configurations are read as
 * text: some are programs, which come with the checkout.
 *
 * @param documents relative to the root
 * @param configurations of generators, relative to the root
 */
export function readSites(
  root: string,
  documents: readonly string[],
  configurations: readonly string[],
): readonly DocumentRule[] {
  const textOf = (path: string): string => readHead(join(root, path), LIMIT)?.text ?? '';
  const rules = configurations.flatMap((path) => {
    const directory = posix.dirname(path) === '.' ? '' : posix.dirname(path);
    const text = textOf(path);
    if (DOCUSAURUS.test(posix.basename(path))) return docusaurus(root, directory, text) ?? [];
    if (MKDOCS.test(posix.basename(path))) return mkdocs(directory, text, documents) ?? [];
    const site = directory.replace(HUGO_DIRECTORY, '');
    return hugo(site, text, path.includes('/languages.'), documents) ?? [];
  });
  const directories = documents.flatMap((path) =>
    /(?:^|\/)index\.md$/.test(path) ? path.slice(0, Math.max(0, path.length - '/index.md'.length)) : [],
  );
  for (const directory of directories.slice(0, MAX_DIRECTORIES)) {
    if (entryAt(join(root, directory, '.vitepress')) !== 'directory') continue;
    const text = VITEPRESS.map((name) => textOf(posix.join(directory, name))).find((found) => found !== '');
    const rule = vitepress(directory, text ?? '', documents);
    if (rule) rules.push(rule);
  }
  return rules;
}

/** A layout in which the sources name no language: that of its source is known, or taken for English. */
function layoutOf(source: string | undefined, spellings: readonly string[]): DocumentLayout {
  const own = parseLocale(source ?? 'en') ?? 'en';
  const others = [...spellingsOf(spellings)].filter(([locale]) => locale !== own);
  return { source: own, spellings: new Map(others) };
}

/** The texts in quotes of a list. */
function quoted(list: string | undefined): readonly string[] {
  return [...(list ?? '').matchAll(/['"`]([\w-]+)['"`]/g)].flatMap(([, text]) => text ?? []);
}

/** What Docusaurus translates, by its directory in the site, and by that of its translations. */
const OF_DOCUSAURUS: readonly (readonly [string, string])[] = [
  ['docs/', '/docusaurus-plugin-content-docs/current/'],
  ['blog/', '/docusaurus-plugin-content-blog/'],
  ['src/pages/', '/docusaurus-plugin-content-pages/'],
];

function docusaurus(root: string, directory: string, text: string): DocumentRule | undefined {
  const source = /\bdefaultLocale\s*:\s*['"`]([\w-]+)/.exec(text)?.[1];
  const configured = quoted(/\blocales\s*:\s*\[([^\][]*)\]/.exec(text)?.[1]);
  const start = directory === '' ? '' : `${directory}/`;
  const translations = `${start}i18n/`;
  const existing =
    entryAt(join(root, translations)) === 'directory'
      ? listAt(join(root, translations)).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
      : [];
  const layout = layoutOf(source, [...configured, ...existing.sort()]);
  if (layout.spellings.size === 0) return undefined;
  const spellings = new Set(layout.spellings.values());
  // Other sets of documents, and earlier versions, are translated where translations of them have been begun.
  const begun = existing
    .filter((spelling) => spellings.has(spelling))
    .flatMap((spelling) => sectionsIn(root, `${translations}${spelling}`));
  const sections = [...OF_DOCUSAURUS, ...begun];
  // By default, Docusaurus reads Markdown as what components can stand in.
  const format = /\bformat\s*:\s*['"`]detect/.test(text) ? undefined : formatOfPath('.mdx');
  return {
    ...layout,
    ...(format && { format }),
    // The texts of themes and plug-ins.
    hasFiles: true,
    placeOf(path) {
      if (!path.startsWith(start)) return undefined;
      const inSite = path.slice(start.length);
      const [, spelling = '', rest = ''] = /^i18n\/([^/]+)(\/.+\.(?:json|mdx?))$/.exec(inSite) ?? [];
      if (spellings.has(spelling) || parseLocale(spelling) === layout.source)
        return { template: { parts: [translations, rest], convention: 'none' }, spelling };
      const section = sections.find(([from]) => inSite.startsWith(from) && /\.mdx?$/.test(inSite));
      if (!section) return undefined;
      const [from, to] = section;
      return { template: { parts: [translations, to + inSite.slice(from.length)], convention: 'none' } };
    },
  };
}

/** `version-1.0` of the documents, and the documents of a plug-in with an id of its own. */
function sectionsIn(root: string, language: string): readonly (readonly [string, string])[] {
  const directories = (path: string): readonly string[] =>
    entryAt(join(root, path)) === 'directory'
      ? listAt(join(root, path)).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
      : [];
  const docs = 'docusaurus-plugin-content-docs';
  return [
    ...directories(`${language}/${docs}`).flatMap((name) =>
      name.startsWith('version-') ? [[`versioned_docs/${name}/`, `/${docs}/${name}/`] as const] : [],
    ),
    ...directories(language).flatMap((name) =>
      name.startsWith(`${docs}-`) ? [[`${name.slice(docs.length + 1)}/`, `/${name}/current/`] as const] : [],
    ),
  ];
}

/** The plug-in mkdocs-static-i18n. */
function mkdocs(directory: string, text: string, documents: readonly string[]): DocumentRule | undefined {
  if (!/^[ \t]*-[ \t]*['"]?(?:mkdocs-static-)?i18n\b/m.test(text)) return undefined;
  const pages = posix.join(directory, /^docs_dir:[ \t]*['"]?([\w./-]+)/m.exec(text)?.[1] ?? 'docs');
  const locales: string[] = [];
  let source: string | undefined;
  for (const line of text.split('\n')) {
    const locale = /^[ \t-]*locale:[ \t]*['"]?([\w-]+)/.exec(line)?.[1];
    if (locale !== undefined) locales.push(locale);
    if (/^[ \t-]*default:[ \t]*true\b/.test(line)) source = locales.at(-1);
  }
  const isFolder = /\bdocs_structure:[ \t]*['"]?folder/.test(text);
  return (isFolder ? inFolders : withSuffixes)(pages, { source: source ?? locales[0], locales }, documents);
}

interface SiteLanguages {
  readonly source: string | undefined;
  /** With the source or without it. */
  readonly locales: readonly string[];
}

/** A directory for each language, also for those that the configuration does not name. */
function inFolders(
  pages: string,
  { source, locales }: SiteLanguages,
  documents: readonly string[],
): DocumentRule {
  const all = [...(source === undefined ? [] : [source]), ...locales, ...languagesBelow(pages, documents)];
  return folderRule(pages, { ...layoutOf(source, all), spellings: spellingsOf(all) }, false);
}

/** Translations beside their sources, also in languages that the configuration does not name. */
function withSuffixes(
  pages: string,
  { source, locales }: SiteLanguages,
  documents: readonly string[],
): DocumentRule {
  const known = new Set(documents);
  const beside = documents.flatMap((path) => {
    const { stem, separator, spelling, extension } = readSuffix(path) ?? {};
    const isOwn = separator === '.' && path.startsWith(`${pages}/`) && spelling !== undefined;
    const sources = [`${stem}.${extension}`, `${stem}.${source}.${extension}`];
    return isOwn && !isWord(spelling) && sources.some((other) => known.has(other)) ? spelling : [];
  });
  return suffixRule(pages, layoutOf(source, [...locales, ...beside]));
}

/** The codes of languages, and no words, that directories of documents below this one are called. */
function languagesBelow(directory: string, documents: readonly string[]): readonly string[] {
  const start = directory === '' ? '' : `${directory}/`;
  const names = documents.flatMap((path) => {
    const end = path.startsWith(start) ? path.indexOf('/', start.length) : -1;
    return end < 0 ? [] : path.slice(start.length, end);
  });
  return [...new Set(names)].filter((name) => parseLocale(name) !== undefined && !isWord(name));
}

/** @param isList whether the text is a list of languages and nothing else */
function hugo(
  directory: string,
  text: string,
  isList: boolean,
  documents: readonly string[],
): DocumentRule | undefined {
  const locales = languagesOfHugo(text, isList);
  const source = /^[ \t]*defaultContentLanguage[ \t]*[=:][ \t]*['"]?([\w-]+)/im.exec(text)?.[1] ?? 'en';
  const pages = posix.join(directory, 'content');
  if (!locales.some((spelling) => parseLocale(spelling) !== parseLocale(source))) return undefined;
  if (documents.some((path) => path.startsWith(`${pages}/${source}/`)))
    return inFolders(pages, { source, locales }, documents);
  // Directories of other names are known to Hugo alone.
  return /\bcontentDir\b/i.test(text) ? undefined : withSuffixes(pages, { source, locales }, documents);
}

function languagesOfHugo(text: string, isList: boolean): readonly string[] {
  const found: string[] = [];
  let indent: string | undefined;
  let isInside = isList;
  for (const line of text.split('\n')) {
    const table = /^[ \t]*\[(languages\.)?['"]?([\w-]+)['"]?\]/i.exec(line);
    if (table && (isList || table[1] !== undefined)) found.push(table[2] ?? '');
    if (/^languages:/i.test(line)) isInside = true;
    else if (/^[^\s#]/.test(line) && !isList) isInside = false;
    else if (isInside) {
      const [, own = '', name = ''] = /^([ \t]*)['"]?([\w-]+)['"]?:[ \t\r]*$/.exec(line) ?? [];
      if (name !== '' && (indent ??= own) === own) found.push(name);
    }
    if (isList && /^[\w-]+:/.test(line)) found.push(line.slice(0, line.indexOf(':')));
  }
  return found.filter((name) => parseLocale(name) !== undefined);
}

/** The sources of VitePress stand at the root of a site, or in a directory of their language. */
function vitepress(directory: string, text: string, documents: readonly string[]): DocumentRule | undefined {
  const locales = text.slice(Math.max(0, text.search(/\blocales\b/)));
  const configured = [
    ...locales.matchAll(/(?:^|[{,])[ \t]*['"]?([a-z]{2}(?:-[A-Za-z]{2,4})?)['"]?[ \t]*:[ \t]*\{/gm),
  ].flatMap(([, name = '']) => (parseLocale(name) === undefined || isWord(name) ? [] : name));
  const spellings = [...configured, ...languagesBelow(directory, documents)];
  if (spellings.length === 0) return undefined;
  const ofRoot = /\broot[ \t]*:[ \t]*\{[^{}]{0,2000}?\blang[ \t]*:[ \t]*['"`]([\w-]+)/.exec(locales)?.[1];
  const layout = ofRoot === undefined ? { spellings: spellingsOf(spellings) } : layoutOf(ofRoot, spellings);
  return folderRule(directory, layout, documents.includes(posix.join(directory, 'index.md')));
}
