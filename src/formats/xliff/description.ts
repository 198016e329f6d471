import { describeAs } from '../description.ts';
import { shortenText } from '../key-text.ts';
import { declaredCharset } from '../xml/charset.ts';

export const xliff = describeAs({
  id: 'xliff',
  title: 'XLIFF',
  extensions: ['xlf', 'xliff'],
  mediaType: 'application/xliff+xml',
  localeStyle: 'bcp47',
  isExport: (head) => /<(?:file|tool)\b[^<>]*\sid="dragoman-export|\stool-id="dragoman-export"/.test(head),
  reviewMark: { name: 'needs-review-translation' },
  bilingual: {
    // In a source-language file, targets are the displayed texts; without targets, sources are.
    hasTextsOfItsOwn: () => true,
    needsSource: true,
    sourceLanguage: (head) => SOURCE_LANGUAGE.exec(head)?.[1],
  },
  charset: { within: 1024, find: declaredCharset },
  namesTexts: () => true,
  writeKey: ([file = '', id = '', segment]) =>
    `${shortenText(id)}${segment === undefined ? '' : `[${shortenText(segment)}]`}${file === '' ? '' : ` (${shortenText(file)})`}`,
  load: async () => (await import('./format.ts')).xliff,
});

const SOURCE_LANGUAGE = /\s(?:source-language|srcLang)\s*=\s*["']([\w-]{2,40})["']/;
