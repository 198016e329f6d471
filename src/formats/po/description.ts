import { describeAs } from '../description.ts';
import { quote } from '../key-text.ts';
import { declaredCharset } from './charset.ts';
import { hasTextsOfItsOwn } from './own-texts.ts';

export const po = describeAs({
  id: 'po',
  title: 'PO/POT',
  extensions: ['po', 'pot'],
  jobExtensions: ['po', 'pot'],
  mediaType: 'text/x-gettext-translation',
  localeStyle: 'gettext',
  nameStyles: { po: 'gettext' },
  templates: { pot: 'po' },
  uniqueKeys: true,
  bilingual: { hasTextsOfItsOwn },
  charset: { within: 65_536, find: declaredCharset },
  namesTexts: () => true,
  writeKey: ([context = '', id = '']) =>
    context === '' ? `msgid ${quote(id)}` : `msgctxt ${quote(context)} msgid ${quote(id)}`,
  compiled: { extension: 'mo', compile: async (text) => (await import('./mo.ts')).compileMo(text) },
  load: async () => (await import('./format.ts')).po,
});
