import { parseLocale, parseRareLocale } from '../../languages/locale.ts';
import { languageOfCountry } from '../../languages/rare.ts';
import { DragomanError } from '../../base/errors.ts';
import { describeFormat, type DescribedFormat, type Formats } from '../../formats/registry.ts';
import type { FileRule } from '../config/configuration.ts';
import { ANY_LAYOUT } from '../../frameworks/layout.ts';
import { compileGlob } from '../config/glob.ts';
import { compilePathPattern, type Captures, type PathPattern } from '../config/path-pattern.ts';
import { formatOfFile, hasMessagesOfAll, hasTextsOfItsOwn, isTemplateOf, newestFirst } from './catalogue.ts';
import { isWord } from '../../languages/words.ts';
import { multilingualResource, type MultilingualFile } from './multilingual.ts';
import type { ResourceFiles } from './resource.ts';
import { relativeOf } from './source-choice.ts';
import { isOdd } from './path-template.ts';
import { makeSpeller, type SpellingRules } from './speller.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** The locales of files that match the rules' sources. They are the candidates if no source language is given. */
export function configuredLocales(paths: readonly string[], rules: readonly FileRule[]): readonly string[] {
  const found = new Set<string>();
  for (const rule of rules) {
    const source = compilePathPattern(rule.source);
    for (const path of paths) {
      const locale = parseLocale(source.capture(path)?.locale ?? '');
      if (locale !== undefined) found.add(locale);
    }
  }
  return [...found].sort();
}

interface RuleContext {
  readonly formats: Formats;
  readonly rules: SpellingRules;
  /** Receives target files whose name is not a locale. */
  readonly onOdd: (path: string) => void;
}

/**
 * The resources that a rule of the configuration describes.
 *
 * @throws DragomanError `configuration` if no file matches
 */
export function applyRule(
  root: string,
  rule: FileRule,
  paths: readonly string[],
  sourceLocale: string,
  { formats, rules, onOdd }: RuleContext,
): readonly ResourceFiles[] {
  const sourcePattern = compilePathPattern(rule.source);
  const targetPattern = compilePathPattern(rule.target);
  const excluded = (rule.exclude ?? []).map(compileGlob);
  const { found, odd } = findTargets(paths, targetPattern, sourceLocale);
  const style = rule.localeStyle ?? rules.style;
  const spelled = found.map((target) => ({
    layout: ANY_LAYOUT,
    members: new Map([[target.locale, target]]),
  }));
  const spell = makeSpeller(spelled, { ...rules, style })(ANY_LAYOUT, [
    ...new Set(found.map(({ spelling }) => spelling)),
  ]);
  const formatOf = (path: string): DescribedFormat | undefined =>
    rule.format === undefined ? formatOfFile(root, path, formats) : describeFormat(rule.format);
  const byId = new Map<string, FoundTarget[]>();
  for (const target of found) {
    addTo(byId, target.id, target);
  }
  const resourceOf = (path: string, captures: Captures, catalogues?: readonly string[]): ResourceFiles => {
    const id = captures.wildcards.join('\0');
    for (const other of odd) if (other.id === id && other.path !== path) onOdd(other.path);
    const own = (byId.get(id) ?? []).filter((target) => catalogues || target.path !== path);
    const existing = new Map(own.map(({ locale, path: target }) => [locale, target]));
    const known = new Map(own.map(({ locale, spelling }) => [locale, spelling]));
    const spelling = (locale: string): string =>
      rules.locales?.get(locale) ?? known.get(locale) ?? spell(locale);
    const targetPath = (locale: string): string => targetPattern.fill(spelling(locale), captures.wildcards);
    const format = formatOf(path) ?? formats.requireOfPath(path);
    const isTemplate = !catalogues && isTemplateOf(root, path, format);
    return {
      source: path,
      sourceLocale,
      format,
      catalogues,
      isTemplate,
      existing,
      targetPath,
      spelling,
      framework: rule.framework,
    };
  };
  const included = paths.filter((path) => !excluded.some((other) => other.matches(path)));
  const isSource = sourceTest(sourcePattern, included, sourceLocale, rules);
  const sample = included.find((path) => sourcePattern.capture(path)) ?? rule.source;
  const format = formatOf(sample);
  const carries = rule.source === rule.target && format?.bilingual !== undefined;
  const isKeyed = (path: string, format: DescribedFormat): boolean => {
    const captures = sourcePattern.capture(path);
    if (captures === undefined || !isSource(captures)) return false;
    const same = byId.get(captures.wildcards.join('\0')) ?? [];
    const others = same.flatMap((target) => (target.path === path ? [] : target.path));
    return hasTextsOfItsOwn(root, path, format) || hasMessagesOfAll(root, path, others, format);
  };
  if (carries && !included.some((path) => isKeyed(path, format))) {
    const carriers = cataloguesBy(sourcePattern, included).flatMap((group): ResourceFiles[] => {
      const catalogues = newestFirst(root, group);
      const [path] = catalogues;
      const captures = path === undefined ? undefined : sourcePattern.capture(path);
      return path !== undefined && captures ? [resourceOf(path, captures, catalogues)] : [];
    });
    if (carriers.length > 0) return carriers;
  }
  const translations = translationsIn(included, sourcePattern, found);
  const resources = included.flatMap((path): ResourceFiles[] => {
    const captures = translations.has(path) ? undefined : sourcePattern.capture(path);
    return captures && isSource(captures) ? [resourceOf(path, captures)] : [];
  });
  if (resources.length > 0) return resources;
  throw noMatch(rule.source, sourceLocale);
}

