import { posix } from 'node:path';
import { parseLocale } from '../languages/locale.ts';
import { directoryOf, type DocumentRule } from './layout.ts';
import { inFolders, withSuffixes } from './site.ts';
import { goPlurals } from '../text/plural-keys.ts';
import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

const DEFAULT_LANGUAGE = /^[ \t]*defaultContentLanguage[ \t]*[=:][ \t]*['"]?([\w-]+)/im;

export const hugo = describeFramework({
  id: 'hugo',
  title: 'Hugo',
  evidence: [
    { files: ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'] },
    {
      files: ['hugo', 'config', 'languages'].flatMap((name) => [
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
  documents: ({ manifests, documents }) =>
    manifests().flatMap(({ path, text }) => {
      const directory = directoryOf(path)
        .slice(0, -1)
        .replace(/(?:^|\/)config\/_default$/, '');
      return ruleOf(directory, text, /(?:^|\/)languages\./.test(path), documents) ?? [];
    }),
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

/** @param isList whether the text is a list of languages and nothing else */
function ruleOf(
  directory: string,
  text: string,
  isList: boolean,
  documents: readonly string[],
): DocumentRule | undefined {
  const locales = languagesOfHugo(text, isList);
  const source = DEFAULT_LANGUAGE.exec(text)?.[1] ?? 'en';
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
      const [, own = '', name = ''] = /^([ \t]*)['"]?([\w-]+)['"]?:[ \t\r]*(?:#.*)?$/.exec(line) ?? [];
      if (name !== '' && (indent ??= own) === own) found.push(name);
    }
    if (isList && /^[\w-]+:/.test(line)) found.push(line.slice(0, line.indexOf(':')));
  }
  return found.filter((name) => parseLocale(name) !== undefined);
}
