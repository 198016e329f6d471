import { basename, join } from 'node:path';
import { readHead } from '../../base/file-head.ts';
import { addTo } from '../../base/map-of-lists.ts';
import { BUILT_IN_FORMATS, extensionOf, TEMPLATES } from '../../formats/registry.ts';
import {
  type BaseTree,
  directoryOf,
  type DocumentLayout,
  type PathTemplate,
  sharesMost,
} from '../../frameworks/layout.ts';
import { parseLocale } from '../../languages/locale.ts';
import { languageOfCountry, resolveCountryCode } from '../../languages/rare.ts';
import { isLanguageHolder, LAYOUTS } from '../../frameworks/registry.ts';
import { formatOfFile } from './catalogue.ts';
import type { PassedOverCount } from './passed-over.ts';
import { ODD_READER, PATH_READER, RARE_READER, templateId, type PathReading } from './path-template.ts';

/** Files whose paths differ only in the locale. */
export interface FileSet {
  readonly template: PathTemplate;
  /** By canonical locale. */
  readonly members: ReadonlyMap<string, LocaleFile>;
  /** The file in the source language whose path names no locale. */
  readonly base?: string | undefined;
  /** The layout of a document in all languages; undefined for other files. */
  readonly document?: DocumentLayout;
  /** The source language that a manifest names, if any; canonical. */
  readonly declared?: string | undefined;
  /** Whether no file is in the source language because the keys are the source texts. */
  readonly keysAreTexts?: boolean | undefined;
  /** Files with another name for a language in `members`, such as `mo` next to `ro`. */
  readonly doubles?: readonly string[];
}

export interface LocaleFile {
  readonly path: string;
  readonly spelling: string;
}

/** A set to which files are added. */
export type OpenSet = FileSet & {
  readonly members: Map<string, LocaleFile>;
  readonly doubles: string[];
  base?: string | undefined;
};

/**
 * All file sets below `root`, derived from file names, without resource files that have no texts.
 *
 * @param passedOver receives those files
 */
export function findFileSets(
  root: string,
  paths: readonly string[],
  passedOver: PassedOverCount,
): readonly FileSet[] {
  const sets = new Map<string, OpenSet>();
  const setOf = (template: PathTemplate): OpenSet => {
    const id = templateId(template);
    const set: OpenSet = sets.get(id) ?? { template, members: new Map<string, LocaleFile>(), doubles: [] };
    sets.set(id, set);
    return set;
  };
  const above = basename(root);
  const ambiguous: (PathReading & { readonly path: string })[] = [];
  // By spelling and the directory that holds the languages.
  const ofCountry = new Map<string, string>();
  for (const path of paths) {
    if (TEMPLATES.has(extensionOf(path))) continue;
    const readings = PATH_READER.read(path, above);
    if (readings.length > 0 && isTextless(root, path)) {
      passedOver.add('without_strings', path);
      continue;
    }
    const read = (): string => headOf(root, path);
    for (const reading of readings) {
      const { template, spelling, locale: own } = reading;
      // On strict platforms the code is always a language.
      const locale = template.layout.isStrict === true ? own : resolveCountryCode(spelling, own, read);
      if (locale === undefined) ambiguous.push({ ...reading, path });
      else addMember(setOf(template), locale, { path, spelling });
      if (locale !== undefined && locale !== own) ofCountry.set(placeOf(reading), locale);
    }
  }
  const unclear = new Set<string>();
  for (const { path, ...reading } of ambiguous) {
    // `admin/locales/tw.json`, if it has no texts, is read like `shop/locales/tw.json`.
    const locale = ofCountry.get(placeOf(reading));
    if (locale === undefined) unclear.add(path);
    else addMember(setOf(reading.template), locale, { path, spelling: reading.spelling });
  }
  for (const path of unclear) passedOver.add('odd_locale', path);
  const textless = new Set<string>();
  for (const { path, template } of findBaseFiles(root, paths, sets)) {
    const set = setOf(template);
    const reason = textlessReason(root, path, set);
    if (reason === undefined) set.base ??= path;
    else {
      for (const other of [path, ...pathsOf(set)]) textless.add(other);
      passedOver.add(reason, path);
    }
  }
  addRareMembers(
    sets,
    paths.filter((path) => !unclear.has(path)),
    above,
  );
  for (const set of sets.values()) {
    const ofCountries = dataOfCountries(set, paths, above);
    for (const path of ofCountries) passedOver.add('odd_locale', path);
    const rules = holdsRules(root, set) ? pathsOf(set) : [];
    for (const path of rules) passedOver.add('settings', path);
    if (ofCountries.length + rules.length > 0) set.members.clear();
  }
  return [...sets.values()].flatMap((set): FileSet[] => {
    for (const [locale, { path }] of set.members) if (textless.has(path)) set.members.delete(locale);
    return set.members.size > 0 || set.base !== undefined ? [set] : [];
  });
}

const placeOf = ({ template, spelling }: PathReading): string =>
  `${basename(template.parts[0] ?? '')}/${spelling}`;

