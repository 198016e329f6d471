import { parseDocumentLocale } from '../languages/words.ts';
import { readLocales } from './configured-locales.ts';
import { directoryOf, type DocumentRule } from './layout.ts';
import { folderRule, inFolders, languagesBelow, layoutOf } from './site.ts';
import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';

export const starlight = describeFramework({
  id: 'starlight',
  title: 'Starlight',
  evidence: [
    {
      files: scriptsNamed('astro.config'),
      names: ['@astrojs/starlight'],
    },
  ],
  formats: ['markdown', 'mdx', 'json', 'yaml'],
  holds: /\.mdx?$|(?:^|\/)src\/content\/i18n\//,
  documents: ({ manifests, documents }) =>
    manifests().flatMap(({ path, text }) => rulesOf(directoryOf(path), text, documents)),
});

/** Pages are below `src/content/docs`; those of the language `root` have no language directory. */
function rulesOf(site: string, text: string, documents: readonly string[]): readonly DocumentRule[] {
  const locales = readLocales(text);
  if (!locales) return [];
  const configured = [...locales.keys()].filter(
    (name) => /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/.test(name) && parseDocumentLocale(name) !== undefined,
  );
  const pages = `${site}src/content/docs`;
  const ofRoot = /\blang['"]?\s*:\s*['"`]([\w-]+)/.exec(locales.get('root') ?? '')?.[1];
  if (ofRoot === undefined) {
    const source = /\bdefaultLocale\s*:\s*['"`]([\w-]+)/.exec(text)?.[1];
    return [inFolders(pages, { source, locales: configured }, documents)];
  }
  // Astro uses a directory `zh-CN` for `zh-cn` in the configuration.
  const spellings = [...languagesBelow(pages, documents), ...configured];
  return [folderRule(pages, layoutOf(ofRoot, spellings), true)];
}
