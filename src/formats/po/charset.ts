/**
 * The charset that a PO file's header declares, as written there. Undefined if it declares none, or ASCII: UTF-8
 * includes it, and the file becomes UTF-8 with the first translation that needs it.
 *
 * @param head the beginning of the file, decoded as latin1: the header is ASCII in every charset that a PO file can
 * have
 */
export function declaredCharset(head: string): string | undefined {
  const found =
    /"[^"\n]*Content-Type:[^"\n]{0,200}?(?:"\s*")?[^"\n]{0,200}?charset=[ \t]*([\w.:()+-]+)/i.exec(head)?.[1];
  return found === undefined || isUndecided(found) ? undefined : found;
}

/**
 * Whether the charset is undecided: xgettext writes `CHARSET` for an unknown one, and msginit ASCII in the C locale.
 */
export function isUndecided(charset: string): boolean {
  return /^(?:charset|(?:us-)?ascii|ansi_x3\.4-1968)$/i.test(charset);
}