/**
 * Files of a set that hold country data: if `zones_us.json` exists with many others such as `zones_nz.json`, then
 * `zones_es.json` is about Spain. `GB.yml` likewise shows that `FR.yml` is about France, except in directories such as
 * `locales`.
 *
 * @param above the name of the directory that the paths are relative to
 */
function dataOfCountries(set: OpenSet, paths: readonly string[], above: string): readonly string[] {
  const [start = '', end = '', ...more] = set.template.parts;
  const spellings = [...set.members.values()].map(({ spelling }) => spelling);
  if (more.length > 0 || !spellings.some((spelling) => languageOfCountry(spelling) !== undefined)) return [];
  const isNamedByCountry = spellings.every((spelling) => /^[A-Z]{2}$/.test(spelling) && isCountry(spelling));
  if (isNamedByCountry && ![above, ...start.split('/')].some(isLanguageHolder)) return allPathsOf(set);
  const countries = paths.filter(
    (path) =>
      path.startsWith(start) &&
      path.endsWith(end) &&
      isOnlyCountry(path.slice(start.length, path.length - end.length)),
  );
  const isSet = countries.length > 1 && countries.length * 4 > spellings.length;
  return isSet ? [...countries, ...allPathsOf(set)] : [];
}

let regions: Intl.DisplayNames | undefined;

function isCountry(code: string): boolean {
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return regions.of(code.toUpperCase()) !== undefined;
}

/** Whether a code names a country, but no language, and is never used for one: `au`, `nz`. */
function isOnlyCountry(code: string): boolean {
  if (!/^[A-Za-z]{2}$/.test(code) || languageOfCountry(code) !== undefined) return false;
  return isCountry(code) && parseLocale(code) === undefined;
}

/** Adds a translation. Of two spellings of its locale, the canonical one is kept, otherwise the first one. */
export function addMember({ members, doubles }: OpenSet, locale: string, file: LocaleFile): void {
  const other = members.get(locale);
  const isCloser = other !== undefined && isOwn(file.spelling, locale) && !isOwn(other.spelling, locale);
  if (!other || isCloser) members.set(locale, file);
  if (other) doubles.push(isCloser ? other.path : file.path);
}

/** Adds files with ambiguous codes to a set that has several languages without them. */
function addRareMembers(sets: ReadonlyMap<string, OpenSet>, paths: readonly string[], above: string): void {
  const sure = new Map([...sets].filter(([, set]) => isSure(set)));
  if (sure.size === 0) return;
  const known = new Set([...sure.values()].flatMap((set) => allPathsOf(set)));
  for (const path of paths) {
    if (known.has(path)) continue;
    for (const { template, spelling, locale } of RARE_READER.read(path, above)) {
      const set = sure.get(templateId(template));
      const { isStrict = false, isSure: isAny = false } = template.layout;
      // Platforms look for codes of languages, not of countries.
      if (set && !((isStrict || isAny) && languageOfCountry(spelling)))
        addMember(set, locale, { path, spelling });
    }
  }
}

/** Whether a set has several languages, in which case its files are certainly named by language. */
export function isSure({ base, members }: FileSet): boolean {
  return members.size + (base === undefined ? 0 : 1) > 1;
}

/** Whether a spelling is the canonical code of its locale, not another name for the language. */
function isOwn(spelling: string, locale: string): boolean {
  return spelling.replaceAll('_', '-').toLowerCase() === locale.toLowerCase();
}

/**
 * Matches translations whose name differs from their source's, such as `values-es/translations.xml` for
 * `values/localazy.xml`: of the files in the same place without a translation, the one that shares the most texts.
 */
export function joinNames(root: string, sets: readonly FileSet[]): readonly FileSet[] {
  const open = sets.filter(
    ({ template, base, members }) => template.layout.textNames && base !== undefined && members.size === 0,
  );
  if (open.length === 0) return sets;
  const joined = new Map<FileSet, FileSet>();
  for (const set of sets) {
    const { template, base } = set;
    const { textNames } = template.layout;
    if (!textNames || base !== undefined) continue;
    const namesIn = (path: string): ReadonlySet<string> => textNames(headOf(root, path));
    const own = namesIn(pathsOf(set)[0] ?? '');
    const source = open.find((other) => {
      if (other.template.parts[0] !== template.parts[0] || joined.has(other)) return false;
      return sharesMost(own, namesIn(other.base ?? ''));
    });
    if (source) joined.set(source, { ...set, base: source.base }).set(set, set);
  }
  return sets.flatMap((set) => {
    const other = joined.get(set);
    return other === set ? [] : (other ?? set);
  });
}

/**
 * Drops files without any language, in a project where other files without a language in their path have translations:
 * such files hold keys or settings, or are not meant to be translated.
 */
