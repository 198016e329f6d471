import { posix } from 'node:path';
import { directoryOf, type DocumentRule } from './layout.ts';
import { inFolders, withSuffixes } from './site.ts';
import { describeFramework } from './description.ts';

export const mkdocs = describeFramework({
  id: 'mkdocs',
  title: 'MkDocs',
  evidence: [{ files: ['mkdocs.yml', 'mkdocs.yaml'] }],
  // `docs/es/mkdocs.yml` holds no translations.
  settings: /(?:^|\/)mkdocs\.ya?ml$/,
  formats: ['markdown'],
  documents: ({ manifests, documents }) =>
    manifests().flatMap(({ path, text }) => ruleOf(directoryOf(path).slice(0, -1), text, documents) ?? []),
});

/** The plug-in mkdocs-static-i18n. */
function ruleOf(directory: string, text: string, documents: readonly string[]): DocumentRule | undefined {
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
