import { join, posix } from 'node:path';
import { entryAt } from '../base/file-facts.ts';
import { readHead } from '../base/file-head.ts';
import { parseLocale } from '../languages/locale.ts';
import { isWord } from '../languages/words.ts';
import type { DocumentRule } from './layout.ts';
import { MANIFEST_LIMIT } from './manifest.ts';
import { folderRule, languagesBelow, layoutOf, type SiteSearch, spellingsOf } from './site.ts';
import { describeFramework } from './description.ts';

export const vitepress = describeFramework({
  id: 'vitepress',
  title: 'VitePress',
  evidence: [{ files: ['package.json'], names: ['vitepress'] }],
  formats: ['markdown'],
  documents: sitesIn,
});

/** Maximum number of directories in which to look for a site. */
const MAX_DIRECTORIES = 500;

const CONFIGURATIONS = ['config', 'config/index'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((extension) => `.vitepress/${name}.${extension}`),
);

/** The configuration is in a hidden directory next to the first page. */
function sitesIn({ root, documents }: SiteSearch): readonly DocumentRule[] {
  const directories = documents.flatMap((path) =>
    /(?:^|\/)index\.md$/.test(path) ? path.slice(0, Math.max(0, path.length - '/index.md'.length)) : [],
  );
  return directories.slice(0, MAX_DIRECTORIES).flatMap((directory) => {
    if (entryAt(join(root, directory, '.vitepress')) !== 'directory') return [];
    const texts = CONFIGURATIONS.map(
      (name) => readHead(join(root, directory, name), MANIFEST_LIMIT)?.text ?? '',
    );
    return ruleOf(directory, texts.find((text) => text !== '') ?? '', documents) ?? [];
  });
}

/** A language of a configuration, unless another site has its pages: `link: 'https://es.example.com'`. */
const LOCALE =
  /(?:^|[{,])[ \t]*['"]?([a-z]{2}(?:-[A-Za-z]{2,4})?)['"]?[ \t]*:[ \t]*\{(?![^{}]{0,2000}?\blink[ \t]*:[ \t]*['"`]https?:)/gm;

/** VitePress sources are at the root of a site, or in a language directory. */
function ruleOf(directory: string, text: string, documents: readonly string[]): DocumentRule | undefined {
  const locales = text.slice(Math.max(0, text.search(/\blocales\b/)));
  const configured = [...locales.matchAll(LOCALE)].flatMap(([, name = '']) =>
    parseLocale(name) === undefined || isWord(name) ? [] : name,
  );
  const spellings = [...configured, ...languagesBelow(directory, documents)];
  if (spellings.length === 0) return undefined;
  const ofRoot = /\broot[ \t]*:[ \t]*\{[^{}]{0,2000}?\blang[ \t]*:[ \t]*['"`]([\w-]+)/.exec(locales)?.[1];
  const layout = ofRoot === undefined ? { spellings: spellingsOf(spellings) } : layoutOf(ofRoot, spellings);
  return folderRule(directory, layout, documents.includes(posix.join(directory, 'index.md')));
}
