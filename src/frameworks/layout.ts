import type { BuiltInFormatId, FormatId } from '../formats/registry.ts';
import type { LocaleStyle } from '../languages/locale.ts';

/** How the paths of files name languages, and which file is their source. */
export interface Layout {
  /** How languages are spelled in paths. */
  readonly style: LocaleStyle;
  /** Programs look for names in this spelling only, even if the rest of the project spells them differently. */
  readonly isStrict?: boolean;
  /** Programs take any ending such as `_it` for a language, also one that is a word. */
  readonly isSure?: boolean;
  /** What may stand where a language does, or behind it: `values-car`, `values-de-night`. */
  readonly qualifiers?: RegExp;
  /** Names of languages other than codes. */
  readonly names?: LocaleNames;
  /** Directories that are called after a language. */
  readonly directory?: LanguageDirectory;
  /** Files whose paths spell a language so, by their whole path. */
  readonly paths?: RegExp;
  /** The extension of files whose paths spell a language so, with their format. */
  readonly extensions?: Readonly<Record<string, BuiltInFormatId>>;
  /** Where the translations of a file without a language in its path are. Undefined if the file has none. */
  readonly base?: (path: string, tree: BaseTree) => readonly string[] | undefined;
  /**
   * Which file is the source where one without a language and one in the source language exist: the former for
   * `template`, the latter for `replaced`. Default: the former if the source language is English.
   */
  readonly baseRole?: 'template' | 'replaced';
  /** The directory of the files without a language: beside them, a file in any language is a translation. */
  readonly baseDirectory?: string;
  /** The beginning of paths in which the roots of a module differ: files below them belong together. */
  readonly root?: RegExp;
  /** The names of texts in the beginning of a file. Files are translations of another name's file if they have its texts. */
  readonly textNames?: (head: string) => ReadonlySet<string>;
  /** Why a file without a language, and its translations, have no texts; undefined: they have some. */
  readonly textlessReason?: (file: BaseContent) => 'without_strings' | 'settings' | undefined;
}

export interface LocaleNames {
  /** @returns the canonical code */
  readonly parse: (name: string) => string | undefined;
  readonly spell: (locale: string, style: LocaleStyle, own: readonly string[]) => string;
}

/** A directory in a path. */
export interface LanguageDirectory {
  /** Its whole name, with the language as its group (flag `d`). Default: the name is the language. */
  readonly name?: RegExp;
  /** The name of the directory that it is in. */
  readonly parent?: string;
  /** The name of the directory in it. */
  readonly child?: string;
  /** The names of the files in it. */
  readonly files?: RegExp;
}

/** What is known of the other files where a file without a language is looked at. */
export interface BaseTree {
  /** Whether files with languages exist at these places: the parts of their paths around the language. */
  readonly hasFiles: (parts: readonly string[]) => boolean;
  /** Whether a path names a language. */
  readonly namesLanguage: (path: string) => boolean;
  /** How many files with the extension of a template are in its directory. */
  readonly templatesBeside: (path: string) => number;
}

/** A file without a language, as its content shows it. */
export interface BaseContent {
  readonly path: string;
  /** Of its translations that exist. */
  readonly languages: number;
  /** Its beginning; undefined where it cannot be read. */
  readonly read: () => { readonly text: string; readonly isWhole: boolean } | undefined;
}

/** Paths that name languages by their codes, as anybody writes them. */
export const ANY_LAYOUT: Layout = { style: 'bcp47' };

/** Files of which a manifest says that they are translations of each other. Paths are relative to the root. */
export interface NamedFiles {
  /** The source. */
  readonly base: string;
  readonly template: PathTemplate;
  /** By canonical code. */
  readonly members: ReadonlyMap<string, { readonly path: string; readonly spelling: string }>;
  /** The source language, canonical. */
  readonly declared?: string | undefined;
}

/** A path without its locale: the parts between the locale's occurrences. */
export interface PathTemplate {
  readonly parts: readonly string[];
  readonly layout: Layout;
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
  /** Whether a file of such a rule is a part of its pages, such as a component in a language. Default: none is. */
  readonly isShown?: (path: string) => boolean;
}

export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
