import type { FormatId, Key } from '../../formats/format.ts';

/** Longer texts are cut: the place is said beside them. */
const MAX_TEXT = 80;

/**
 * A key in the notation of its file: what people search for there.
 *
 * @param categories of the plural forms that are meant
 */
export function nameKey(key: Key, format: FormatId, categories: readonly string[] = []): string {
  const forms = categories.length === 0 ? '' : ` [${categories.join(', ')}]`;
  return WRITERS[format](key) + forms;
}

const WRITERS: Readonly<Record<FormatId, (key: Key) => string>> = {
  json: writePath,
  yaml: writePath,
  xml: writeXml,
  po: ([context = '', id = '']) =>
    context === '' ? `msgid ${quote(id)}` : `msgctxt ${quote(context)} msgid ${quote(id)}`,
  strings: (key) => quote(key.join('.')),
  properties: (key) => cut(key.join('.')),
};

/** `menu.open`, `list[0]`; a name with a dot in it keeps its dot: `errors["a.b"].title`. */
function writePath(key: Key): string {
  if (key.length === 1) return cut(key[0] ?? '');
  return key.map((name, depth) => writeSegment(name, depth)).join('');
}

function writeSegment(name: string, depth: number): string {
  if (depth > 0 && /^\d+$/.test(name)) return `[${name}]`;
  if (name === '' || /[.\s"[\]]/.test(name)) return `[${quote(name)}]`;
  return depth > 0 ? `.${name}` : name;
}

/** `name`, `name[2]` for an item of an array, `name (product=tablet)` for a variant. */
function writeXml(key: Key): string {
  return key
    .map((name, depth) => {
      if (depth === 0) return cut(name);
      if (name.startsWith('product=')) return ` (${name})`;
      return /^\d+$/.test(name) ? `[${name}]` : `.${name}`;
    })
    .join('');
}

function quote(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
