import { BUILT_IN_FORMATS, CODE_EXTENSIONS, extensionOf } from '../../formats/registry.ts';
import { subtitleFormatOfPath } from '../../formats/subtitles/names.ts';
import { resolveCountryCode } from '../../languages/rare.ts';
import type { FrameworkEvidence } from '../../frameworks/evidence.ts';
import {
  ANY_LAYOUT,
  type DocumentPlace,
  type DocumentRule,
  type PathTemplate,
} from '../../frameworks/layout.ts';
import { isLanguageHolder } from '../../frameworks/registry.ts';
import { folderRule, readSuffix, spellingsOf, type Suffixed } from '../../frameworks/site.ts';
import { isWord, isWordPair, parseDocumentLocale } from '../../languages/words.ts';
import { addMember, type FileSet, headOf, type OpenSet, pathsOf } from './layout.ts';
import { fillTemplate, templateId } from './path-template.ts';
import { compileGlob } from '../config/glob.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Whether a file is running text, judged by its name: a page or subtitles. */
export function isDocument(path: string): boolean {
  if (isSubtitles(path)) return true;
  return CODE_EXTENSIONS.has(extensionOf(path)) && BUILT_IN_FORMATS.ofPath(path)?.isProse === true;
}

function isSubtitles(path: string): boolean {
  return subtitleFormatOfPath(path) !== undefined;
}

/** How many pages in a directory are read to determine its language. */
const READ = 5;

/** Documents that are skipped unless a translation exists, because they are rarely translated. */
const OF_PROJECT =
  /^(?:changelog|licen[cs]e|code[_-]of[_-]conduct)|^(?:AUTHORS|CHANGES|COPYING|HISTORY|NOTICE)\b/i;

/** The input for finding document layouts. Paths are relative to the root and sorted. */
interface DocumentTree {
  readonly root: string;
  readonly documents: readonly string[];
  /** Other files that may be localization. */
  readonly files: readonly string[];
  readonly evidence: FrameworkEvidence;
  /** Receives documents whose language code is unclear, and those that their site excludes. */
  readonly onSkipped: (reason: 'odd_locale' | 'excluded_by_site', path: string) => void;
}

/**
 * Documents that a layout marks for translation. Documents can be anywhere, so only those that the configuration of a
 * site generator includes, or that have a translation next to them, are marked.
 */
export async function findDocumentSets(tree: DocumentTree): Promise<{
  readonly sets: readonly FileSet[];
  /** Data files among a site's pages in one language, which the pages display, such as examples. */
  readonly shown: readonly string[];
}> {
  const { documents, files, evidence } = tree;
  const pages = documents.filter((path) => !isSubtitles(path));
  const open = new Set(pages);
  const others = new Set(files);
  const sets: FileSet[] = [];
  const ofSites = pages.length + files.length > 0 ? await evidence.documentRules(pages) : [];
  for (const rule of ofSites)
    sets.push(...takeSets(rule, rule.hasFiles === true ? [open, others] : [open], tree));
  const folders = folderRules([...open]);
  for (const { rule } of folders) sets.push(...takeSets(rule, [open], tree));
  for (const rule of suffixRules(open)) sets.push(...takeSets(rule, [open], tree));
  // Subtitles often lie among the pages of a site, but its generator does not handle them.
  const subtitles = new Set(documents.filter(isSubtitles));
  for (const { rule } of folderRules([...subtitles])) sets.push(...takeSets(rule, [subtitles], tree));
  for (const rule of suffixRules(subtitles)) sets.push(...takeSets(rule, [subtitles], tree));
  const isOfPages = (path: string): boolean =>
    ofSites.some(({ hasFiles, isShown, placeOf }) =>
      hasFiles ? isShown?.(path) : placeOf(path)?.spelling !== undefined,
    );
  const isData = (path: string): boolean =>
    folders.some(({ rule, hasTexts }) => !hasTexts && isInOneLanguage(rule, path, others));
  return { sets, shown: [...others].filter((path) => isOfPages(path) || isData(path)) };
}

/** Whether a file is in one language's directory and exists in no other language. */
function isInOneLanguage(
  { placeOf, spellings }: DocumentRule,
  path: string,
  files: ReadonlySet<string>,
): boolean {
  const { spelling, template } = placeOf(path) ?? {};
  if (spelling === undefined || !template) return false;
  return [...spellings.values()].every(
    (other) => other === spelling || !files.has(fillTemplate(template, other)),
  );
}

/** See `DocumentRule.excluded`. A site generator's pattern that cannot be read matches nothing. */
function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.flatMap((pattern) => {
    const isException = pattern.startsWith('!');
    try {
      return { isException, glob: compileGlob(pattern.slice(isException ? 1 : 0)) };
    } catch {
      return [];
    }
  });
  return (path) => globs.findLast(({ glob }) => glob.matches(path))?.isException === false;
}

