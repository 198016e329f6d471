import { parseLocale } from '../../languages/locale.ts';
import type { DocumentLayout } from './layout.ts';
import type { PathTemplate } from './path-template.ts';

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
