import { describeAs } from '../description.ts';
import { shortenText } from '../key-text.ts';
import { declaredCharset } from './charset.ts';

export const xml = describeAs({
  id: 'xml',
  title: 'XML',
  extensions: ['xml', 'resx', 'resw', 'stringsdict'],
  jobExtensions: ['xml'],
  marks: '<=&',
  mediaType: 'application/xml',
  localeStyle: 'bcp47',
  uniqueKeys: true,
  charset: { within: 1024, find: declaredCharset },
  namesTexts: (path) =>
    /(?:^|\/)values(?:-[^/]+\/|\/[^/]*strings)[^/]*\.xml$|\.(?:res[xw]|stringsdict)$/.test(path),
  writeKey: writeXmlKey,
  load: async () => (await import('./format.ts')).xml,
});

/** `name`, `name[2]` for an array item, `name (product=tablet)` for a variant. */
function writeXmlKey(key: readonly string[]): string {
  return key
    .map((name, depth) => {
      if (depth === 0) return shortenText(name);
      if (name.startsWith('product=')) return ` (${name})`;
      return /^\d+$/.test(name) ? `[${name}]` : `.${name}`;
    })
    .join('');
}
