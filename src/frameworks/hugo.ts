import { posix } from 'node:path';
import { isObject, type JsonObject, textOf } from '../base/json.ts';
import { parseDocumentLocale } from '../languages/words.ts';
import { directoryOf, type DocumentRule } from './layout.ts';
import { folderRule, inFolders, languagesBelow, spellingsOf, withSuffixes } from './site.ts';
import { goPlurals } from '../text/plural-keys.ts';
import { describeFramework } from './description.ts';
import { directoryAt, readData } from './manifest-data.ts';
import { messagesIn } from './messages.ts';

const DEFAULT_LANGUAGE = /^[ \t]*defaultContentLanguage[ \t]*[=:][ \t]*['"]?([\w-]+)/im;

export const hugo = describeFramework({
  id: 'hugo',
  title: 'Hugo',
  evidence: [
    { files: ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'] },
    {
      files: ['hugo', 'config', 'languages', 'languages.*'].flatMap((name) => [
        `${name}.toml`,
        `${name}.yaml`,
        `${name}.yml`,
      ]),
      within: /config\/_default$/,
    },
    {
      files: ['config.toml', 'config.yaml', 'config.yml'],
      names: ['baseURL', 'baseurl', 'defaultContentLanguage'],
    },
    { files: ['theme.toml'], names: ['min_version'] },
  ],
  formats: ['toml', 'yaml', 'json', 'markdown'],
  holds: /(?:^|\/)i18n\/[^/]+$|\.md$/,
  unreadTranslations: /(?:^|\/)config\/[^/]+\/(?:languages|menus?|params)\.[A-Za-z-]+\.(?:json|toml|ya?ml)$/,
  async documents({ manifests, documents }) {
    const sites = new Map<string, JsonObject>();
    for (const manifest of manifests()) {
      const site = directoryOf(manifest.path).replace(/(?:^|\/)config\/_default\/$|\/$/, '');
      const data = lowerCased(await readData(manifest));
      const known = sites.get(site);
      const [isOfLanguages, language] = /(?:^|\/)languages(?:\.(.+))?\.\w+$/.exec(manifest.path) ?? [];
      // `languages.de.toml` has the settings for German.
      const own = language === undefined ? data : { [language]: data };
      const languages = { ...lowerCased(known?.['languages']), ...own };
      sites.set(site, { ...known, ...(isOfLanguages === undefined ? data : { languages }) });
    }
    return [...sites].flatMap(([site, settings]) => ruleOf(site, settings, documents) ?? []);
  },
  sourceSettings: [
    {
      files: ['hugo', 'config'].flatMap((name) =>
        ['toml', 'yaml', 'yml'].map((extension) => `${name}.${extension}`),
      ),
      text: DEFAULT_LANGUAGE,
    },
  ],
  messagesOf: messagesIn({ dialect: 'go-i18n', plurals: goPlurals }, 'i18next'),
});

/** Hugo ignores the case of its settings' names. */
function lowerCased(data: unknown): JsonObject {
  const entries = isObject(data) ? Object.entries(data) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function ruleOf(site: string, settings: JsonObject, documents: readonly string[]): DocumentRule | undefined {
  const source = textOf(settings, 'defaultcontentlanguage') ?? 'en';
  const own = parseDocumentLocale(source);
  const languages = Object.entries(lowerCased(settings['languages'])).flatMap(([name, language]) => {
    const locale = parseDocumentLocale(name);
    return locale === undefined ? [] : { name, locale, settings: lowerCased(language) };
  });
  if (own === undefined || languages.every(({ locale }) => locale === own)) return undefined;
  const locales = languages.map(({ name }) => name);
  const pages = posix.join(site, directoryAt(settings, 'contentdir') ?? 'content');
  if (documents.some((path) => path.startsWith(`${pages}/${source}/`)))
    return inFolders(pages, { source, locales }, documents);
  const directories = new Map<string, string>();
  for (const language of languages) {
    const directory = directoryAt(language.settings, 'contentdir');
    if (directory !== undefined) directories.set(language.locale, posix.join(site, directory));
  }
  return directories.size === 0
    ? withSuffixes(pages, { source, locales }, documents)
    : inNamedFolders({ [own]: pages, ...Object.fromEntries(directories) }, own, documents);
}

/**
 * `content/english` and `content/german`, or `content` and `content/german`. Other generators do not support such
 * directories.
 */
function inNamedFolders(
  directories: Readonly<Record<string, string>>,
  source: string,
  documents: readonly string[],
): DocumentRule | undefined {
  const own = directories[source] ?? '';
  const others = Object.keys(directories).filter((locale) => locale !== source);
  const [parent = '.', ...more] = new Set(others.map((locale) => posix.dirname(directories[locale] ?? '')));
  const isBase = own === parent;
  if (more.length > 0 || parent === '.' || !(isBase || posix.dirname(own) === parent)) return undefined;
  const spellings = new Map(spellingsOf(languagesBelow(parent, documents)));
  for (const locale of isBase ? others : [source, ...others])
    spellings.set(locale, posix.basename(directories[locale] ?? ''));
  return folderRule(parent, { source, spellings }, isBase);
}
