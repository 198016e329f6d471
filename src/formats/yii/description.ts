import { describeAs } from '../description.ts';
import { isTextAsKey, quote } from '../key-text.ts';

/** The comment that `yii message` writes above the messages, in Yii 1 and 2. */
const HEADER = /Each array element represents the translation \(value\) of a message \(key\)/;
/** The directory where Yii looks for messages. Laravel and Symfony use other directories. */
const PLACE = /(?:^|[\\/])messages[\\/][^\\/]+[\\/][^\\/]+\.php$/i;
const KEY = /^[ \t]*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*=>/gm;
const MESSAGE = /^[ \t]*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")\s*=>\s*(["'])(.*)\3,?\s*$/gm;

export const yii = describeAs({
  id: 'yii',
  title: 'Yii',
  extensions: ['php'],
  recognizes: (head, path) => HEADER.test(head) || (PLACE.test(path) && hasTextAsKey(head)),
  mediaType: 'application/x-httpd-php',
  localeStyle: 'bcp47',
  isCode: true,
  bilingual: { hasTextsOfItsOwn },
  writeKey: ([source = '']) => quote(source),
  textsStandIn: 'the array that it returns',
  load: async () => (await import('./format.ts')).yii,
});

function hasTextAsKey(head: string): boolean {
  for (const [, single, double = ''] of head.matchAll(KEY)) if (isTextAsKey(single ?? double)) return true;
  return false;
}

/** Whether the messages of a file in the source language are keys: most translations differ from their message. */
function hasTextsOfItsOwn(head: string): boolean {
  let [messages, own] = [0, 0];
  for (const [, single, double, , value = ''] of head.matchAll(MESSAGE)) {
    messages++;
    if (value !== '' && value !== (single ?? double) && !value.startsWith('@@')) own++;
  }
  return own * 2 > messages;
}
