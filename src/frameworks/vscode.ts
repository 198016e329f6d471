import { posix } from 'node:path';
import { fieldOf, textOf } from '../base/json.ts';
import { addTo } from '../base/map-of-lists.ts';
import { parseLocale } from '../languages/locale.ts';
import { describeFramework } from './description.ts';
import { directoryOf, type DocumentRule } from './layout.ts';
import { readData, valueAt } from './manifest-data.ts';
import type { Manifest } from './manifest.ts';
import { messagesIn } from './messages.ts';
import { layoutOf } from './site.ts';

/** Descriptions of settings and walkthroughs are displayed as Markdown. */
const described = messagesIn('VS Code', 'vscode');
const texts = messagesIn('VS Code', 'plain');

export const vscode = describeFramework({
  id: 'vscode',
  title: 'VS Code extensions',
  evidence: [{ files: ['package.json'], names: ['@types/vscode', '@vscode/l10n', 'vscode-nls'] }],
  formats: ['json'],
  documents: async ({ manifests, documents }) => {
    const named = await Promise.all(manifests().map(pagesNamedIn));
    return named.length > 0 ? walkthroughsIn(documents, new Set(named.flat())) : [];
  },
  // vscode-nls-dev: the English texts are in the TypeScript files of the same names, and language codes have three
  // letters.
  ofPrograms: { paths: /(?:^|\/)i18n\/[a-z]{3}\/.+\.i18n\.json$/ },
  messagesOf: ({ path }) => (/(?:^|\/)package\.nls\.[^/]*$/.test(path) ? described() : texts()),
  holds: /(?:^|\/)(?:package\.nls|bundle\.l10n)\.(?:.+\.)?json$/,
  owns: /(?:^|\/)(?:package\.nls|bundle\.l10n)\.(?:.+\.)?json$/,
  layouts: [
    {
      style: 'lower-hyphen',
      isStrict: true,
      isSure: true,
      paths: /(?:^|\/)(?:package\.nls|bundle\.l10n)\.(?:.+\.)?json$/,
      base(path) {
        const stem = /^((?:.*\/)?(?:package\.nls|bundle\.l10n)\.)json$/.exec(path)?.[1];
        return stem === undefined ? undefined : [stem, '.json'];
      },
    },
  ],
});

const PAGE = /^(.+)\.nls\.([\w-]+)\.md$/;

/** The pages of walkthroughs that the manifest of an extension names. */
async function pagesNamedIn(manifest: Manifest): Promise<readonly string[]> {
  const walkthroughs = valueAt(await readData(manifest), 'contributes', 'walkthroughs');
  const steps = listIn(walkthroughs).flatMap((walkthrough) => listIn(fieldOf(walkthrough, 'steps')));
  return steps.flatMap((step) => {
    const page = textOf(fieldOf(step, 'media'), 'markdown');
    return page === undefined ? [] : posix.join(directoryOf(manifest.path), page);
  });
}

function listIn(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : [];
}

/**
 * The pages of walkthroughs: in each directory with a translated page (`start.nls.fr.md` beside `start.md`), all
 * translated pages and the pages that a manifest names.
 */
function walkthroughsIn(documents: readonly string[], named: ReadonlySet<string>): readonly DocumentRule[] {
  const directories = new Map<string, string[]>();
  const translated = new Set<string>();
  for (const path of documents) {
    const [, stem, spelling] = PAGE.exec(path) ?? [];
    if (stem === undefined || spelling === undefined || parseLocale(spelling) === undefined) continue;
    addTo(directories, directoryOf(path), spelling);
    translated.add(`${stem}.md`);
  }
  return [...directories].map(([directory, spellings]) => ({
    ...layoutOf(undefined, spellings),
    placeOf(path) {
      if (directoryOf(path) !== directory || !path.endsWith('.md')) return undefined;
      const [, stem = path.slice(0, -'.md'.length), spelling] = PAGE.exec(path) ?? [];
      if (!translated.has(`${stem}.md`) && !named.has(`${stem}.md`)) return undefined;
      const layout = { style: 'lower-hyphen', isStrict: true } as const;
      return { template: { parts: [`${stem}.nls.`, '.md'], layout }, spelling };
    },
  }));
}