export function dropUntranslated(
  sets: readonly FileSet[],
  onDropped: (path: string) => void,
): readonly FileSet[] {
  const isBase = ({ template, base }: FileSet): boolean =>
    template.layout.baseDirectory !== undefined && base !== undefined;
  if (!sets.some((set) => isBase(set) && set.members.size > 0)) return sets;
  return sets.filter((set) => {
    const isKept = !isBase(set) || set.members.size > 0;
    if (!isKept) onDropped(set.base ?? '');
    return isKept;
  });
}

/** Whether a file has no texts, judged by its format: see `FormatDescription.hasTexts`. */
function isTextless(root: string, path: string): boolean {
  const hasTexts = formatOfFile(root, path, BUILT_IN_FORMATS)?.hasTexts;
  if (!hasTexts) return false;
  const head = readHead(join(root, path), LIMIT);
  return head?.isWhole === true && !hasTexts(head.text);
}

/** Whether the files of a set hold rules instead of texts: see `FormatDescription.holdsRules`. */
function holdsRules(root: string, { members }: OpenSet): boolean {
  const [first] = members.values();
  const path = (members.get('en') ?? first)?.path;
  const isRules = path === undefined ? undefined : formatOfFile(root, path, BUILT_IN_FORMATS)?.holdsRules;
  return isRules?.(headOf(root, path ?? '')) === true;
}

/** A file in the source language whose path names no locale, and the paths of its translations. */
interface BaseFile {
  readonly path: string;
  readonly template: PathTemplate;
}

const OF_BASES = LAYOUTS.flatMap((layout) => (layout.base ? [{ layout, base: layout.base }] : []));

/** The source files of a layout whose paths do not name their language: see `Layout.base`. */
function findBaseFiles(
  root: string,
  paths: readonly string[],
  sets: ReadonlyMap<string, FileSet>,
): readonly BaseFile[] {
  const templates = new Map<string, number>();
  const found = new Set<string>();
  for (const path of paths)
    if (TEMPLATES.has(extensionOf(path)))
      templates.set(directoryOf(path), (templates.get(directoryOf(path)) ?? 0) + 1);
  let ends: Map<string, string[]> | undefined;
  let starts: Map<string, string[]> | undefined;
  const tree: BaseTree = {
    hasFiles: (parts) => sets.has(parts.join('\0')),
    startsOf(end) {
      starts ??= groupParts(sets.values(), ([start = '', other = '']) => [other, start]);
      return starts.get(end) ?? [];
    },
    endsOf(start) {
      ends ??= groupParts(sets.values(), ([other = '', end = '']) => [other, end]);
      return ends.get(start) ?? [];
    },
    // `Text.sr-SP.resx` next to `Text.resx` is a translation, even if its language is unknown.
    namesLanguage: (path) => PATH_READER.read(path).length > 0 || /[_-]/.test(oddNameIn(path)),
    templatesBeside: (path) => templates.get(directoryOf(path)) ?? 0,
    head: (path) => headOf(root, path),
    headsWithoutBase(parts) {
      const set = found.has(parts.join('\0')) ? undefined : sets.get(parts.join('\0'));
      return set ? pathsOf(set).slice(0, READ).map(tree.head) : [];
    },
  };
  const deepestFirst = paths.toSorted((a, b) => directoryOf(b).length - directoryOf(a).length);
  return deepestFirst.flatMap((path): BaseFile[] => {
    for (const { layout, base } of OF_BASES) {
      const parts = base(path, tree);
      if (!parts) continue;
      found.add(parts.join('\0'));
      return [{ path, template: { parts, layout } }];
    }
    return [];
  });
}

/** The beginning of a file; empty if it is unreadable. */
export function headOf(root: string, path: string): string {
  return readHead(join(root, path), LIMIT)?.text ?? '';
}

/** How many catalogues are compared with the messages of a template: a single one may be outdated. */
const READ = 5;

/**
 * Groups paths that name their language once: `entryOf` returns a group and its member, given the parts around the
 * language.
 */
function groupParts(
  sets: Iterable<FileSet>,
  entryOf: (parts: readonly string[]) => readonly [string, string],
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { template } of sets) if (template.parts.length === 2) addTo(groups, ...entryOf(template.parts));
  return groups;
}

/** The name in a path that looks like a language code but is not one. */
function oddNameIn(path: string): string {
  return ODD_READER.read(path)[0]?.spelling ?? '';
}

function textlessReason(
  root: string,
  path: string,
  { template, members }: FileSet,
): 'without_strings' | 'settings' | undefined {
  const read = (): ReturnType<typeof readHead> => readHead(join(root, path), LIMIT);
  return template.layout.textlessReason?.({ path, languages: members.size, read });
}

/** The files of a set whose paths name a locale. */
export function pathsOf({ members }: FileSet): readonly string[] {
  return [...members.values()].map(({ path }) => path);
}

/** The files of a set whose paths name a locale, including further files in the same language. */
export function allPathsOf(set: FileSet): readonly string[] {
  return [...pathsOf(set), ...(set.doubles ?? [])];
}

/** Resources and bundles rarely reach a tenth of this. The rest of a larger file is assumed to contain texts. */
const LIMIT = 1 << 20;
