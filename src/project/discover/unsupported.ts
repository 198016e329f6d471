import { basename, join } from 'node:path';
import { readHead } from '../../base/file-head.ts';
import { isSuffixedWithLocale, makePlaceReader } from './path-language.ts';

/** Formats of localization alone. */
const LOCALIZATION = new Set(['xlf', 'xliff', 'xcstrings', 'stringsdict', 'ftl', 'resw', 'wxl']);

/** Files of these kinds hold localization where a directory or a name says so. */
const BY_PLACE = new Set(['php', 'toml', 'csv', 'json5', 'lang', 'ini', 'dtd']);
/** Programs have more names that are also language codes. */
const CODE = new Set(['ts', 'js', 'mjs', 'cjs']);

/** What may end in a locale. A project has ten thousand `.ts` files, and one look at a name is enough for most. */
const SUFFIXED = /[._-][a-z]{2,3}(?:[_-][A-Za-z]{2,4})?(?:@[a-z]+)?\.ts$/;

/** Of `.ts` files with a locale in their name elsewhere, so many are opened to see whether they are Qt's. */
const MAX_OPENED = 300;

/** Tells whether a file looks like localization in a format that is not supported. */
export function makeUnsupportedReader(root: string): (path: string) => boolean {
  const isInPlace = makePlaceReader(basename(root));
  let opened = 0;
  const isQt = (path: string): boolean => {
    if (!SUFFIXED.test(path) || !isSuffixedWithLocale(path) || ++opened > MAX_OPENED) return false;
    return /<!DOCTYPE TS>|<TS\b/.test(readHead(join(root, path), 512)?.text ?? '');
  };
  return (path) => {
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    if (LOCALIZATION.has(extension)) return true;
    if (BY_PLACE.has(extension)) return isInPlace(path);
    if (!CODE.has(extension)) return false;
    return isInPlace(path, { isCode: true }) || (extension === 'ts' && isQt(path));
  };
}
