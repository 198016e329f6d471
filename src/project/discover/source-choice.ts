import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import {
  BUILT_IN_FORMATS,
  type DescribedFormat,
  extensionOf,
  type Formats,
  TEMPLATES,
} from '../../formats/registry.ts';
import { languageOf, parseLocale, sameLanguage } from '../../languages/locale.ts';
import {
  declaredSourceOf,
  formatOfFile,
  hasMessagesOfAll,
  hasTextsOfItsOwn,
  isTranslationOf,
  isTemplateOf,
  newestFirst,
} from './catalogue.ts';
import { pathsOf, type FileSet } from './layout.ts';
import { joinRoots } from './module-roots.ts';
import { readHead } from '../../base/file-head.ts';
import { isWord } from '../../languages/words.ts';

/** A file set with its source file. */
export interface SourcedSet extends FileSet {
  readonly source: string;
  readonly format: DescribedFormat;
  /** See `Resource.catalogues`. */
  readonly catalogues?: readonly string[] | undefined;
  /** See `Resource.isTemplate`. */
  readonly isTemplate?: boolean | undefined;
}

/**
 * The source language of file sets: English if any set has it. A layout whose source names no locale also counts as
 * English, unless bilingual files, a manifest or settings name the source language.
 *
 * @throws DragomanError `configuration` that names the candidates
 */
export function chooseSourceOfSets(root: string, all: readonly FileSet[]): string {
  // `packages/ee/package.json` alone proves nothing if other files exist in several languages, and `docs/os/data.json`
  // nothing among the pages of a site.
  const says = ({ members }: FileSet): boolean =>
    members.size > 1 || [...members.keys()].some((code) => languageOf(code) === 'en');
  const isCarrier = (set: FileSet): boolean => carryingFormat(root, set) !== undefined;
  const others = all.filter(({ document }) => !document);
  const isOfSite = all.some(({ document }) => document?.source !== undefined);
  const tells = (set: FileSet): boolean => set.base !== undefined || says(set) || isCarrier(set);
  // The source language of documents may differ from that of other files.
  const sets = others.some((set) => !isOfSite || tells(set)) ? others : all;
  const holders = holdersOfSources(sets, undefined);
  // PO files name their target language, and a region next to `values/` is a translation of `values/`.
  const named = sets.filter(
    (set) =>
      set.base === undefined &&
      set.document?.source === undefined &&
      !isCarrier(set) &&
      !holders.has(holderOf(set)),
  );
  const naming = named.length === sets.length || named.some(says) ? named : [];
  const declared =
    naming.length === 0
      ? declaredSource(root, sets)
      : relativeOf(sourceCandidates(naming), settingOf(naming));
  if (declared !== undefined) return declared;
  const isUnnamed = (set: FileSet): boolean => set.base !== undefined || isCarrier(set);
  return chooseSource(
    withoutPartial(root, naming, sourceCandidates(naming)),
    sets.length > 0 && (naming.length === 0 || sets.some(isUnnamed)),
  );
}

/**
 * Drops the candidates that are variants of English with less than half of another variant's texts: `en-US` next to
 * `en-GB` may only contain different spellings. Each set with several languages has the same weight, so that one long
 * file does not outweigh many.
 */
function withoutPartial(
  root: string,
  sets: readonly FileSet[],
  candidates: readonly string[],
): readonly string[] {
  const variants = candidates.filter((code) => languageOf(code) === 'en');
  if (variants.length < 2 || variants.includes('en')) return candidates;
  const shares = new Map<string, number>();
  for (const { members } of sets) {
    if (members.size < 2) continue;
    const sizes = variants.flatMap((code) => {
      const path = members.get(code)?.path;
      return path === undefined ? [] : [[code, sizeOf(root, path)] as const];
    });
    const largest = Math.max(1, ...sizes.map(([, size]) => size));
    for (const [code, size] of sizes) shares.set(code, (shares.get(code) ?? 0) + size / largest);
  }
  const most = Math.max(...shares.values());
  return candidates.filter((code) => (shares.get(code) ?? most) * 2 >= most);
}

function sizeOf(root: string, path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0;
}

/** How many files of a set are read, because a single one may declare a wrong language, copied from another file. */
const ASKED = 5;

