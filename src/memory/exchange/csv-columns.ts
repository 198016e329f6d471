import { DragomanError } from '../../base/errors.ts';
import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import type { MemoryImportOptions } from './exchange.ts';
import { targetOf, UNWANTED } from './target-language.ts';

/** The columns of the fields, counted from 0. */
export interface FieldColumns {
  readonly source: LocaleColumn;
  readonly targets: readonly LocaleColumn[];
  readonly context: number;
  readonly origin: number;
  readonly category: number;
  readonly engine: number;
}

interface LocaleColumn {
  readonly index: number;
  /** Canonical. */
  readonly locale: string;
}

/** The other columns, as spelled; all are optional, in any order. */
export const EXTRA_COLUMNS = ['context', 'origin', 'category', 'engine'] as const;

/**
 * Reads the first line: language codes, or `source` and `target`. The source is the requested language, otherwise the
 * first one.
 *
 * @throws DragomanError `unreadable_input` for a line without two languages, `usage` if options are needed
 */
export function readColumns(
  header: readonly string[],
  { source, targets }: MemoryImportOptions,
): FieldColumns {
  const names = header.map((name) => name.trim().toLowerCase());
  const at = (name: string): number => names.indexOf(name);
  const keys = keyColumn(names);
  const languages = header.flatMap((name, index): LocaleColumn[] => {
    const role = names[index] ?? '';
    if (role === 'source') return [{ index, locale: source ?? need('--source', 'en') }];
    if (role === 'target') return [{ index, locale: onlyOf(targets) ?? need('--target', 'es') }];
    const locale = isExtra(role) || index === keys ? undefined : parseLocale(name.trim());
    return locale === undefined ? [] : [{ index, locale }];
  });
  const from =
    languages.find(({ index }) => names[index] === 'source') ??
    (source === undefined
      ? languages[0]
      : (languages.find(({ locale }) => locale === source) ??
        languages.find(({ locale }) => sameLanguage(locale, source))));
  const others = languages.filter((column) => column !== from);
  if (!from || others.length === 0) throw noLanguages(source);
  const codes = others.map(({ locale }) => ({ language: locale }));
  const chosen = others.flatMap(({ index, locale }): LocaleColumn[] => {
    const target = names[index] === 'target' ? locale : targetOf(locale, targets, codes);
    return target === undefined || target === UNWANTED ? [] : [{ index, locale: target }];
  });
  return {
    source: { ...from, locale: source ?? from.locale },
    targets: chosen,
    context: keys ?? at('context'),
    origin: at('origin'),
    category: at('category'),
    engine: at('engine'),
  };
}

/**
 * Hand-made tables often begin with a column of keys. `id` is also a language code, but not if two languages follow.
 */
function keyColumn(names: readonly string[]): number | undefined {
  const [first = '', ...others] = names;
  if (!['id', 'key'].includes(first) || names.includes('context')) return undefined;
  const languages = others.filter((name) => !isExtra(name) && parseLocale(name) !== undefined);
  return languages.length > 1 || others.includes('target') ? 0 : undefined;
}

function isExtra(name: string): boolean {
  return EXTRA_COLUMNS.some((column) => column === name);
}

function onlyOf(targets: readonly string[] | undefined): string | undefined {
  return targets?.length === 1 ? targets[0] : undefined;
}

function need(option: string, example: string): never {
  throw new DragomanError('usage', `the first line does not name the languages of the columns`, {
    hint: `Name the language, such as ${option} ${example}, or write its code as the name of the column.`,
  });
}

function noLanguages(source: string | undefined): DragomanError {
  const what = source === undefined ? 'two languages' : `${source} and another language`;
  return new DragomanError('unreadable_input', `the first line does not name ${what}`, {
    at: { line: 1, column: 1 },
    hint: 'Begin the file with the names of its columns: en,es,context,origin.',
  });
}
