const META = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9][\w.:-]{0,40})/i;

/**
 * The encoding that a page names in a `<meta>`, as spelled there. A page that was read by it is not UTF-16, so one
 * that says so is UTF-8, as the HTML standard has it.
 *
 * @param head the first 1024 bytes of the file, decoded as ISO-8859-1
 */
export function declaredCharset(head: string): string | undefined {
  const name = META.exec(head.replace(/<!--[\s\S]*?-->/g, ''))?.[1];
  return name !== undefined && /^utf-?16/i.test(name) ? 'utf-8' : name;
}

/** Where iconv-lite has another name than the Encoding standard. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'iso-8859-8-i': 'iso-8859-8',
  'x-mac-cyrillic': 'maccyrillic',
};

/**
 * The encoding that browsers take for a label of a page: windows-1252 for iso-8859-1, latin1 and us-ascii, gbk for
 * gb2312, and so on (WHATWG Encoding, §4.2). A label that is not in the standard stays as it is, in lower case.
 */
export function charsetOfLabel(label: string): string {
  try {
    const name = new TextDecoder(label).encoding;
    return OTHER_NAMES[name] ?? name;
  } catch {
    return label.toLowerCase();
  }
}
