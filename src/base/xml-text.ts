/** Characters that XML cannot contain, even as references. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Whether an XML document can contain a text. */
export function isXmlText(text: string): boolean {
  return !FORBIDDEN.test(text);
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function reference(character: string): string {
  return NAMED[character] ?? `&#${character.charCodeAt(0)};`;
}

/** Text as the content of an element. A literal carriage return would be read as a line feed. */
export function escapeXml(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, reference) : text;
}

/** An element whose content is already XML; undefined attributes are omitted. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content = '',
): string {
  const open = openTag(name, attributes);
  return content === '' ? `${open.slice(0, -1)}/>` : `${open}${content}</${name}>`;
}

/** A start tag; undefined attributes are omitted. */
export function openTag(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${value.replace(/[&<>"\t\n\r]/g, reference)}"`;
  }
  return `${tag}>`;
}
