import { addTo } from '../base/map-of-lists.ts';
import { describeFramework } from './description.ts';
import { directoryOf, type DocumentRule } from './layout.ts';
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
  documents: ({ manifests, documents }) => (manifests().length > 0 ? walkthroughsIn(documents) : []),
  // vscode-nls-dev: the English texts are in the TypeScript files of the same names, and languages have three letters.
  ofPrograms: /(?:^|\/)i18n\/[a-z]{3}\/.+\.i18n\.json$/,
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

/** The pages of walkthroughs in directories in which one has a translation: `start.nls.fr.md` beside `start.md`. */
function walkthroughsIn(documents: readonly string[]): readonly DocumentRule[] {
  const directories = new Map<string, string[]>();
  for (const path of documents) {
    const spelling = PAGE.exec(path)?.[2];
    if (spelling !== undefined) addTo(directories, directoryOf(path), spelling);
  }
  return [...directories].map(([directory, spellings]) => ({
    ...layoutOf(undefined, spellings),
    placeOf(path) {
      if (directoryOf(path) !== directory || !path.endsWith('.md')) return undefined;
      const [, stem = path.slice(0, -'.md'.length), spelling] = PAGE.exec(path) ?? [];
      const layout = { style: 'lower-hyphen', isStrict: true } as const;
      return { template: { parts: [`${stem}.nls.`, '.md'], layout }, spelling };
    },
  }));
}
