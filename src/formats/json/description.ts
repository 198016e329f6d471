import { describeAs } from '../description.ts';
import { listsCodes } from '../key-text.ts';

export const json = describeAs({
  id: 'json',
  title: 'JSON',
  extensions: ['json', 'jsonc', 'arb'],
  jobExtensions: ['json'],
  marks: ':[',
  mediaType: 'application/json',
  localeStyle: 'underscore',
  listsRecords: (head) =>
    /^\ufeff?\s*\[\s*\{/.test(head) &&
    !/"id"\s*:\s*"/.test(head) &&
    listsCodes(head, head.split('{').length - 1),
  namesTexts: (path) => path.endsWith('.arb') || /(?:^|\/)_locales\//.test(path),
  load: async () => (await import('./format.ts')).json,
});
