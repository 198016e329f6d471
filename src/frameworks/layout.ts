import type { BuiltInFormatId, DescribedFormat } from '../formats/registry.ts';
import type { LocaleStyle } from '../languages/locale.ts';

/** How the paths of files name languages, and which file is their source. */
export interface Layout {
  /** How languages are spelled in paths. */
  readonly style: LocaleStyle;
  /** Programs only accept this spelling in names, even if the rest of the project uses another. */
  readonly isStrict?: boolean;
  /**
   * Programs only support languages with countries: `cy-GB` for `cy`. The result is the language itself if it can have
   * no country, and undefined if its spelling is unclear. Codes are canonical.
   */
  readonly regionOf?: (language: string) => string | undefined;
  /** Programs read any ending such as `_it` as a language, even if it is a word. */
  readonly isSure?: boolean;
  /** Qualifiers in place of a language, or after one: `values-car`, `values-de-night`. */
  readonly qualifiers?: RegExp;
  /** Names of languages other than codes. */
  readonly names?: LocaleNames;
  /** Directories named by language. */
  readonly directory?: LanguageDirectory;
  /** Matches the whole paths of files that use this spelling. */
  readonly paths?: RegExp;
  /** The whole name of such a file is the language. */
  readonly isWholeName?: boolean;
  /** Extensions of files that use this spelling, with their formats. */
  readonly extensions?: Readonly<Record<string, BuiltInFormatId>>;
  /** The places of translations of a file without a language in its path; undefined if it has no translations. */
  readonly base?: (path: string, tree: BaseTree) => readonly string[] | undefined;
  /**
   * The source if both a file without a language and one in the source language exist: the former for `template`, the
   * latter for `replaced`. Default: the former if the source language is English.
   */
  readonly baseRole?: 'template' | 'replaced';
  /** The directory of files without a language, for which a file in any language is a translation. */
  readonly baseDirectory?: string;
  /**
   * Matches the root directories of a module, such as source sets. Files with the same path below different roots
   * belong together.
   */
  readonly root?: RegExp;
  /**
   * The names of texts in the beginning of a file. A file with another name is a translation if it has the same names
   * of texts.
   */
  readonly textNames?: (head: string) => ReadonlySet<string>;
  /** Why a file without a language, and its translations, have no texts; undefined if they do. */
  readonly textlessReason?: (file: BaseContent) => 'without_strings' | 'settings' | undefined;
}

export interface LocaleNames {
  /** @returns the canonical code */
  readonly parse: (name: string) => string | undefined;
  readonly spell: (locale: string, style: LocaleStyle, own: readonly string[]) => string;
}

/** A directory in a path. */
export interface LanguageDirectory {
  /** Matches its entire name, with the language as a group (flag `d`). Default: the name is the language. */
  readonly name?: RegExp;
  /** The name of its parent directory. */
  readonly parent?: string;
  /** The name of a subdirectory. */
  readonly child?: string;
  /** The names of its files. */
  readonly files?: RegExp;
}

/** The other files, which help to interpret a file without a language. */
export interface BaseTree {
  /** Whether files exist whose paths have these parts, with any language between them. */
  readonly hasFiles: (parts: readonly string[]) => boolean;
  /** The beginnings, up to the language, of all paths that continue with `end` after it. */
  readonly startsOf: (end: string) => readonly string[];
  /** The ends, after the language, of all paths that begin with `start` before it. */
  readonly endsOf: (start: string) => readonly string[];
  readonly namesLanguage: (path: string) => boolean;
  /** The number of templates in the directory of a path. */
  readonly templatesBeside: (path: string) => number;
  /** The beginning of a file; empty if it is unreadable. */
  readonly head: (path: string) => string;
  /** The beginnings of files whose paths have these parts; none if a base in the same directory or deeper has them. */
  readonly headsWithoutBase: (parts: readonly string[]) => readonly string[];
}

/** The content of a file without a language. */
export interface BaseContent {
  readonly path: string;
  /** The number of existing translations. */
  readonly languages: number;
  /** Reads the beginning of the file; undefined if it is unreadable. */
  readonly read: () => { readonly text: string; readonly isWhole: boolean } | undefined;
}

/** Paths that name languages by codes in any usual spelling. */
export const ANY_LAYOUT: Layout = { style: 'bcp47' };

/** Files that a manifest declares to be translations of each other. Paths are relative to the root. */
export interface NamedFiles {
  /** The path of the source. */
  readonly base: string;
  readonly template: PathTemplate;
  /** The files by the canonical code of their language. */
  readonly members: ReadonlyMap<string, { readonly path: string; readonly spelling: string }>;
  /** The source language, canonical. */
  readonly declared?: string | undefined;
}

/** A path without its locale: the parts between the locale's occurrences. */
export interface PathTemplate {
  readonly parts: readonly string[];
  readonly layout: Layout;
}

/** The layout of the documents that were found. */
export interface DocumentLayout {
  /** The canonical language of sources whose path names none, if a configuration states it. */
  readonly source?: string;
  /** The layout's languages: canonical code to spelling in paths. */
  readonly spellings: ReadonlyMap<string, string>;
  /** The format, if it differs from the extension's. */
  readonly format?: DescribedFormat;
}

/** A document's place in a layout: the places of its translations, and its own among them. */
export interface DocumentPlace {
  readonly template: PathTemplate;
  /** The language as spelled in the path; undefined for the source. */
  readonly spelling?: string | undefined;
}

/** A layout of documents: decides for each document whether it belongs to the layout, and locates its translations. */
export interface DocumentRule extends DocumentLayout {
  readonly placeOf: (path: string) => DocumentPlace | undefined;
  /**
   * Patterns of documents that the site excludes, relative to the root. The last pattern that matches a document
   * decides; one with `!` in front is an exception.
   */
  readonly excluded?: readonly string[];
  /** Whether the rule also covers files that are not documents. Default: no. */
  readonly hasFiles?: boolean;
  /** Whether a file in this layout is part of the pages, such as a component for one language. Default: no. */
  readonly isShown?: (path: string) => boolean;
}

export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Whether `names` contains more than half of a file's own names, of which there is at least one. */
export function sharesMost(own: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  return [...own].filter((name) => names.has(name)).length * 2 > own.size;
}