/** The source language that most bilingual files declare. */
function declaredSource(root: string, sets: readonly FileSet[]): string | undefined {
  return mostOf(
    sets.flatMap((set) => {
      // Catalogues are not translated into the language of their source texts.
      const isOther = set.declared !== undefined && set.base === undefined && set.members.has(set.declared);
      const known = (isOther ? undefined : set.declared) ?? set.document?.source;
      return known === undefined ? declaredIn(root, set) : [known];
    }),
  );
}

/** The language in the settings of most sets whose files name languages. Without settings, English is preferred. */
function settingOf(sets: readonly FileSet[]): string | undefined {
  const named = mostOf(sets.map(({ declared }) => declared ?? ''));
  return named === '' || languageOf(named ?? 'en') === 'en' ? undefined : named;
}

/** The most frequent locale; of equally frequent ones, the first alphabetically. */
function mostOf(locales: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const locale of locales) counts.set(locale, (counts.get(locale) ?? 0) + 1);
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0];
}

function declaredIn(root: string, set: FileSet): readonly string[] {
  const paths = set.base === undefined ? pathsOf(set).slice(0, ASKED) : [set.base];
  return paths.flatMap((path) => {
    const format = formatOfFile(root, path, BUILT_IN_FORMATS);
    return (format && declaredSourceOf(root, path, format)) ?? [];
  });
}

/** English if it is a candidate, or if some sources' names have no locale (`isUnnamed`). */
export function chooseSource(candidates: readonly string[], isUnnamed: boolean): string {
  const english = candidates.filter((code) => languageOf(code) === 'en');
  if (english.includes('en')) return 'en';
  if (english[0] !== undefined) return english.includes('en-US') ? 'en-US' : english[0];
  if (isUnnamed || candidates.length === 0) return 'en';
  throw new DragomanError('configuration', 'cannot tell which language is the source', {
    hint: `Name it with --source or in the configuration: ${candidates.slice(0, 20).join(', ')}.`,
  });
}

