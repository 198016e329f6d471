import type { LocaleStyle } from '../languages/locale.ts';
import type { Format } from './format.ts';

/** Facts about a format that are known before it is loaded. The registry is a list of these descriptions. */
export interface FormatDescription {
  readonly id: string;
  /** The name in help texts. */
  readonly title: string;
  /** File extensions in lower case, without the dot. */
  readonly extensions: readonly string[];
  /**
   * Recognizes files of this format by their first bytes and path, if other programs use the same extensions. Default:
   * every file with the extension.
   */
  readonly recognizes?: (head: string, path: string) => boolean;
  /**
   * Whether the beginning of a file shows that it holds texts; other files are skipped. Default: all files hold texts.
   */
  readonly hasTexts?: (head: string) => boolean;
  /**
   * Whether the beginning of a file shows a list of records that have codes but neither ids nor sentences, such as a
   * list of countries. Without a translation next to it, such a file is data unless it is named. Default: never.
   */
  readonly listsRecords?: (head: string) => boolean;
  /**
   * Whether the beginning of a file shows that a program reads it as rules for a language instead of texts, such as a
   * table of number words.
   */
  readonly holdsRules?: (head: string) => boolean;
  /** Whether the beginning of a file shows that dragoman exported it: such a file is not a catalogue. */
  readonly isExport?: (head: string) => boolean;
  /**
   * Names the part of a file that holds its texts, for messages about files without any: `the arrays that it returns`.
   * Default: the whole file.
   */
  readonly textsStandIn?: string;
  /** The extensions that the service specification accepts for jobs. Default: none. */
  readonly jobExtensions?: readonly string[];
  /**
   * ASCII characters that begin or end a syntax element. Uploads may contain only a limited number of them, which is
   * checked before parsing. Required with `jobExtensions`.
   */
  readonly marks?: string;
  /** The media type that a server announces, without a charset. */
  readonly mediaType: string;
  /** How a file spells its own locale. */
  readonly localeStyle: LocaleStyle;
  /** The translation's extension for each template extension. */
  readonly templates?: Readonly<Record<string, string>>;
  /** Whether all programs reject files with a duplicate key, or only some do. */
  readonly uniqueKeys?: true | 'by some';
  /**
   * Files hold source texts beside the translations. Each file can be its own source, and the language it names is that
   * of the translations. Default: files hold the texts of one language.
   */
  readonly bilingual?: BilingualFiles;
  /** Files hold all languages: such a file is its own target, and a scan reads the language in its options. */
  readonly multilingual?: MultilingualTraits;
  /** How files mark translations that need review. */
  readonly reviewMark?: ReviewTraits;
  /** Keeps bytes that are not UTF-8, or reads the file as ISO-8859-1. */
  readonly keepsStrayBytes?: boolean;
  /** Where a file declares its charset. Default: nowhere. */
  readonly charset?: CharsetDeclaration;
  /** Whether the path of a file is enough to show that it holds texts. Default: never. */
  readonly namesTexts?: (path: string) => boolean;
  /** Writes a key in the notation of its file. Default: a path, `menu.open`. */
  readonly writeKey?: (key: readonly string[]) => string;
  /**
   * Most files with these extensions are programs or settings. Only files below a directory such as `lang`, or with a
   * name that `namesTexts` accepts, are catalogues, and files of other formats are never translated into this one.
   */
  readonly isCode?: boolean;
  /**
   * Files are running text: a key is a position, which changes if texts before it do. A translation has its source's
   * structure, and files of other formats are never translated into this one.
   */
  readonly isProse?: boolean;
  /** A user's program reads the files, so two runs may read the same file differently. */
  readonly isProgram?: true;
  /** The binary form of its files, which programs load. */
  readonly compiled?: CompiledFormat;
  /** Loaded on demand: some parsers take longer to load than the rest of the program. */
  readonly load: () => Promise<Format>;
}

export interface ReviewTraits {
  /** The mark as written in the file: `fuzzy`. */
  readonly name: string;
  /** Programs show the source text instead of a marked translation. */
  readonly isHidden?: true;
}

export interface MultilingualTraits {
  /** The languages appear within this many bytes of the beginning. */
  readonly within: number;
}

/** Facts about bilingual files that a project needs before opening one. */
export interface BilingualFiles {
  /**
   * Whether a file in the source language is the source of the others: its translations are the texts that users see,
   * and its source texts are keys. Otherwise each file is translated from the source texts in it.
   *
   * @param head the beginning of the file
   */
  readonly hasTextsOfItsOwn: (head: string) => boolean;
  /**
   * Whether translations are leftovers if the directory of the source language lacks their file. Default: they define
   * their own messages.
   */
  readonly needsSource?: true;
  /** Counts the messages in the beginning of a file. Default: not counted. */
  readonly countMessages?: (head: string) => number;
  /** The language of the source texts, as spelled in the beginning of a file. Default: files do not name it. */
  readonly sourceLanguage?: (head: string) => string | undefined;
}

export interface CompiledFormat {
  readonly extension: string;
  /** @throws DragomanError `unreadable_input` with the place of the error */
  readonly compile: (text: string) => Promise<Uint8Array>;
}

export interface CharsetDeclaration {
  /** The declaration appears within this many bytes of the beginning. */
  readonly within: number;
  /**
   * The charset as spelled there, or undefined.
   *
   * @param head the beginning of the file, decoded as ISO-8859-1
   */
  readonly find: (head: string) => string | undefined;
}

/** Describes a format with a literal id. Types used only by the format's code belong in its folder. */
export function describeAs<const Id extends string>(
  description: FormatDescription & { readonly id: Id },
): FormatDescription & { readonly id: Id } {
  return description;
}