/** The files that a target pattern matches, and those among them that do not name a locale. */
function findTargets(
  paths: readonly string[],
  pattern: PathPattern,
  sourceLocale: string,
): { readonly found: readonly FoundTarget[]; readonly odd: readonly Pick<FoundTarget, 'path' | 'id'>[] } {
  const odd: Pick<FoundTarget, 'path' | 'id'>[] = [];
  const found = paths.flatMap((path): FoundTarget[] => {
    const captures = pattern.capture(path);
    if (captures?.locale === undefined) return [];
    const { locale: spelling, wildcards } = captures;
    const id = wildcards.join('\0');
    const locale = parseRareLocale(spelling) ?? languageOfCountry(spelling);
    if (locale === undefined && isOdd(spelling)) odd.push({ path, id });
    return locale !== undefined && locale !== sourceLocale ? [{ path, locale, spelling, id }] : [];
  });
  return { found, odd };
}

interface FoundTarget {
  readonly path: string;
  readonly locale: string;
  readonly spelling: string;
  /** The matches of the wildcards, which the source shares. */
  readonly id: string;
}

/**
 * Targets that the source pattern also matches: `docs/es/guide.md` is a document below `docs`. Returns those that have
 * a source, and all others in the same languages.
 */
function translationsIn(
  paths: readonly string[],
  pattern: PathPattern,
  targets: readonly FoundTarget[],
): ReadonlySet<string> {
  const sources = new Map<string, string>();
  for (const path of paths) {
    const captures = pattern.capture(path);
    if (captures && captures.locale === undefined) sources.set(captures.wildcards.join('\0'), path);
  }
  const own = new Set(sources.values());
  const among = targets.filter(({ path }) => own.has(path));
  const isPaired = ({ id, path }: FoundTarget): boolean => sources.has(id) && sources.get(id) !== path;
  const isLanguage = (spelling: string): boolean => {
    const files = among.filter((target) => target.spelling === spelling);
    const paired = files.filter(isPaired).length;
    // A word can be a directory's topic: `docs/it` may be about information technology.
    return isWord(spelling) ? 2 * paired > files.length : paired > 0;
  };
  const languages = new Set([...new Set(among.map(({ spelling }) => spelling))].filter(isLanguage));
  return new Set(
    among.filter((target) => languages.has(target.spelling) || isPaired(target)).map(({ path }) => path),
  );
}

function noMatch(pattern: string, sourceLocale: string): DragomanError {
  return new DragomanError(
    'configuration',
    `no file matches ${pattern} for the source language ${sourceLocale}`,
    {
      hint: 'Paths are relative to the configuration. Hidden directories are not searched, nor are dependencies and build output unless the path names them before its first wildcard.',
    },
  );
}

interface MultilingualRuleContext {
  readonly files: ReadonlyMap<string, MultilingualFile>;
  readonly source: string;
  readonly spelling: SpellingRules;
}

/**
 * The resources of a rule for multilingual files.
 *
 * @throws DragomanError `configuration` if no file matches
 */
export function applyMultilingualRule(
  { source: pattern, exclude = [], localeStyle }: FileRule,
  { files, source, spelling }: MultilingualRuleContext,
): readonly ResourceFiles[] {
  const wanted = compileGlob(pattern);
  const unwanted = exclude.map(compileGlob);
  const style = localeStyle ?? spelling.style;
  const resources = [...files.values()].flatMap((file) => {
    if (!wanted.matches(file.path) || unwanted.some((glob) => glob.matches(file.path))) return [];
    return multilingualResource(file, source, { ...spelling, style }) ?? [];
  });
  if (resources.length > 0) return resources;
  throw noMatch(pattern, source);
}

/** The bilingual files of a rule, by the matches of its wildcards. Each contains its own source texts. */
function cataloguesBy(pattern: PathPattern, paths: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const captures = pattern.capture(path);
    if (captures?.locale === undefined || parseLocale(captures.locale) === undefined) continue;
    const id = captures.wildcards.join('\0');
    addTo(groups, id, path);
  }
  return [...groups.values()];
}

/** Recognizes source files by their locale: the source language, otherwise its only regional variant. */
function sourceTest(
  pattern: PathPattern,
  paths: readonly string[],
  sourceLocale: string,
  { locales }: SpellingRules,
): (captures: Captures) => boolean {
  const spellings = new Set(paths.flatMap((path) => pattern.capture(path)?.locale ?? []));
  const codes = [...spellings].flatMap((spelling) => parseLocale(spelling) ?? []);
  const own = locales?.get(sourceLocale);
  const chosen = own !== undefined && spellings.has(own) ? sourceLocale : relativeOf(codes, sourceLocale);
  return ({ locale }) => locale === undefined || locale === own || parseLocale(locale) === chosen;
}
