import { parseLocale } from '../../languages/locale.ts';
import type { FileLanguages } from '../format.ts';
import { cellText, openTable, type CsvRow, type CsvTable } from './table.ts';

/** Names of the first column of a table of texts. */
const KEY =
  /^(?:keys?|ids?|names?|identifiers?|(?:string|text|message|resource|translation)[ _-]?(?:keys?|ids?|names?|identifiers?)|strings?|msgid|labels?|tags?|codes?|constants?)$/i;

/** Columns with what is said to translators, among them those of Unity and Godot. */
const NOTE =
  /^(?:[?_])?(?:shared )?(?:comments?|contexts?|descriptions?|notes?|info|hints?|max[ _-]?length)$/i;

/** Unity's column of numbers; Indonesian is `id`. */
const NUMBERS = /^I[dD]$/;

/** Which column holds what. */
export interface LanguageColumns {
  readonly key: number;
  readonly notes: readonly number[];
  /** By canonical code: the column, and how its name spells the language. The first of two for one language. */
  readonly languages: ReadonlyMap<string, { readonly column: number; readonly spelling: string }>;
}

/** Undefined for a table whose first row does not name a column of keys and one of a language. */
export function columnsOf({ text, header }: CsvTable): LanguageColumns | undefined {
  const names = header.cells.map((cell) => cellText(text, cell).trim());
  if (!KEY.test(names[0] ?? '')) return undefined;
  const languages = new Map<string, { readonly column: number; readonly spelling: string }>();
  const notes: number[] = [];
  for (const [column, name] of names.entries()) {
    if (column === 0) continue;
    // Unity writes `German(de)`.
    const spelling = /\(([^()]*)\)$/.exec(name)?.[1] ?? name;
    const locale = parseLocale(spelling);
    if (NOTE.test(name)) notes.push(column);
    else if (locale !== undefined && !NUMBERS.test(name) && !languages.has(locale))
      languages.set(locale, { column, spelling });
  }
  return languages.size > 0 ? { key: 0, notes, languages } : undefined;
}

/** The language whose texts are read where none is named: English, else the first. */
export function firstLanguage({ languages }: LanguageColumns): string {
  const all = [...languages.keys()];
  return all.find((locale) => /^en\b/.test(locale)) ?? all[0] ?? 'en';
}

export function languagesOf(text: string): FileLanguages | undefined {
  const columns = columnsOf(openTable(text));
  return (
    columns && { source: undefined, all: [...columns.languages.values()].map(({ spelling }) => spelling) }
  );
}

/** The key of a row; empty for a row without one. */
export function keyOf(text: string, { key }: LanguageColumns, { cells }: CsvRow): string {
  const cell = cells[key];
  return cell ? cellText(text, cell).trim() : '';
}