/** The locales that could be the sets' source, most frequent first. */
export function sourceCandidates(sets: readonly FileSet[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { members } of sets) {
    for (const locale of members.keys()) counts.set(locale, (counts.get(locale) ?? 0) + 1);
  }
  return [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
}

/**
 * The sets with a file in the source language. Each file is in one set: if a path can be read in several ways, in the
 * set with the most other files.
 */
export async function chooseSources(
  root: string,
  all: readonly FileSet[],
  sourceLocale: string,
  formats: Formats,
): Promise<readonly SourcedSet[]> {
  const bySource = new Map<string, SourcedSet>();
  const sets = joinRoots(root, all, sourceLocale);
  const holders = holdersOfSources(sets, sourceLocale);
  const accompanied = new Set(sets.flatMap((set) => (set.members.size > 1 ? pathsOf(set) : [])));
  for (const set of sets) {
    // For a separate set such as `help/en_GB/en_GB.po`, another set such as `help/de/de.po` shows whether it has all
    // messages.
    const [only = ''] = set.members.size === 1 ? pathsOf(set) : [];
    if (accompanied.has(only) && carryingFormat(root, set) !== undefined) continue;
    const source = await sourceOf(root, set, sourceLocale, holders.has(holderOf(set)));
    const own = source === undefined ? undefined : formatOfFile(root, source, formats);
    if (source === undefined || own === undefined) continue;
    const format = (own.isProse ? set.document?.format : undefined) ?? own;
    const other = bySource.get(source);
    const isTemplate = set.base === undefined && isTemplateOf(root, source, own);
    if (!other || rank(set) > rank(other)) bySource.set(source, { ...set, source, format, isTemplate });
  }
  const chosen = [...bySource.values()];
  // A translation is not a source: `en/app/es.json` next to `en/app/en.json` is not a namespace called `es`.
  const translations = new Set(chosen.flatMap(translationsOf));
  const sourced = chosen.filter((set) => !translations.has(set.source));
  const known = new Set(sourced.flatMap((set) => [set.source, ...translationsOf(set)]));
  return [...sourced, ...chooseCarriers(root, sets, sourceLocale, known)].sort((a, b) =>
    a.source < b.source ? -1 : 1,
  );
}

/** The format of a set whose files contain their source texts. */
function carryingFormat(root: string, set: FileSet): DescribedFormat | undefined {
  if (set.base !== undefined) return undefined;
  // An empty catalogue proves nothing if several formats share its extension.
  for (const path of pathsOf(set).slice(0, ASKED)) {
    const format = TEMPLATES.has(extensionOf(path)) ? undefined : formatOfFile(root, path, BUILT_IN_FORMATS);
    if (format !== undefined && (set.keysAreTexts === true || format.bilingual)) return format;
  }
  return undefined;
}

/**
 * Bilingual files without a template, like Django's catalogues: together they define the messages.
 *
 * @param known files with a source; the chosen catalogues are added
 */
function chooseCarriers(
  root: string,
  sets: readonly FileSet[],
  sourceLocale: string,
  known: Set<string>,
): readonly SourcedSet[] {
  const carriers = sets.map((set) => ({ set, format: carryingFormat(root, set) }));
  const needing = carriers.flatMap(({ set, format }) => (format?.bilingual?.needsSource ? set : []));
  const holders = holdersOfSources(needing, sourceLocale);
  return carriers
    .toSorted((a, b) => rank(b.set) - rank(a.set))
    .flatMap(({ set, format }): SourcedSet[] => {
      if (format === undefined || isLeftOver(set, format, holders)) return [];
      const paths = pathsOf(set);
      if (paths.some((path) => known.has(path))) return [];
      // A file in the source language that is not the source contains only some of the messages.
      const partial = set.members.get(sourceLocale)?.path;
      const others = paths.filter((path) => path !== partial);
      const catalogues = [...newestFirst(root, others), ...(partial === undefined ? [] : [partial])];
      const [source] = catalogues;
      if (source === undefined) return [];
      for (const path of paths) known.add(path);
      return [{ ...set, source, format, catalogues }];
    });
}

/** Whether the source language's directory (`languages/en/`) has lost this file: see `BilingualFiles.needsSource`. */
function isLeftOver(set: FileSet, { bilingual }: DescribedFormat, holders: ReadonlySet<string>): boolean {
  const [, end = ''] = set.template.parts;
  return bilingual?.needsSource === true && end.startsWith('/') && holders.has(holderOf(set));
}

function rank(set: FileSet): number {
  return set.members.size * 2 + (set.template.parts.length > 2 ? 1 : 0);
}

/** The files of a set other than its source. */
export function translationsOf(set: SourcedSet): readonly string[] {
  return pathsOf(set).filter((path) => path !== set.source);
}

/** The part of a set's paths before the locale: the directory, and the start of the name. */
function holderOf({ template }: FileSet): string {
  const [start = ''] = template.parts;
  return template.layout.baseDirectory !== undefined ? start : start.slice(0, start.lastIndexOf('/') + 1);
}

/** Directories that have files in the source language itself. There, a regional variant is a translation. */
function holdersOfSources(sets: readonly FileSet[], locale: string | undefined): ReadonlySet<string> {
  return new Set(
    sets
      .filter(({ members, base, template }) =>
        template.layout.baseDirectory !== undefined
          ? base !== undefined
          : base === undefined && locale !== undefined && members.has(locale),
      )
      .map(holderOf),
  );
}

/**
 * Whether a base's language is unknown. By default, `values/` and `messages.properties` are English, and `values-en`
 * and `messages_en.properties` contain only differences, or nothing, to stop Java's fallback.
 */
export function mayBeForeign({ document, base, template }: FileSet, locale: string): boolean {
  const isUnnamed = document === undefined && base !== undefined && template.layout.baseRole === undefined;
  return isUnnamed && languageOf(locale) === 'en';
}

async function sourceOf(
  root: string,
  set: FileSet,
  locale: string,
  isBesideSource: boolean,
): Promise<string | undefined> {
  const { members, base, template } = set;
  const exact = members.get(locale)?.path;
  if (set.document) {
    const { source, spellings } = set.document;
    // `docs/` next to `docs/en/` is in another language.
    const isUnnamed =
      source === undefined
        ? relativeOf(spellings.keys(), locale) === undefined
        : sameLanguage(source, locale);
    return (
      exact ??
      (isUnnamed ? base : undefined) ??
      (base === undefined ? onlyRelative(members, locale)?.path : undefined)
    );
  }
  if (base === undefined) {
    if (template.layout.baseDirectory !== undefined && isBesideSource) return undefined;
    const format = carryingFormat(root, set);
    const relative = format === undefined ? englishOf(root, set, locale) : undefined;
    const path = exact ?? (isBesideSource ? undefined : (onlyRelative(members, locale)?.path ?? relative));
    if (path === undefined || format === undefined || hasTextsOfItsOwn(root, path, format)) return path;
    const others = pathsOf(set).filter((other) => other !== path);
    return hasMessagesOfAll(root, path, others, format) ? path : undefined;
  }
  const { baseRole } = template.layout;
  if (exact === undefined || baseRole === 'template') return base;
  return mayBeForeign(set, locale) && !(await isTranslationOf(root, exact, base)) ? base : exact;
}

/** The variant of English to translate if a set has several, and none is the source language of the others. */
function englishOf(root: string, set: FileSet, locale: string): string | undefined {
  const english = [...set.members.keys()].filter((code) => languageOf(code) === 'en');
  if (languageOf(locale) !== 'en' || english.length === 0) return undefined;
  return set.members.get(chooseSource(withoutPartial(root, [set], english), false))?.path;
}

/** `en-US` for `en`, or the reverse, if it is the only one. */
function onlyRelative<Value>(members: ReadonlyMap<string, Value>, locale: string): Value | undefined {
  const relatives = [...members].filter(([code]) => languageOf(code) === languageOf(locale));
  return relatives.length === 1 ? relatives[0]?.[1] : undefined;
}

/** The locale that is the source language or a variant of it. */
export function relativeOf(locales: Iterable<string>, locale: string | undefined): string | undefined {
  if (locale === undefined) return undefined;
  const members = new Map([...locales].map((code) => [code, code]));
  return members.get(locale) ?? onlyRelative(members, locale);
}

const LIMIT = 1 << 20;

/**
 * Files that `dragoman i18n` wrote next to their sources: `en_es.json` next to `en.json`, `common_es.json` next to
 * `common.json` (not `messages_es.properties`, which Java looks for).
 *
 * @param wanted targets that the user names: `en_ca.json` is Canadian English if en-CA is one of them
 */
export function findWrittenByI18n(
  root: string,
  paths: readonly string[],
  sets: readonly SourcedSet[],
  sourceLocale: string,
  wanted: readonly string[],
): ReadonlySet<string> {
  // Most projects have no such file names.
  const candidates = paths.filter((path) => path.lastIndexOf('_') > path.lastIndexOf('/') + 1);
  if (candidates.length === 0) return new Set();
  const bySource = new Map(sets.map((set) => [set.source, set]));
  const members = new Map<string, string | undefined>();
  for (const set of sets) {
    for (const [locale, { path }] of set.members) {
      // Next to a base file, `messages_en.properties` is named as the platform requires.
      if (path !== set.source) members.set(path, set.base === undefined ? locale : undefined);
    }
  }
  return new Set(
    candidates.filter((path) => {
      const { origin, code } = originOf(path) ?? { origin: '', code: '' };
      if (!bySource.has(origin)) return false;
      const own = bySource.get(path);
      // A file with its own translations is a namespace whose name resembles a locale.
      if (own && pathsOf(own).some((other) => other !== path)) return false;
      if (own) return !isWord(code) || linesOf(root, path) === linesOf(root, origin);
      if (!members.has(path)) return true;
      const locale = members.get(path);
      return locale !== undefined && sameLanguage(locale, sourceLocale) && !wanted.includes(locale);
    }),
  );
}

/**
 * The source from which `i18n` would have created this file, judged by its name. `i18n` spells languages canonically.
 */
function originOf(path: string): { readonly origin: string; readonly code: string } | undefined {
  const match = /^(.*[^/])_([^/_.]+)(\.[^./]+)$/.exec(path);
  const [, stem = '', code = '', extension = ''] = match ?? [];
  return match && parseLocale(code) === code ? { origin: stem + extension, code } : undefined;
}

/** `go_to.json` next to `go.json` is Tongan only if it has as many lines, because translations keep their lines. */
function linesOf(root: string, path: string): number | undefined {
  return readHead(join(root, path), LIMIT)?.text.split('\n').length;
}
