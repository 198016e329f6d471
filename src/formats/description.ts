import type { LocaleStyle } from '../languages/locale.ts';
import type { Format } from './format.ts';

/** All that the program knows of a format before it is loaded. The registry is made of these. */
export interface FormatDescription {
  readonly id: string;
  /** Its name in help texts. */
  readonly title: string;
  /** Of its files, in lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Those of its extensions that the service specification lists for jobs. Default: none. */
  readonly jobExtensions?: readonly string[];
  /** How a server announces such a file, without a charset. */
  readonly mediaType: string;
  /** How a file spells the locale that it names itself. */
  readonly localeStyle: LocaleStyle;
  /** How the names of files with these extensions spell a locale, where the format's users agree on it. */
  readonly nameStyles?: Readonly<Record<string, 'gettext' | 'underscore'>>;
  /** Extensions of templates, each with that of the translations made from them. */
  readonly templates?: Readonly<Record<string, string>>;
  /**
   * Its files hold the source texts beside the translations: each is its own source, and the language that it names is
   * that of the translations.
   */
  readonly carriesSources?: boolean;
  /** Readers of its files refuse a key that stands twice. */
  readonly uniqueKeys?: boolean;
  /** Bytes of its files that are not UTF-8 are kept as they are, or the file is read as ISO-8859-1. */
  readonly keepsStrayBytes?: boolean;
  /** Where a file names its charset. Default: it cannot. */
  readonly charset?: CharsetDeclaration;
  /** Whether the path of such a file alone says that it holds texts. Default: never. */
  readonly namesTexts?: (path: string) => boolean;
  /** A key in the notation of its file. Default: a path, `menu.open`. */
  readonly writeKey?: (key: readonly string[]) => string;
  /** The binary notation of its files that programs load. */
  readonly compiled?: CompiledNotation;
  /** Lazy: some formats bring a parser that takes longer to load than the rest of the program. */
  readonly load: () => Promise<Format>;
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
