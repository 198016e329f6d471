const DECLARATION =
  /^(?:\ufeff|\xef\xbb\xbf)?<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/;

/**
 * The encoding that an XML declaration names, as spelled there.
 *
 * @param head the first bytes of the file, decoded as ISO-8859-1
 */
export function declaredCharset(head: string): string | undefined {
  return DECLARATION.exec(head)?.[1];
}
