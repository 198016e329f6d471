/**
 * The charset that a PO file's header declares, as written there, or undefined when it names none, or ASCII: UTF-8 reads
 * that as well, and is what such a file becomes with the first translation that needs it.
 *
 * @param head the beginning of the file, decoded as latin1: the header is ASCII in every charset a PO file can have
 */
export function declaredCharset(head: string): string | undefined {
  const found =
    /"[^"\n]*Content-Type:[^"\n]{0,200}?(?:"\s*")?[^"\n]{0,200}?charset=[ \t]*([\w.:()+-]+)/i.exec(head)?.[1];
  return found === undefined || isUndecided(found) ? undefined : found;
}

/** `CHARSET`, which xgettext writes when it does not know, and ASCII, which msginit writes in the C locale. */
export function isUndecided(charset: string): boolean {
  return /^(?:charset|(?:us-)?ascii|ansi_x3\.4-1968)$/i.test(charset);
}
