import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

/** Descriptions of settings and walkthroughs are displayed as Markdown. */
const described = messagesIn('VS Code', 'vscode');
const texts = messagesIn('VS Code', 'plain');

export const vscode = describeFramework({
  id: 'vscode',
  title: 'VS Code extensions',
  evidence: [{ files: ['package.json'], names: ['@types/vscode', '@vscode/l10n', 'vscode-nls'] }],
  formats: ['json'],
  // vscode-nls-dev: the English texts are in the TypeScript files of the same names.
  ofPrograms: /(?:^|\/)i18n\/[^/]+\/.+\.i18n\.json$/,
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
