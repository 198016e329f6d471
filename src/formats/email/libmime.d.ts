/** The part of libmime that is used; the package has no types of its own. */
declare module 'libmime' {
  interface Libmime {
    /** An RFC 2047 word in UTF-8; `encoding` is `Q` or `B`. */
    encodeWord(text: string, encoding: 'Q' | 'B'): string;
    /** All encoded words of an unfolded field body; what cannot be decoded stays or has U+FFFD. */
    decodeWords(text: string): string;
    /** Text without the soft line breaks of RFC 3676. */
    decodeFlowed(text: string, delSp: boolean): string;
    /** The text of one encoded word. */
    decodeWord(charset: string, encoding: 'Q' | 'B', text: string): string | Uint8Array;
  }
  const libmime: Libmime;
  export default libmime;
}
