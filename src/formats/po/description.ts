import { describeAs } from '../description.ts';
import { quote } from '../key-text.ts';
import { declaredCharset } from './charset.ts';

/** Other editors replace `X-Generator` with their own name, but keep this field. */
export const EXPORT_FIELD = 'X-Dragoman-Export: 1';

export const po = describeAs({
  id: 'po',
  title: 'PO/POT',
  extensions: ['po', 'pot'],
  jobExtensions: ['po', 'pot'],
  marks: '\n\r\\',
  mediaType: 'text/x-gettext-translation',
  localeStyle: 'gettext',
  templates: { pot: 'po' },
  uniqueKeys: true,
  // Earlier exports have these two fields instead.
  isExport: (head) =>
    head.includes(`\n"${EXPORT_FIELD}`) || /^"X-Source-Language: .*\n"X-Generator: dragoman /m.test(head),
  reviewMark: { name: 'fuzzy', isHidden: true },
  bilingual: { hasTextsOfItsOwn, countMessages: (head) => head.match(/^msgid "/gm)?.length ?? 0 },
  charset: { within: 65_536, find: declaredCharset },
  namesTexts: () => true,
  writeKey: ([context = '', id = '']) =>
    context === '' ? `msgid ${quote(id)}` : `msgctxt ${quote(context)} msgid ${quote(id)}`,
  compiled: { extension: 'mo', compile: async (text) => (await import('./mo.ts')).compileMo(text) },
  load: async () => (await import('./format.ts')).po,
});

/**
 * Whether the messages of a catalogue in the source language are keys, with the texts as their translations: most
 * translations differ from their message. Such a catalogue is the source of the others.
 */
function hasTextsOfItsOwn(text: string): boolean {
  let [messages, own, id, isId] = [0, 0, '', false];
  let translation = '';
  const close = (): void => {
    if (id !== '') messages++;
    if (id !== '' && translation !== '' && translation !== id) own++;
    [id, translation] = ['', ''];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const start = /^(msgid|msgstr(?:\[0\])?) "/.exec(line)?.[1];
    if (start === 'msgid') close();
    if (start !== undefined) isId = start === 'msgid';
    else if (!line.startsWith('"')) continue;
    const part = line.slice(line.indexOf('"') + 1, line.lastIndexOf('"'));
    if (isId) id += part;
    else translation += part;
  }
  close();
  return own * 2 > messages;
}
