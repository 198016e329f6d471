/**
 * The charset that a PO file's header declares, as written there, or undefined when it names none.
 *
 * @param head the beginning of the file, decoded as latin1: the header is ASCII in every charset a PO file can have
 */
export function declaredCharset(head: string): string | undefined {
  const found =
    /"[^"\n]*Content-Type:[^"\n]{0,200}?(?:"\s*")?[^"\n]{0,200}?charset=[ \t]*([\w.:()+-]+)/i.exec(head)?.[1];
  // What xgettext writes when it does not know.
  return found === undefined || found === 'CHARSET' ? undefined : found;
}
