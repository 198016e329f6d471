import { describeAs } from '../description.ts';
import { shortenText } from '../key-text.ts';
import { declaredCharset } from '../xml/charset.ts';

export const qt = describeAs({
  id: 'qt',
  title: 'Qt TS',
  extensions: ['ts'],
  // TypeScript uses the same extension.
  recognizes: (head) => /<!DOCTYPE TS\b|<TS[\s>]/.test(head),
  mediaType: 'application/xml',
  localeStyle: 'underscore',
  reviewMark: { name: 'unfinished' },
  bilingual: {
    // A file in the source language has translations only for plurals, even if all of its messages are plurals.
    hasTextsOfItsOwn: () => false,
    // Counts all messages, because a file in the source language may omit those without plurals.
    countMessages: (head) => head.match(/<message[ >]/g)?.length ?? 0,
    sourceLanguage: (head) => /<TS\s[^<>]*?\ssourcelanguage\s*=\s*["']([\w-]{2,40})["']/.exec(head)?.[1],
  },
  charset: { within: 1024, find: declaredCharset },
  namesTexts: () => true,
  writeKey: ([context = '', source = '', comment = '']) =>
    `${shortenText(source)}${comment === '' ? '' : ` [${shortenText(comment)}]`} (${shortenText(context)})`,
  load: async () => (await import('./format.ts')).qt,
});
