import { join, posix } from 'node:path';
import { entryAt } from '../base/file-facts.ts';
import { readHead } from '../base/file-head.ts';
import { isWord, parseDocumentLocale } from '../languages/words.ts';
import { COMMENTS, readLocales } from './configured-locales.ts';
import type { DocumentRule } from './layout.ts';
import { MANIFEST_LIMIT } from './manifest.ts';
import { folderRule, languagesBelow, layoutOf, type SiteSearch, spellingsOf } from './site.ts';
import { describeFramework } from './description.ts';

export const vitepress = describeFramework({
  id: 'vitepress',
  title: 'VitePress and VuePress',
  evidence: [{ files: ['package.json'], names: ['vitepress', 'vuepress'] }],
  formats: ['markdown'],
  documents: sitesIn,
});

/** Maximum number of directories in which to look for a site. */
const MAX_DIRECTORIES = 500;

const CONFIGURATIONS = ['config', 'config/index'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((extension) => `${name}.${extension}`),
);

/** The hidden directories of configurations, with the name of the first page next to them. */
const SITES = [
  ['.vitepress', 'index.md'],
  ['.vuepress', 'README.md'],
] as const;

/** The configuration is in a hidden directory next to the first page. */
function sitesIn({ root, documents }: SiteSearch): readonly DocumentRule[] {
  return SITES.flatMap(([hidden, home]) => {
    const directories = documents
      .filter((path) => posix.basename(path) === home)
      .map((path) => posix.dirname(path));
    return directories.slice(0, MAX_DIRECTORIES).flatMap((found) => {
      const directory = found === '.' ? '' : found;
      const configuration = join(root, directory, hidden);
      if (entryAt(configuration) !== 'directory') return [];
      const texts = CONFIGURATIONS.map(
        (name) => readHead(join(configuration, name), MANIFEST_LIMIT)?.text ?? '',
      );
      const text = texts.find((other) => other !== '') ?? '';
      const rule = ruleOf(directory, text, documents, home);
      return rule ? { ...rule, excluded: excludedBy(text, configuration, directory) } : [];
    });
  });
}

/** Modules beside the configuration that it imports. */
const IMPORT = /\bfrom\s*['"]\.\/([\w-]+)(?:\.m?[jt]s)?['"]/g;
const MAX_IMPORTS = 20;
/** `srcExclude: ['drafts/**']` as the first property of a line. */
const EXCLUDED = /^[ \t]*srcExclude\s*:\s*\[([^\]]{0,2000})\]/gm;

/** The patterns of the documents that a site leaves out. */
function excludedBy(text: string, configuration: string, directory: string): readonly string[] {
  const imported = [...text.matchAll(IMPORT)]
    .slice(0, MAX_IMPORTS)
    .flatMap(([, name]) =>
      ['ts', 'mts', 'js', 'mjs'].map(
        (extension) => readHead(join(configuration, `${name}.${extension}`), MANIFEST_LIMIT)?.text ?? '',
      ),
    );
  return [text, ...imported]
    .flatMap((program) => [...program.replaceAll(COMMENTS, '').matchAll(EXCLUDED)])
    .flatMap(([, list = '']) => [...list.matchAll(/'([^'\\\n]+)'|"([^"\\\n]+)"/g)])
    .map(([, single, double]) => posix.join(directory, single ?? double ?? ''));
}

/** The pages of a language are on another site: `link: 'https://es.example.com'`. */
const ELSEWHERE = /\blink['"]?\s*:\s*['"`]https?:/;

/** Sources are at the root of a site, or in a language directory. */
function ruleOf(
  directory: string,
  text: string,
  documents: readonly string[],
  home: string,
): DocumentRule | undefined {
  const locales = readLocales(text) ?? new Map<string, string>();
  const configured = [...locales].flatMap(([name, own]) => {
    const isLanguage = /^[a-z]{2}(?:-[A-Za-z]{2,4})?$/.test(name) && parseDocumentLocale(name) !== undefined;
    return isLanguage && !isWord(name) && !ELSEWHERE.test(own) ? name : [];
  });
  const spellings = [...configured, ...languagesBelow(directory, documents)];
  if (spellings.length === 0) return undefined;
  const ofRoot = /\blang['"]?\s*:\s*['"`]([\w-]+)/.exec(locales.get('root') ?? locales.get('') ?? '')?.[1];
  const layout = ofRoot === undefined ? { spellings: spellingsOf(spellings) } : layoutOf(ofRoot, spellings);
  return folderRule(directory, layout, true, home === 'README.md');
}
