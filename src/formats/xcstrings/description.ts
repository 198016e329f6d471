import { describeAs } from '../description.ts';

/** Real catalogues are up to 3 MB. */
const MAX_BYTES = 1 << 28;

export const xcstrings = describeAs({
  id: 'xcstrings',
  title: 'String Catalog',
  extensions: ['xcstrings'],
  mediaType: 'application/json',
  localeStyle: 'script',
  reviewMark: { name: 'needs_review' },
  multilingual: { within: MAX_BYTES },
  namesTexts: () => true,
  load: async () => (await import('./format.ts')).xcstrings,
});
