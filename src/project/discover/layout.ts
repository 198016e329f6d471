import { basename, join } from 'node:path';
import { readHead } from '../../base/file-head.ts';
import { describeFormat, type FormatId } from '../../formats/registry.ts';
import { parseLocale } from '../../languages/locale.ts';
import { findBaseFiles, namesOnlyTexts, namesTexts } from './base-files.ts';
import { formatOfFile } from './catalogue.ts';
import type { PassedOverCount } from './passed-over.ts';
import { type PathTemplate, readPath, templateId } from './path-template.ts';

/** Files that differ in nothing but the locale in their path. */
export interface FileSet {
  readonly template: PathTemplate;
  /** By canonical locale. */
  readonly members: ReadonlyMap<string, LocaleFile>;
  /** The file in the source language that names no locale. */
  readonly base?: string | undefined;
  /** Of documents. */
  readonly document?: DocumentLayout;
}

/** What is known of the layout that documents were found by. */
export interface DocumentLayout {
  /** The language of sources that name none, where a configuration says it; canonical. */
  readonly source?: string;
  /** The languages of the layout, by canonical code, as paths spell them. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Where it is not that of the extension. */
  readonly format?: FormatId;
}

export interface LocaleFile {
  readonly path: string;
  readonly spelling: string;
}

type OpenSet = FileSet & { readonly members: Map<string, LocaleFile>; base?: string | undefined };

/**
 * All file sets that the paths below `root` make up, by their names, and without resource files that have no texts.
 *
 * @param passedOver gets those
 */
export function findFileSets(
  root: string,
  paths: readonly string[],
  passedOver: PassedOverCount,
): readonly FileSet[] {
  const sets = new Map<string, OpenSet>();
  const setOf = (template: PathTemplate): OpenSet => {
    const id = templateId(template);
    const set: OpenSet = sets.get(id) ?? { template, members: new Map<string, LocaleFile>() };
    sets.set(id, set);
    return set;
  };
  const above = basename(root);
  for (const path of paths) {
    if (path.endsWith('.pot')) continue;
    const readings = readPath(path, above);
    if (readings.length > 0 && isTextless(root, path)) {
      passedOver.add('without_strings', path);
      continue;
    }
    for (const { template, spelling, locale } of readings) {
      const { members } = setOf(template);
      // Two spellings of one locale: the one that sorts first stays, always the same one.
      if (!members.has(locale)) members.set(locale, { path, spelling });
    }
  }
  const textless = new Set<string>();
  for (const { path, template } of findBaseFiles(paths, (id) => sets.has(id))) {
    const set = setOf(template);
    const reason = textlessReason(root, path, set);
    if (reason === undefined) set.base ??= path;
    else {
      for (const other of [path, ...pathsOf(set)]) textless.add(other);
      passedOver.add(reason, path);
    }
  }
  return [...sets.values()].flatMap((set): FileSet[] => {
    for (const [locale, { path }] of set.members) if (textless.has(path)) set.members.delete(locale);
    return set.members.size > 0 || set.base !== undefined ? [set] : [];
  });
}

/** Whether a file is one of those files of its format that have no texts: see `FormatDescription.hasTexts`. */
function isTextless(root: string, path: string): boolean {
  const format = formatOfFile(root, path);
  const hasTexts = format === undefined ? undefined : describeFormat(format).hasTexts;
  if (!hasTexts) return false;
  const head = readHead(join(root, path), LIMIT);
  return head?.isWhole === true && !hasTexts(head.text);
}

function textlessReason(
  root: string,
  path: string,
  { template, members }: FileSet,
): 'without_strings' | 'settings' | undefined {
  if (template.convention === 'android') return hasStrings(root, path) ? undefined : 'without_strings';
  if (!path.endsWith('.properties') || namesOnlyTexts(path)) return undefined;
  const isNamed = namesTexts(path);
  // Several languages make a bundle of any file; one may be a word, as in `application_it.properties`.
  const isBundle = members.size > 1 || (isNamed && members.size > 0);
  return isBundle || hasTexts(root, path, isNamed) ? undefined : 'settings';
}

/** The files of a set that name a locale. */
export function pathsOf({ members }: FileSet): readonly string[] {
  return [...members.values()].map(({ path }) => path);
}

