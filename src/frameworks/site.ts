import { parseLocale } from '../languages/locale.ts';
import { isWord, parseDocumentLocale } from '../languages/words.ts';
import { ANY_LAYOUT, type DocumentLayout, type DocumentRule } from './layout.ts';
import type { Manifest } from './manifest.ts';

/** The input for finding a site's layouts. Paths are relative to the root. */
export interface SiteSearch {
  /** The absolute path of the root. */
  readonly root: string;
  /** The manifests that identify the framework, as text, because some are programs from the checkout. */
  readonly manifests: () => readonly Manifest[];
  /** All files of running text. */
  readonly documents: readonly string[];
}

export interface SiteLanguages {
  readonly source: string | undefined;
  /** The languages, possibly with the source. */
  readonly locales: readonly string[];
}

/** The layout if sources name no language: the configured source language, or English. */
export function layoutOf(source: string | undefined, spellings: readonly string[]): DocumentLayout {
  const own = parseDocumentLocale(source ?? 'en') ?? 'en';
  const others = [...spellingsOf(spellings)].filter(([locale]) => locale !== own);
  return { source: own, spellings: new Map(others) };
}

/** The layout with a directory for each language, including languages that are not configured. */
export function inFolders(
  pages: string,
  { source, locales }: SiteLanguages,
  documents: readonly string[],
): DocumentRule {
  const below = languagesBelow(pages, documents);
  const all = [...(source === undefined ? [] : [source]), ...asUsed(locales, below), ...below];
  return folderRule(pages, { ...layoutOf(source, all), spellings: spellingsOf(all) }, false);
}

/** The layout with translations next to their sources, also in languages that are not configured. */
export function withSuffixes(
  pages: string,
  { source, locales }: SiteLanguages,
  documents: readonly string[],
): DocumentRule {
  const known = new Set(documents);
  const beside = documents.flatMap((path) => {
    const { stem, separator, spelling, extension } = readSuffix(path) ?? {};
    const isOwn = separator === '.' && path.startsWith(`${pages}/`) && spelling !== undefined;
    const sources = [`${stem}.${extension}`, `${stem}.${source}.${extension}`];
    return isOwn && !isWord(spelling) && sources.some((other) => known.has(other)) ? spelling : [];
  });
  return suffixRule(pages, layoutOf(source, [...asUsed(locales, beside), ...beside]));
}

/**
 * The languages of a configuration, with the capitalization that paths use: Hugo's `zh-hans` has pages called
 * `index.zh-Hans.md`.
 */
function asUsed(locales: readonly string[], used: readonly string[]): readonly string[] {
  const spellings = new Map(used.map((spelling) => [spelling.toLowerCase(), spelling]));
  return locales.map((locale) => spellings.get(locale.toLowerCase()) ?? locale);
}

/** The names of document directories below this one that are language codes and not words. */
export function languagesBelow(directory: string, documents: readonly string[]): readonly string[] {
  const start = directory === '' ? '' : `${directory}/`;
  const names = documents.flatMap((path) => {
    const end = path.startsWith(start) ? path.indexOf('/', start.length) : -1;
    return end < 0 ? [] : path.slice(start.length, end);
  });
  return [...new Set(names)].filter((name) => parseDocumentLocale(name) !== undefined && !isWord(name));
}

/**
 * `docs/es/…` next to `docs/en/…` or, if the sources name no language, next to `docs/…`.
 *
 * @param showsReadme whether a README at the root of the repository is a page of the site
 */
export function folderRule(
  directory: string,
  layout: DocumentLayout,
  hasBase: boolean,
  showsReadme = false,
): DocumentRule {
  const start = directory === '' ? '' : `${directory}/`;
  const spellings = new Set(layout.spellings.values());
  return {
    ...layout,
    placeOf(path) {
      if (!path.startsWith(start)) return undefined;
      const slash = path.indexOf('/', start.length);
      const first = slash < 0 ? '' : path.slice(start.length, slash);
      if (spellings.has(first))
        return { template: { parts: [start, path.slice(slash)], layout: ANY_LAYOUT }, spelling: first };
      if (!hasBase || (start === '' && !showsReadme && /^README\b/i.test(path))) return undefined;
      return { template: { parts: [start, `/${path.slice(start.length)}`], layout: ANY_LAYOUT } };
    },
  };
}

/** `page.es.md` beside `page.md`. */
export function suffixRule(directory: string, layout: DocumentLayout): DocumentRule {
  const start = directory === '' ? '' : `${directory}/`;
  const known = new Set<string | undefined>([...layout.spellings.keys(), layout.source]);
  return {
    ...layout,
    placeOf(path) {
      if (!path.startsWith(start)) return undefined;
      const suffixed = readSuffix(path);
      const isOwn = (spelling: string): boolean => known.has(parseDocumentLocale(spelling));
      if (suffixed?.separator === '.' && isOwn(suffixed.spelling)) {
        const { stem, spelling, extension } = suffixed;
        return { template: { parts: [`${stem}.`, `.${extension}`], layout: ANY_LAYOUT }, spelling };
      }
      const dot = path.lastIndexOf('.');
      return { template: { parts: [path.slice(0, dot + 1), path.slice(dot)], layout: ANY_LAYOUT } };
    },
  };
}

/**
 * Canonical code to spelling. If a language has two spellings, a language code takes precedence over a country code;
 * otherwise the first one is used.
 */
export function spellingsOf(spellings: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const isOfCountry = (spelling: string): boolean => parseLocale(spelling) === undefined;
  for (const spelling of spellings.toSorted((a, b) => Number(isOfCountry(a)) - Number(isOfCountry(b)))) {
    const locale = parseDocumentLocale(spelling);
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

/** The longest ending of a name that is a language code: `zh-CN` in `README.zh-CN.md`. */
export function readSuffix(path: string): Suffixed | undefined {
  const dot = path.lastIndexOf('.');
  const from = path.lastIndexOf('/') + 1;
  for (const match of path.slice(from, dot).matchAll(/[._-]/g)) {
    const at = from + match.index;
    const spelling = path.slice(at + 1, dot);
    if (at === from || !/^[a-z]{2}(?:$|[_-])/i.test(spelling) || parseDocumentLocale(spelling) === undefined)
      continue;
    return { stem: path.slice(0, at), separator: match[0], spelling, extension: path.slice(dot + 1) };
  }
  return undefined;
}
