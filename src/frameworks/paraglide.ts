import { inlangPlurals } from '../text/plural-keys.ts';
import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

/** Variants are lists of objects with selectors. */
const asItself = messagesIn(
  {
    dialect: 'inlang',
    plurals: inlangPlurals,
    isText: (key) =>
      !(key.length === 1 && key[0] === '$schema') &&
      !(key.length === 4 && (key[2] === 'declarations' || key[2] === 'selectors')),
  },
  'plain',
);

export const paraglide = describeFramework({
  id: 'paraglide',
  title: 'paraglide',
  evidence: [
    { files: ['settings.json'], within: /project\.inlang$/ },
    {
      files: ['package.json'],
      names: ['@inlang/paraglide-js', '@inlang/paraglide-sveltekit', '@inlang/paraglide-next'],
    },
  ],
  formats: ['json'],
  sourceSettings: [
    {
      files: ['settings.json'],
      within: /project\.inlang$/,
      text: /"(?:baseLocale|sourceLanguageTag)"\s*:\s*"([\w-]+)"/,
    },
  ],
  // With its plug-in for another library's files, Paraglide reads them like that library.
  messagesOf: ({ manifest }) => (manifest?.text.includes('plugin-i18next') === true ? undefined : asItself()),
});
