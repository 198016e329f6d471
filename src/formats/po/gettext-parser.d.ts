declare module 'gettext-parser' {
  interface Translation {
    readonly msgid: string;
    readonly msgid_plural?: string;
    readonly msgstr: readonly string[];
  }
  type Translations = Readonly<Record<string, Readonly<Record<string, Translation>>>>;
  interface Catalog {
    readonly charset: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly translations: Translations;
    readonly obsolete?: Translations;
  }
  /** The compilers' input, which is the parsers' output without prototypes. */
  interface Table {
    readonly charset: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly translations: Translations;
  }
  export const po: {
    compile(table: Table): Buffer;
    parse(input: Buffer | string, options?: { readonly defaultCharset?: string }): Catalog;
  };
  export const mo: {
    compile(table: Table): Buffer;
    parse(input: Buffer, defaultCharset?: string): Catalog;
  };
}
