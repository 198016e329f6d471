import { describeAs } from '../description.ts';

/** Tables of data may have columns that are called as languages are: where they are for translation, their path says so. */
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
