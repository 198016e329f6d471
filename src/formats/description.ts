import type { LocaleStyle } from '../languages/locale.ts';
import type { Format } from './format.ts';

/** All that the program knows of a format before it is loaded. The registry is made of these. */
export interface FormatDescription {
  readonly id: string;
  /** Its name in help texts. */
  readonly title: string;
  /** Of its files, in lower case, without the dot. */
  readonly extensions: readonly string[];
  /**
   * Whether a file with one of the extensions is of this format, by its beginning and its path: where other programs have
   * files with the same extension. Default: all are.
   */
  readonly recognizes?: (head: string, path: string) => boolean;
  /** Whether a file, by its beginning, has texts at all: others are passed over. Default: all have. */
  readonly hasTexts?: (head: string) => boolean;
  /** Whether `memory export` wrote a file, by its beginning: such a file is no catalogue. */
  readonly isExport?: (head: string) => boolean;
  /** Where its texts stand, for messages about files without any: `the arrays that it returns`. Default: anywhere. */
  readonly textsStandIn?: string;
  /** Those of its extensions that the service specification lists for jobs. Default: none. */
  readonly jobExtensions?: readonly string[];
  /**
   * The ASCII characters with which its readers begin or end another piece: an upload may have so many of them, whatever
   * they mean where they stand, which is known before anything is read. A format with `jobExtensions` needs them.
   */
  readonly marks?: string;
  /** How a server announces such a file, without a charset. */
  readonly mediaType: string;
  /** How a file spells the locale that it names itself. */
  readonly localeStyle: LocaleStyle;
  /** Extensions of templates, each with that of the translations made from them. */
  readonly templates?: Readonly<Record<string, string>>;
  /** Readers of its files refuse a key that stands twice, all of them or some. */
  readonly uniqueKeys?: true | 'by some';
  /**
   * Its files hold the source texts beside the translations: each can be its own source, and the language that it names
   * is that of the translations. Default: they hold the texts of one language.
   */
  readonly bilingual?: BilingualFiles;
  /**
   * Its files hold all languages: the target of such a file is the file itself, and a scan reads the language that its
   * options name.
   */
  readonly multilingual?: MultilingualTraits;
  /** Its files can say of a translation that somebody has to look at it. */
  readonly reviewMark?: ReviewTraits;
  /** Bytes of its files that are not UTF-8 are kept as they are, or the file is read as ISO-8859-1. */
  readonly keepsStrayBytes?: boolean;
  /** Where a file names its charset. Default: it cannot. */
  readonly charset?: CharsetDeclaration;
  /** Whether the path of such a file alone says that it holds texts. Default: never. */
  readonly namesTexts?: (path: string) => boolean;
  /** A key in the notation of its file. Default: a path, `menu.open`. */
  readonly writeKey?: (key: readonly string[]) => string;
  /**
   * Most files with its extensions are programs or settings: only those below a directory such as `lang`, or with a name that
   * `namesTexts` knows, are localization, and no file of another format is translated into one.
   */
  readonly isCode?: boolean;
  /**
   * Its files are running text: a key says where a text stands, and other texts before it change it. A translation has
   * the structure of its source, and no file of another format is translated into one.
   */
  readonly isProse?: boolean;
  /** The binary notation of its files that programs load. */
  readonly compiled?: CompiledNotation;
  /** Lazy: some formats bring a parser that takes longer to load than the rest of the program. */
  readonly load: () => Promise<Format>;
}

export interface ReviewTraits {
  /** As the file has it: `fuzzy`. */
  readonly name: string;
  /** Programs show the source text instead of a translation with the mark. */
  readonly isHidden?: true;
}

export interface MultilingualTraits {
  /** Within how many bytes of a file its languages stand. */
  readonly within: number;
}

/** What a project has to know of bilingual files before one of them is opened. */
export interface BilingualFiles {
  /**
   * Whether a file in the source language is the source of the others: its translations are the texts that the program
   * shows, and what stands as sources are keys. Otherwise each file is translated from the sources in it.
   *
   * @param head the beginning of the file
   */
  readonly hasTextsOfItsOwn: (head: string) => boolean;
  /** How many messages the beginning of a file has. Default: it is not counted. */
  readonly countMessages?: (head: string) => number;
  /** The language of the source texts, as spelled at the beginning of a file. Default: files do not name it. */
  readonly sourceLanguage?: (head: string) => string | undefined;
}

export interface CompiledNotation {
  readonly extension: string;
  /** @throws DragomanError `unreadable_input` with the place of what makes no sense. */
  readonly compile: (text: string) => Promise<Uint8Array>;
}

export interface CharsetDeclaration {
  /** Within how many bytes of the file it stands. */
  readonly within: number;
  /**
   * The charset as written there, or undefined.
   *
   * @param head the beginning of the file, decoded as ISO-8859-1
   */
  readonly find: (head: string) => string | undefined;
}

/** A description whose id is known to the compiler, and nothing of what it loads: types of that stay in its folder. */
export function describeAs<const Id extends string>(
  description: FormatDescription & { readonly id: Id },
): FormatDescription & { readonly id: Id } {
  return description;
}
