import { join } from 'node:path';
import { parseLocale } from '../../languages/locale.ts';
import { readHead } from '../../base/file-head.ts';

/** Android resources and bundles are rarely a tenth of this. Of a larger file the rest is taken for texts. */
const LIMIT = 1 << 20;

/** `[^<>]` and not `[^>]`: a file of nothing but `<string ` takes no longer than any other. */
const STRING =
  /<(?:(?:string|plurals|string-array)\b([^<>]*)|item\b(?=[^<>]*\btype\s*=\s*["']string["'])([^<>]*))>/g;
const REFERENCE = /\s*[@?][\w.:+/-]+\s*<\/string/y;

/**
 * Whether an Android resource file (`values/*.xml`) has texts: files of colours, dimensions and styles have the same
 * place. What is no resource file, or cannot be read, has: the reading that follows says what is wrong with it.
 */
export function hasStrings(root: string, path: string): boolean {
  if (/\/donottranslate[^/]*$/i.test(path)) return false;
  const head = readHead(join(root, path), LIMIT);
  if (!head) return true;
  const text = withoutComments(head.text);
  if (!text.includes('<resources')) return true;
  for (const match of text.matchAll(STRING)) {
    const attributes = match[1] ?? match[2] ?? '';
    REFERENCE.lastIndex = match.index + match[0].length;
    const isText = !/\btranslatable\s*=\s*["']false["']/.test(attributes) && !REFERENCE.test(text);
    if (isText) return true;
  }
  return !head.isWhole;
}

function withoutComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('<!--', at);
    if (start < 0) return parts.join('') + text.slice(at);
    parts.push(text.slice(at, start));
    const end = text.indexOf('-->', start + 4);
    if (end < 0) return parts.join('');
    at = end + 3;
  }
}

/**
 * Whether the values of a `.properties` file are texts and not settings, such as `unqualifiedResLocale=en-US`.
 *
 * @param isLikely its name says that it has texts: then one text is enough, else it takes half of the values.
 */
export function hasTexts(root: string, path: string, isLikely: boolean): boolean {
  const head = readHead(join(root, path), LIMIT);
  if (!head) return true;
  const values = head.text.split(/\r\n?|\n/).flatMap((line) => {
    const value = /^\s*[^\s#!=:][^=:]*[=:](.*)$/.exec(line)?.[1]?.trim() ?? '';
    return value === '' ? [] : [value];
  });
  if (values.length === 0) return isLikely;
  const texts = values.filter(isText).length;
  return isLikely ? texts > 0 : texts * 2 >= values.length;
}

/** Numbers, codes, paths, addresses, names of classes and constants, arguments of programs. */
const SETTING =
  /^(?:[^\p{L}\\]*|[\x21-\x40\x5b\x5d-\x7e]+|[A-Z][A-Z\d_]{2,}|[\w$-]+(?:[.][\w$-]+)+|[a-z][\w+.-]*:\S+|-\S.*|[a-z]+[A-Z]\w*)$/u;

function isText(value: string): boolean {
  return !SETTING.test(value) && parseLocale(value) === undefined;
}