/** Android resources and bundles are rarely a tenth of this. Of a larger file the rest is taken for texts. */
const LIMIT = 1 << 20;

/** `[^<>]` and not `[^>]`: a file of nothing but `<string ` takes no longer than any other. */
const STRING =
  /<(?:(?:string|plurals|string-array)\b([^<>]*)|item\b(?=[^<>]*\btype\s*=\s*["']string["'])([^<>]*))>/g;
const REFERENCE = /\s*[@?][\w.:+/-]+\s*<\/string/y;

/**
 * Whether an Android resource file (`values/*.xml`) has texts: files of colours, dimensions and styles have the same
 * place. Other files and unreadable ones count as texts, so that the following read reports what is wrong with them.
 */
function hasStrings(root: string, path: string): boolean {
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
function hasTexts(root: string, path: string, isLikely: boolean): boolean {
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

/** What a layout says of a document: where its translations are, and which of them it is. */
export interface DocumentPlace {
  readonly template: PathTemplate;
  /** As the path has it; undefined: the document is the source. */
  readonly spelling?: string | undefined;
}

/** A layout of documents, which says of each document whether it belongs to it, and where its translations are. */
export interface DocumentRule extends DocumentLayout {
  readonly placeOf: (path: string) => DocumentPlace | undefined;
  /** Whether it says so of files that are no documents as well. Default: no. */
  readonly hasFiles?: boolean;
}

/** `docs/es/…` beside `docs/en/…`, or, where the sources name no language, beside `docs/…`. */
export function folderRule(directory: string, layout: DocumentLayout, hasBase: boolean): DocumentRule {
  const start = directory === '' ? '' : `${directory}/`;
  const spellings = new Set(layout.spellings.values());
  return {
    ...layout,
    placeOf(path) {
      if (!path.startsWith(start)) return undefined;
      const slash = path.indexOf('/', start.length);
      const first = slash < 0 ? '' : path.slice(start.length, slash);
      if (spellings.has(first))
        return { template: { parts: [start, path.slice(slash)], convention: 'none' }, spelling: first };
      // A README at the top of a repository is not a page of a site.
      if (!hasBase || (start === '' && /^README\b/i.test(path))) return undefined;
      return { template: { parts: [start, `/${path.slice(start.length)}`], convention: 'none' } };
    },
  };
}

/** `page.es.md` beside `page.md`. */
export function suffixRule(directory: string, layout: DocumentLayout): DocumentRule {
  const start = directory === '' ? '' : `${directory}/`;
  const spellings = new Set(layout.spellings.values());
  return {
    ...layout,
    placeOf(path) {
      if (!path.startsWith(start)) return undefined;
      const suffixed = readSuffix(path);
      const isOwn = (spelling: string): boolean =>
        spellings.has(spelling) || parseLocale(spelling) === layout.source;
      if (suffixed?.separator === '.' && isOwn(suffixed.spelling)) {
        const { stem, spelling, extension } = suffixed;
        return { template: { parts: [`${stem}.`, `.${extension}`], convention: 'none' }, spelling };
      }
      const dot = path.lastIndexOf('.');
      return { template: { parts: [path.slice(0, dot + 1), path.slice(dot)], convention: 'none' } };
    },
  };
}

/** Canonical code to spelling; of two spellings the first. */
export function spellingsOf(spellings: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const spelling of spellings) {
    const locale = parseLocale(spelling);
    if (locale !== undefined && !found.has(locale)) found.set(locale, spelling);
  }
  return found;
}

export interface Suffixed {
  readonly stem: string;
  readonly separator: string;
  readonly spelling: string;
  readonly extension: string;
}

/** `README.zh-CN.md`: the longest ending that is the code of a language. */
export function readSuffix(path: string): Suffixed | undefined {
  const dot = path.lastIndexOf('.');
  const from = path.lastIndexOf('/') + 1;
  for (const match of path.slice(from, dot).matchAll(/[._-]/g)) {
    const at = from + match.index;
    const spelling = path.slice(at + 1, dot);
    if (at === from || !/^[a-z]{2}(?:$|[_-])/i.test(spelling) || parseLocale(spelling) === undefined)
      continue;
    return { stem: path.slice(0, at), separator: match[0], spelling, extension: path.slice(dot + 1) };
  }
  return undefined;
}
