/** What XML cannot hold, in whatever notation. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Whether a text can stand in an XML document. */
export function isXmlText(text: string): boolean {
  return !FORBIDDEN.test(text);
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function reference(character: string): string {
  return NAMED[character] ?? `&#${character.charCodeAt(0)};`;
}

/** Left as it is, a carriage return would come back as a line break. */
export function escapeXml(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, reference) : text;
}

/** An element with content that is XML already; attributes that are undefined are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content = '',
): string {
  const open = openTag(name, attributes);
  return content === '' ? `${open.slice(0, -1)}/>` : `${open}${content}</${name}>`;
}

export function openTag(name: string, attributes: Readonly<Record<string, string | undefined>> = {}): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${value.replace(/[&<>"\t\n\r]/g, reference)}"`;
  }
  return `${tag}>`;
}
