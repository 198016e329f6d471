import { describeAs } from '../description.ts';

/**
 * Data tables can have columns named like languages, so only a path that marks translations makes a table a catalogue.
 */
const TEXTS =
  /(?:^|\/)(?:(?:locales?|lang(?:uage)?s?|translations?|i18n|l10n|locali[sz]ations?)\/.*|[^/]*(?:translations?|locali[sz]ations?|locales?|strings|i18n|l10n|texts)[^/]*)\.[ct]sv$/i;

export const csv = describeAs({
  id: 'csv',
  title: 'CSV',
  extensions: ['csv', 'tsv'],
  mediaType: 'text/csv',
  localeStyle: 'bcp47',
  isExport: (head) =>
    /^[^\r\n]*,context,origin,category,engine\r?$/m.test(head.slice(0, head.indexOf('\n') + 1)),
  multilingual: { within: 1 << 16 },
  namesTexts: (path) => TEXTS.test(path),
  load: async () => (await import('./format.ts')).csv,
});
