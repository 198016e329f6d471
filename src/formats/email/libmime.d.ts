/** The functions of libmime that this project uses; the package ships no types. */
declare module 'libmime' {
  interface Libmime {
    /** Writes an RFC 2047 word in UTF-8; `encoding` is `Q` or `B`. */
    encodeWord(text: string, encoding: 'Q' | 'B'): string;
    /** Decodes the encoded words of an unfolded field body. Undecodable words stay or contain U+FFFD. */
    decodeWords(text: string): string;
    /** Removes the soft line breaks of RFC 3676. */
    decodeFlowed(text: string, delSp: boolean): string;
    /** Decodes one encoded word. */
    decodeWord(charset: string, encoding: 'Q' | 'B', text: string): string | Uint8Array;
  }
  const libmime: Libmime;
  export default libmime;
}
