import { posix } from 'node:path';
import { fieldOf, isObject, textOf } from '../base/json.ts';
import { describeFramework } from './description.ts';
import { directoryOf, type DocumentRule } from './layout.ts';
import { directoryAt, readData, valueAt } from './manifest-data.ts';
import { folderRule, inFolders, layoutOf, type SiteLanguages, withSuffixes } from './site.ts';

export const mkdocs = describeFramework({
  id: 'mkdocs',
  title: 'MkDocs',
  evidence: [{ files: ['mkdocs.yml', 'mkdocs.yaml'] }],
  // `docs/es/mkdocs.yml` contains no translations.
  settings: /(?:^|\/)mkdocs\.ya?ml$/,
  // `mkdocs.es.yml` beside `mkdocs.yml` is the configuration of another language.
  settingsBeside: /(?:^|\/)mkdocs\.[\w-]+\.ya?ml$/,
  formats: ['markdown'],
  async documents({ manifests, documents }) {
    const sites = await Promise.all(
      manifests().map(async (manifest) => ({ path: manifest.path, data: await readData(manifest) })),
    );
    return sites.flatMap((site) => ruleOf(site, documents) ?? inheritedRule(site, sites, documents) ?? []);
  },
});

/** A site's configuration. */
interface Site {
  readonly path: string;
  readonly data: unknown;
}

/** The plug-in mkdocs-static-i18n. */
function ruleOf({ path, data }: Site, documents: readonly string[]): DocumentRule | undefined {
  const plugins = fieldOf(data, 'plugins');
  const plugin = (Array.isArray(plugins) ? plugins : [plugins]).flatMap(
    (listed) => fieldOf(listed, 'i18n') ?? fieldOf(listed, 'mkdocs-static-i18n') ?? [],
  )[0];
  if (plugin === undefined) return undefined;
  const pages = posix.join(directoryOf(path), pagesOf(data));
  const isFolder = fieldOf(plugin, 'docs_structure') === 'folder';
  const rule = (isFolder ? inFolders : withSuffixes)(pages, languagesOf(plugin), documents);
  return {
    ...rule,
    excluded: excludedBy(pages, textOf(data, 'exclude_docs') ?? ''),
  };
}

/** Patterns as in a `.gitignore` file, for the pages' directory. */
function excludedBy(pages: string, setting: string): readonly string[] {
  const lines = setting.split('\n').map((line) => line.replace(/(?:^|\s)#.*/, '').trim());
  return lines.filter(Boolean).flatMap((line) => {
    const [, mark = '', path = ''] = /^(!?)(.*)$/.exec(line) ?? [];
    const name = path.replace(/^\/|\/$/g, '');
    const pattern = `${mark}${pages}/${/\/[^/]/.test(path) ? name : `**/${name}`}`;
    return path.endsWith('/') ? [`${pattern}/**`] : [pattern, `${pattern}/**`];
  });
}

/** The plug-in's languages are a list; in earlier versions, a map from codes. */
function languagesOf(plugin: unknown): SiteLanguages {
  const languages = fieldOf(plugin, 'languages');
  if (isObject(languages))
    return { source: textOf(plugin, 'default_language'), locales: Object.keys(languages) };
  const list = Array.isArray(languages) ? languages : [];
  const locales = list.flatMap((language) => textOf(language, 'locale') ?? []);
  const main = list.find((language) => fieldOf(language, 'default') === true);
  return { source: textOf(main, 'locale') ?? locales[0], locales };
}

/**
 * A site for each language: `en/mkdocs.yml` inherits the source's configuration, and its pages are in the same place.
 */
function inheritedRule(
  { path: main, data }: Site,
  all: readonly Site[],
  documents: readonly string[],
): DocumentRule | undefined {
  const source = languageOf(data);
  const site = directoryOf(main);
  const spellings = all.flatMap(({ path, data: own }) => {
    const parent = textOf(own, 'INHERIT') ?? '';
    const name = path.slice(site.length, directoryOf(path).length - 1);
    const isBelow = path === `${site}${name}/${posix.basename(path)}` && languageOf(own) !== undefined;
    return isBelow && posix.join(directoryOf(path), parent) === main ? name : [];
  });
  if (source === undefined || spellings.length === 0) return undefined;
  const configured = `${pagesOf(data)}/`;
  // `docs_dir` may be a directory into which a script collects the pages.
  const pages = documents.some((path) => path.startsWith(site + configured)) ? configured : 'docs/';
  const rule = folderRule(site.slice(0, -1), layoutOf(source, spellings), true);
  const starts = [pages, ...spellings.map((spelling) => `${spelling}/${pages}`)].map((start) => site + start);
  const isPage = (path: string): boolean => starts.some((start) => path.startsWith(start));
  return { ...rule, placeOf: (path) => (isPage(path) ? rule.placeOf(path) : undefined) };
}

function languageOf(data: unknown): string | undefined {
  const language = valueAt(data, 'theme', 'language');
  return typeof language === 'string' ? language : undefined;
}

function pagesOf(data: unknown): string {
  return directoryAt(data, 'docs_dir') ?? 'docs';
}
