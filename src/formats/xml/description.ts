import { describeAs } from '../description.ts';
import { cut } from '../key-text.ts';

export const xml = describeAs({
  id: 'xml',
  title: 'XML',
  extensions: ['xml', 'resx', 'resw'],
  jobExtensions: ['xml'],
  mediaType: 'application/xml',
  localeStyle: 'bcp47',
  nameStyles: { resx: 'dotnet', resw: 'dotnet' },
  charset: { within: 1024, find: declaredCharset },
  namesTexts: (path) => /(?:^|\/)values(?:-[^/]+\/|\/[^/]*strings)[^/]*\.xml$|\.res[xw]$/.test(path),
  writeKey: writeXmlKey,
  load: async () => (await import('./format.ts')).xml,
});

/** `name`, `name[2]` for an item of an array, `name (product=tablet)` for a variant. */
function writeXmlKey(key: readonly string[]): string {
  return key
    .map((name, depth) => {
      if (depth === 0) return cut(name);
      if (name.startsWith('product=')) return ` (${name})`;
      return /^\d+$/.test(name) ? `[${name}]` : `.${name}`;
    })
    .join('');
}

const DECLARATION =
  /^(?:\ufeff|\xef\xbb\xbf)?<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/;

/**
 * The encoding that an XML declaration names, as spelled there.
 *
 * @param head the first bytes of the file, decoded as ISO-8859-1
 */
export function declaredCharset(head: string): string | undefined {
  return DECLARATION.exec(head)?.[1];
}
