import { decodeJson, jsonEntries } from './json.ts';
import { refusal, type Entry, type Input, type Reader, type Reading } from './reader.ts';

/**
 * String Catalogs, read with JSON.parse: the texts of one language have the program's keys; everything else, including
 * other languages, is plain JSON.
 */
export const catalogParse: Reader = {
  name: 'JSON.parse of a catalogue',
  lastWins: true,
  missing: () => undefined,
  read: (files) => files.map(readCatalog),
};

interface Catalog {
  readonly sourceLanguage?: string;
  readonly strings: Readonly<Record<string, CatalogEntry>>;
}

interface CatalogEntry {
  readonly shouldTranslate?: boolean;
  readonly extractionState?: string;
  readonly localizations?: Readonly<Record<string, unknown>>;
}

function readCatalog({ bytes, locale }: Input): Reading {
  try {
    const catalog = decodeJson(bytes) as Catalog;
    const language = locale ?? catalog.sourceLanguage ?? 'en';
    const texts = new Map<string, readonly string[]>();
    const own: Entry[] = [];
    for (const [key, entry] of Object.entries(catalog.strings)) {
      if (entry.shouldTranslate === false || entry.extractionState === 'stale') continue;
      const path = ['strings', key, 'localizations', language];
      if (entry.localizations && language in entry.localizations)
        findTexts(entry.localizations[language], path, [key], texts);
      else if (language === (catalog.sourceLanguage ?? 'en') && key.trim() !== '')
        own.push({ key: [key], value: key, kind: 'text' });
    }
    const entries = jsonEntries(catalog).map((entry): Entry => {
      const key = texts.get(JSON.stringify(entry.key));
      if (key) return { ...entry, key };
      return entry.kind === 'text' ? { ...entry, kind: 'string' } : entry;
    });
    return { entries: [...entries, ...own] };
  } catch (error) {
    return refusal(error);
  }
}

const CATEGORIES = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

/** The JSON paths of the texts, each with its key. */
function findTexts(
  node: unknown,
  path: readonly string[],
  key: readonly string[],
  texts: Map<string, readonly string[]>,
): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, child] of Object.entries(node) as [string, Record<string, unknown>][]) {
    const at = [...path, name];
    if (name === 'stringUnit') texts.set(JSON.stringify([...at, 'value']), key);
    else if (name === 'stringSet') {
      for (const i of (child['values'] as readonly string[]).keys())
        texts.set(JSON.stringify([...at, 'values', String(i)]), [...key, 'values', String(i)]);
    } else if (name === 'variations') {
      for (const [kind, forms] of Object.entries(child))
        for (const [form, inside] of Object.entries(forms as object))
          if (kind === 'device' || CATEGORIES.has(form))
            findTexts(
              inside,
              [...at, kind, form],
              [...key, ...(kind === 'device' ? [kind] : []), form],
              texts,
            );
    } else if (name === 'substitutions') {
      for (const [variable, inside] of Object.entries(child))
        findTexts(inside, [...at, variable], [...key, name, variable], texts);
    }
  }
}
