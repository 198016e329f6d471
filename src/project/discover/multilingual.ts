import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { readHead } from '../../base/file-head.ts';
import type { FileLanguages } from '../../formats/format.ts';
import {
  BUILT_IN_FORMATS,
  type DescribedFormat,
  type KnownFormat,
  loadFormat,
} from '../../formats/registry.ts';
import { isOwnExport } from './catalogue.ts';
import { localeStyle, parseLocale, parseRareLocale, spellLocale } from '../../languages/locale.ts';
import { isWord } from '../../languages/words.ts';
import type { ResourceFiles } from './resource.ts';
import { relativeOf } from './source-choice.ts';
import type { SpellingRules } from './speller.ts';

/** A file with all languages. */
export interface MultilingualFile {
  readonly path: string;
  readonly format: DescribedFormat;
  /** The source language that the file declares, canonical. */
  readonly source: string | undefined;
  /** The languages of the file, by canonical code, in its own spelling. */
  readonly spellings: ReadonlyMap<string, string>;
}

/** Whether files with this extension contain all languages, if they are localization at all. */
export function isMultilingualPath(path: string): boolean {
  return BUILT_IN_FORMATS.ofPath(path)?.multilingual !== undefined;
}

/**
 * Reads the files that contain all languages. An unreadable file counts as having no languages, and opening it reports
 * the error. Ignores tables whose column names are all words (`id`, `no`).
 *
 * @param paths relative to the root
 * @param isNamed whether the configuration, not just its path, selects a file for translation
 */
export async function readMultilingual(
  root: string,
  paths: readonly string[],
  isNamed: (path: string) => boolean,
): Promise<ReadonlyMap<string, MultilingualFile>> {
  const found = new Map<string, MultilingualFile>();
  for (const path of paths) {
    const format = BUILT_IN_FORMATS.ofPath(path);
    if (!format?.multilingual) continue;
    const namesTexts = format.namesTexts?.(path) === true;
    if (!namesTexts && !isNamed(path)) continue;
    if (isOwnExport(root, path)) continue;
    const text = readHead(join(root, path), format.multilingual.within)?.text ?? '';
    const languages = languagesIn(text, await loadFormat(format));
    if (!languages) continue;
    if (languages.source === undefined && languages.all.length > 0 && languages.all.every(isWord)) continue;
    const spellings = new Map<string, string>();
    for (const spelling of languages.all) {
      const locale = parseRareLocale(spelling);
      if (locale !== undefined && !spellings.has(locale)) spellings.set(locale, spelling);
    }
    const source = languages.source === undefined ? undefined : parseLocale(languages.source);
    found.set(path, { path, format, source, spellings });
  }
  return found;
}

function languagesIn(text: string, format: KnownFormat): FileLanguages | undefined {
  try {
    return format.languages?.(text);
  } catch (error) {
    if (error instanceof DragomanError) return { source: undefined, all: [] };
    throw error;
  }
}

/** The source language, if all files that declare one agree. */
export function namedSource(files: readonly MultilingualFile[]): string | undefined {
  const declared = new Set(files.flatMap(({ source }) => source ?? []));
  return declared.size === 1 ? [...declared][0] : undefined;
}

/** Undefined for a file that has neither the source language nor a variant of it. */
export function multilingualResource(
  { path, format, source, spellings }: MultilingualFile,
  sourceLocale: string,
  rules: SpellingRules,
): ResourceFiles | undefined {
  const own = relativeOf(
    new Set([...(source === undefined ? [] : [source]), ...spellings.keys()]),
    sourceLocale,
  );
  // An unreadable file has no languages.
  const isUnknown = source === undefined && spellings.size === 0;
  if (own === undefined && !isUnknown) return undefined;
  const style = rules.style ?? localeStyle([...spellings.values()], format.localeStyle);
  const targets = [...spellings.keys()].filter((locale) => locale !== own);
  return {
    source: path,
    sourceLocale: own ?? sourceLocale,
    format,
    existing: new Map(targets.map((locale) => [locale, path])),
    spelling: (locale) => spellings.get(locale) ?? rules.locales?.get(locale) ?? spellLocale(locale, style),
    targetPath: () => path,
  };
}
