import { posix } from 'node:path';
import { parseDocumentLocale } from '../languages/words.ts';
import { describeFramework } from './description.ts';
import { directoryOf, type DocumentRule } from './layout.ts';
import { scriptsNamed, type Manifest } from './manifest.ts';
import { messagesIn } from './messages.ts';
import { inFolders, languagesBelow } from './site.ts';

/** Navigation files: the entries are file names, or have a type, name, label and address. */
const NAVIGATION = /(?:^|\/)_(?:meta|nav)\.json$/;

const ofPages = messagesIn(
  { dialect: 'Rspress', isText: (key) => /^(?:label|text)$/.test(key.at(-1) ?? '') },
  'plain',
);

export const rspress = describeFramework({
  id: 'rspress',
  title: 'Rspress',
  evidence: [
    { files: scriptsNamed('rspress.config') },
    { files: ['package.json'], names: ['rspress', '@rspress/core'] },
  ],
  formats: ['markdown', 'mdx', 'json'],
  holds: /\.mdx?$|(?:^|\/)_(?:meta|nav)\.json$/,
  documents: ({ manifests, documents }) =>
    manifests().flatMap((manifest) => ruleOf(manifest, documents) ?? []),
  isData: ({ path, text, isBelowManifest }) =>
    NAVIGATION.test(path) && isBelowManifest() && !/"(?:label|text)"\s*:/.test(text()),
  messagesOf: ({ path }) => (NAVIGATION.test(path) ? ofPages() : undefined),
});

/** Each language has a directory of pages and of their navigation. */
function ruleOf({ path, text }: Manifest, documents: readonly string[]): DocumentRule | undefined {
  if (path.endsWith('.json')) return undefined;
  const root =
    /\broot\s*:\s*(?:[\w.]+\([^()'"`]{0,100})?['"`](?:\.\/)?([\w./-]+?)\/?['"`]/.exec(text)?.[1] ?? 'docs';
  const pages = posix.join(directoryOf(path), root);
  const source = /^[ \t]*lang\s*:\s*['"`]([\w-]+)/m.exec(text)?.[1];
  if (languagesBelow(pages, documents).length === 0) return undefined;
  const locales = [...text.matchAll(/\{\s*lang\s*:\s*['"`]([\w-]+)/g)].flatMap(([, name = '']) =>
    parseDocumentLocale(name) === undefined ? [] : name,
  );
  const rule = inFolders(pages, { source, locales }, documents);
  return {
    ...rule,
    hasFiles: true,
    // Components among the pages load data files.
    isShown: (other) => rule.placeOf(other) !== undefined,
    placeOf: (other) =>
      /\.(?:mdx?)$/.test(other) || NAVIGATION.test(other) ? rule.placeOf(other) : undefined,
  };
}
