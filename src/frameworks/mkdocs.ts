import { posix } from 'node:path';
import { directoryOf, type DocumentRule } from './layout.ts';
import { folderRule, inFolders, layoutOf, withSuffixes } from './site.ts';
import { describeFramework } from './description.ts';
import type { Manifest } from './manifest.ts';

export const mkdocs = describeFramework({
  id: 'mkdocs',
  title: 'MkDocs',
  evidence: [{ files: ['mkdocs.yml', 'mkdocs.yaml'] }],
  // `docs/es/mkdocs.yml` holds no translations.
  settings: /(?:^|\/)mkdocs\.ya?ml$/,
  formats: ['markdown'],
  documents: ({ manifests, documents }) =>
    manifests().flatMap(
      (manifest, _, all) =>
        ruleOf(directoryOf(manifest.path).slice(0, -1), manifest.text, documents) ??
        inheritedRule(manifest, all, documents) ??
        [],
    ),
});

/** The plug-in mkdocs-static-i18n. */
function ruleOf(directory: string, text: string, documents: readonly string[]): DocumentRule | undefined {
  if (!/^[ \t]*-[ \t]*['"]?(?:mkdocs-static-)?i18n\b/m.test(text)) return undefined;
  const pages = posix.join(directory, pagesIn(text));
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

/** A site for each language: `en/mkdocs.yml` inherits from that of the source, and has its pages in the same place. */
function inheritedRule(
  main: Manifest,
  all: readonly Manifest[],
  documents: readonly string[],
): DocumentRule | undefined {
  const source = languageIn(main.text);
  const site = directoryOf(main.path);
  const spellings = all.flatMap(({ path, text }) => {
    const parent = /^INHERIT:[ \t]*['"]?([\w./-]+)/m.exec(text)?.[1] ?? '';
    const name = path.slice(site.length, directoryOf(path).length - 1);
    const isBelow = path === `${site}${name}/${posix.basename(path)}` && languageIn(text) !== undefined;
    return isBelow && posix.join(directoryOf(path), parent) === main.path ? name : [];
  });
  if (source === undefined || spellings.length === 0) return undefined;
  const configured = `${posix.normalize(pagesIn(main.text))}/`;
  // `docs_dir` may be where a script collects the pages.
  const pages = documents.some((path) => path.startsWith(site + configured)) ? configured : 'docs/';
  const rule = folderRule(site.slice(0, -1), layoutOf(source, spellings), true);
  const starts = [pages, ...spellings.map((spelling) => `${spelling}/${pages}`)].map((start) => site + start);
  const isPage = (path: string): boolean => starts.some((start) => path.startsWith(start));
  return { ...rule, placeOf: (path) => (isPage(path) ? rule.placeOf(path) : undefined) };
}

function languageIn(text: string): string | undefined {
  return /^theme:[ \t]*(?:#.*)?\r?\n(?:(?:[ \t].*)?\r?\n)*?[ \t]+language:[ \t]*['"]?([\w-]+)/m.exec(
    text,
  )?.[1];
}

function pagesIn(text: string): string {
  return /^docs_dir:[ \t]*['"]?([\w./-]+)/m.exec(text)?.[1] ?? 'docs';
}
