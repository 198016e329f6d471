/** Longer texts are truncated: messages also print the place. */
const MAX_TEXT = 80;

/** `menu.open`, `list[0]`; a name that contains a dot is quoted: `errors["a.b"].title`. */
export function writePath(key: readonly string[]): string {
  if (key.length === 1) return shortenText(key[0] ?? '');
  return key.map((name, depth) => writeSegment(name, depth)).join('');
}

function writeSegment(name: string, depth: number): string {
  if (depth > 0 && /^\d+$/.test(name)) return `[${name}]`;
  if (name === '' || /[.\s"[\]]/.test(name)) return `[${quote(name)}]`;
  return depth > 0 ? `.${name}` : name;
}

/** Whether a key is a source text instead of a name for one: it has a space, or is a word with a capital initial. */
export function isTextAsKey(key: string): boolean {
  return /\S \S|^\s*\p{Lu}\p{Ll}*(?:-\p{L}\p{Ll}+)?[.!?:…]?\s*$/u.test(key);
}

export function quote(text: string): string {
  return JSON.stringify(shortenText(text));
}

export function shortenText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

/** Whether a list has as many codes in capitals (`"code": "ES"`) as records, and no sentence ends in it. */
export function listsCodes(list: string, records: number): boolean {
  const codes = list.match(/:\s*["']?[A-Z]{2,3}["']?(?=\s*(?:[,}\r\n]|$))/g)?.length ?? 0;
  return codes >= records && !/[.?!]["']?\s*(?:[,}\r\n]|$)/.test(list);
}