type PlacedDocument = DocumentPlace & { readonly path: string };

/** @param open the files that do not belong to a layout yet, by kind */
function takeSets(
  rule: DocumentRule,
  open: readonly Set<string>[],
  { root, onSkipped }: DocumentTree,
): readonly FileSet[] {
  const isExcluded = matcherOf(rule.excluded ?? []);
  const placed = open.flatMap((paths) =>
    [...paths].flatMap((path): PlacedDocument | readonly PlacedDocument[] => {
      const place = rule.placeOf(path);
      if (!place || !isExcluded(path)) return place ? { ...place, path } : [];
      paths.delete(path);
      onSkipped('excluded_by_site', path);
      return [];
    }),
  );
  const locales = readLocales(rule, placed, root);
  for (const { path, spelling } of placed)
    if (spelling !== undefined && !locales.has(spelling)) onSkipped('odd_locale', path);
  const known = [...rule.spellings.values()].filter((spelling) => locales.has(spelling));
  if (known.length === 0 && rule.spellings.size > 0) return [];
  // Of two spellings, the first one is used.
  const spellings = new Map(known.toReversed().map((spelling) => [locales.get(spelling) ?? '', spelling]));
  const document = { ...rule, spellings };
  const sets = new Map<string, OpenSet>();
  for (const { path, template, spelling } of placed) {
    for (const paths of open) paths.delete(path);
    const locale = spelling === undefined ? undefined : locales.get(spelling);
    if (spelling !== undefined && locale === undefined) continue;
    const id = templateId(template);
    const set: OpenSet = sets.get(id) ?? { template, members: new Map(), doubles: [], document };
    sets.set(id, set);
    if (spelling === undefined || locale === undefined) set.base = path;
    else addMember(set, locale, { path, spelling });
  }
  return [...sets.values()].filter((set) => {
    const [path = '', ...more] = [...(set.base === undefined ? [] : [set.base]), ...pathsOf(set)];
    return more.length > 0 || !OF_PROJECT.test(path.slice(path.lastIndexOf('/') + 1));
  });
}

/**
 * The languages that these spellings denote. Spellings may be names of directories or codes of countries; unclear ones
 * are left out.
 */
function readLocales(
  { spellings }: DocumentRule,
  placed: readonly PlacedDocument[],
  root: string,
): ReadonlyMap<string, string> {
  const locales = new Map([...spellings].map(([locale, spelling]) => [spelling, locale]));
  const paths = new Map<string, string[]>();
  for (const { path, spelling } of placed) if (spelling !== undefined) addTo(paths, spelling, path);
  for (const [spelling, own] of paths) {
    const code = parseDocumentLocale(spelling);
    const named = locales.get(spelling) ?? code;
    const read = (): string =>
      own
        .slice(0, READ)
        .map((path) => headOf(root, path))
        .join('\n');
    const locale = named !== undefined && named === code ? resolveCountryCode(spelling, named, read) : named;
    if (locale === undefined) locales.delete(spelling);
    else locales.set(spelling, locale);
  }
  return locales;
}

/** Directories of documents, whose subdirectories contain translations if their name is a language code. */
const OF_DOCUMENTS =
  /^(?:_?posts?|blog|captions?|content|docs?|documentation|guides?|handbook|manual|pages|site|subs|subtitles?|website|wiki)$/i;

/** Directories with one subdirectory per language. */
interface FolderRule {
  readonly rule: DocumentRule;
  /** Whether other files there are translated too, and are not just content that the pages display. */
  readonly hasTexts: boolean;
}

/** Outermost first. */
export function folderRules(paths: readonly string[]): readonly FolderRule[] {
  const known = new Set(paths);
  const holders = new Map<string, Map<string, string[]>>();
  for (const path of paths) {
    for (let start = 0, end = path.indexOf('/'); end >= 0; start = end + 1, end = path.indexOf('/', start)) {
      const spelling = path.slice(start, end);
      if (parseDocumentLocale(spelling) === undefined) continue;
      const directory = path.slice(0, Math.max(0, start - 1));
      const languages = holders.get(directory) ?? new Map<string, string[]>();
      holders.set(directory, languages);
      const rest = path.slice(end + 1);
      addTo(languages, spelling, rest);
    }
  }
  return [...holders]
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .flatMap(([directory, languages]) => folderRuleOf(directory, languages, known) ?? []);
}

