import { describeAs } from '../description.ts';
import { quote } from '../key-text.ts';

/** What `yii message` writes above the messages, in Yii 1 and 2. */
const HEADER = /Each array element represents the translation \(value\) of a message \(key\)/;
/** Where Yii looks for messages, and a key that is a text. Laravel and Symfony have other directories. */
const PLACE = /(?:^|[\\/])messages[\\/][^\\/]+[\\/][^\\/]+\.php$/i;
const TEXT_AS_KEY = /^\s*(?:'[^'\n]*\p{L} \p{L}[^'\n]*'|"[^"\n]*\p{L} \p{L}[^"\n]*")\s*=>/mu;
const MESSAGE = /^\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")\s*=>\s*(["'])(.*)\3,?\s*$/gm;

export const yii = describeAs({
  id: 'yii',
  title: 'Yii',
  extensions: ['php'],
  recognizes: (head, path) => HEADER.test(head) || (PLACE.test(path) && TEXT_AS_KEY.test(head)),
  mediaType: 'application/x-httpd-php',
  localeStyle: 'bcp47',
  isCode: true,
  bilingual: { hasTextsOfItsOwn },
  writeKey: ([source = '']) => quote(source),
  textsStandIn: 'the array that it returns',
  load: async () => (await import('./format.ts')).yii,
});

/** Whether the messages of a file in the source language are keys: most have a translation that is not the message itself. */
function hasTextsOfItsOwn(head: string): boolean {
  let [messages, own] = [0, 0];
  for (const [, single, double, , value = ''] of head.matchAll(MESSAGE)) {
    messages++;
    if (value !== '' && value !== (single ?? double) && !value.startsWith('@@')) own++;
  }
  return own * 2 > messages;
}