/** @param languages the documents below each language, relative to its directory */
function folderRuleOf(
  directory: string,
  languages: ReadonlyMap<string, readonly string[]>,
  known: ReadonlySet<string>,
): FolderRule | undefined {
  const start = directory === '' ? '' : `${directory}/`;
  const name = directory.slice(directory.lastIndexOf('/') + 1);
  const codes = [...languages.keys()];
  const isShared = (spelling: string, page: string): boolean =>
    codes.some((other) => other !== spelling && known.has(`${start}${other}/${page}`));
  const isBase = OF_DOCUMENTS.test(name);
  const isBased = (page: string): boolean => isBase && known.has(start + page);
  const hasRegions = codes.some((spelling) => /[-_]/.test(spelling) && !isWordPair(spelling));
  const own = [...languages].filter(([spelling, pages]) => {
    if (isWordPair(spelling) && !hasRegions) return false;
    const isTranslated = pages.some((page) => isShared(spelling, page) || isBased(page));
    return isTranslated || isLanguageHolder(name) || (!isWord(spelling) && isBase);
  });
  const shown = own.filter(
    ([spelling, pages]) =>
      !isWord(spelling) && pages.some((page) => isShared(spelling, page) || isBased(page)),
  );
  if (shown.length === 0 && !isLanguageHolder(name)) return undefined;
  const hasBase = shown.some(([, pages]) => pages.some(isBased));
  const spellings = spellingsOf(own.map(([spelling]) => spelling));
  return { rule: folderRule(directory, { spellings }, hasBase), hasTexts: isLanguageHolder(name) };
}

/** READMEs, whose translations are named in several ways: `README.es.md`, `README_es.md`, `README-es.md`. */
const README = /(?:^|\/)readme$/i;

/** Directories for translated READMEs, besides those for documents and languages. */
const OF_READMES = /^(?:readmes?|resources)$/i;

/**
 * Each document with translations next to it is a separate layout, because its neighbours may exist in one language
 * only.
 */
function suffixRules(open: ReadonlySet<string>): readonly DocumentRule[] {
  const found = new Map<string, Suffixed[]>();
  const neighbours = new Map<string, number>();
  for (const path of open) {
    const suffixed = readSuffix(path);
    if (suffixed) addTo(found, idOf(suffixed), suffixed);
    else for (const id of layoutsOfNeighbours(path)) neighbours.set(id, (neighbours.get(id) ?? 0) + 1);
  }
  return [...found].flatMap(([id, members]): DocumentRule | readonly DocumentRule[] => {
    const [{ stem, separator, extension } = { stem: '', separator: '', extension: '' }] = members;
    const isReadme = README.test(stem);
    const base = (isReadme ? readmeAbove : beside)(stem, extension, open);
    const isOfMembers = (neighbours.get(id) ?? 0) > members.length;
    const sure = members.filter(
      ({ spelling }) => isReadme || !(isWord(spelling) || (isOfMembers && LIKE_MEMBER.test(spelling))),
    );
    // `guide-ml.md` next to `guide.md` may be about a topic (machine learning).
    const wanted = (separator === '.' || isReadme ? 1 : 2) + (base === undefined ? 1 : 0);
    if (sure.length < wanted) return [];
    const spellings = spellingsOf(sure.map(({ spelling }) => spelling));
    const template: PathTemplate = { parts: [stem + separator, `.${extension}`], layout: ANY_LAYOUT };
    const places = new Map<string, DocumentPlace>(
      sure.map(({ spelling }) => [template.parts.join(spelling), { template, spelling }]),
    );
    if (base !== undefined) places.set(base, { template });
    return { spellings, placeOf: (path) => places.get(path) };
  });
}

/**
 * `Clock.Zone.md`, `Clock.In.md` and `Clock.To.md` are about members of `Clock`; language codes are rarely capitalized.
 */
const LIKE_MEMBER = /^[A-Z][a-z]/;

/** The ids of the layouts in which a page would be a translation if its name ended with a language. */
function layoutsOfNeighbours(path: string): readonly string[] {
  const dot = path.lastIndexOf('.');
  const start = path.lastIndexOf('/') + 1;
  return [...path.slice(start, dot).matchAll(/[._-]/g)].map(({ index, 0: separator }) =>
    idOf({ stem: path.slice(0, start + index), separator, extension: path.slice(dot + 1) }),
  );
}

function idOf({ stem, separator, extension }: Omit<Suffixed, 'spelling'>): string {
  return `${stem}\0${separator}\0${extension}`;
}

function beside(stem: string, extension: string, open: ReadonlySet<string>): string | undefined {
  const base = `${stem}.${extension}`;
  return open.has(base) ? base : undefined;
}

/** The README next to translations, or above the directory that holds them: `README.md` for `docs/README.es.md`. */
function readmeAbove(stem: string, extension: string, open: ReadonlySet<string>): string | undefined {
  const own = beside(stem, extension, open);
  const [name = '', holder, ...above] = stem.split('/').reverse();
  const isHolder =
    holder !== undefined &&
    ([OF_DOCUMENTS, OF_READMES].some((names) => names.test(holder)) || isLanguageHolder(holder));
  return own ?? (isHolder ? readmeAbove([name, ...above].reverse().join('/'), extension, open) : undefined);
}
