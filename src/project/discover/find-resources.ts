import { basename, join } from 'node:path';
import {
  CODE_EXTENSIONS,
  describeFormat,
  extensionOf,
  formatOfPath,
  knownExtensions,
  NAME_STYLES,
  SHARED_EXTENSIONS,
} from '../../formats/registry.ts';
import type { Configuration, FileRule } from '../config/configuration.ts';
import { compileGlob } from '../config/glob.ts';
import { applyMultilingualRule, applyRule, configuredLocales } from './configured-layout.ts';
import { findDocumentSets, isDocument } from './documents.ts';
import { findFileSets, pathsOf, type FileSet } from './layout.ts';
import { loneFiles, nothingFound, type PassedOver, PassedOverCount } from './passed-over.ts';
import {
  namedSource,
  isMultilingualPath,
  multilingualResource,
  type MultilingualFile,
} from './multilingual.ts';
import { makePlaceReader, isSuffixedWithLocale } from './path-language.ts';
import {
  type Convention,
  fillTemplate,
  makeSpeller,
  type Speller,
  type SpellingRules,
} from './path-template.ts';
import type { Resource } from './resource.ts';
import {
  chooseSource,
  chooseSourceOfSets,
  chooseSources,
  sourceCandidates,
  translationsOf,
  type SourcedSet,
  findWrittenByI18n,
} from './source-choice.ts';
import { isSiteConfiguration, isSiteSettings } from './sites.ts';
import { walk, type FileTree } from './walk.ts';
import { readHead } from '../../base/file-head.ts';

/** The files to translate, and their source language. */
export interface FoundResources {
  /** Canonical. */
  readonly source: string;
  readonly resources: readonly Resource[];
  /** The locales of files in the selection, by which they could be sources; empty where a configuration says. */
  readonly candidates: readonly string[];
  /** Files below the selected paths that look like localization and are not translated. */
  readonly passedOver: readonly PassedOver[];
}

/** Says whether a file, relative to the root, is one of those that the command is about. */
export type Selects = (path: string) => boolean;

export interface ResourceSearch {
  readonly root: string;
  readonly configuration: Configuration;
  readonly tree: ListedTree;
  /** The files of the tree that hold all languages, by path. */
  readonly multilingual: ReadonlyMap<string, MultilingualFile>;
  /** The source language, canonical; undefined: it is found out. */
  readonly wished: string | undefined;
  /** The files from which the source language is detected, and among which skipped files are counted. */
  readonly selects: Selects;
  /** Target languages that flag, configuration or lock name, canonical. */
  readonly targets: readonly string[];
  /** What was asked for, absolute. */
  readonly paths: readonly string[];
}

/** The files that may be localization files. */
export interface ListedTree extends FileTree {
  /** In formats that are not supported. */
  readonly unsupported: readonly string[];
  /** Running text. None, where the configuration names files. */
  readonly documents: readonly string[];
  /** The configurations of generators of sites. */
  readonly sites: readonly string[];
}

/**
 * The files below a directory that may be localization files by its configuration or their names.
 *
 * @param selected paths asked for, relative with slashes, the empty one for the whole root
 * @param name of files to be listed besides
 * @throws DragomanError as `walk`.
 */
export function listTree(
  root: string,
  configuration: Configuration,
  selected: readonly string[],
  name: string,
): ListedTree {
  const { files: rules = [], include = [] } = configuration;
  const own = rules.map((rule) => /\.([^./*?{}]+)$/.exec(rule.source)?.[1]?.toLowerCase() ?? '');
  const texts = knownExtensions().filter(
    (name) => !SHARED_EXTENSIONS.has(name) && !CODE_EXTENSIONS.has(name),
  );
  const known = new Set([...texts, ...own.filter(Boolean)]);
  const isRecognized = makeRecognizer(root);
  const isInPlace = makePlaceReader(basename(root));
  const isUnsupported = makeUnsupportedReader(root);
  const unsupported = new Set<string>();
  const documents = new Set<string>();
  const sites = new Set<string>();
  // Directories that a pattern names before its first wildcard are always searched, even those whose names are
  // usually skipped.
  const patterns = [...include, ...rules.flatMap(({ source, target }) => [source, target])];
  const tree = walk(root, {
    name,
    asked: [...selected, ...patterns.map(literalDirectory)],
    wants: (path, isFile) => {
      const extension = extensionOf(path);
      if (isFile && isSiteConfiguration(path)) sites.add(path);
      if (known.has(extension)) return true;
      if (isDocument(path)) {
        if (isFile) documents.add(path);
        return isFile && configuration.files === undefined;
      }
      const namesTexts = CODE_EXTENSIONS.get(extension);
      if (namesTexts && (isInPlace(path) || namesTexts(path))) return true;
      if (!isFile) return false;
      if (isRecognized(path)) return true;
      if (!isUnsupported(path)) return false;
      unsupported.add(path);
      return true;
    },
  });
  return {
    ...tree,
    files: tree.files.filter((path) => !unsupported.has(path) && !documents.has(path)),
    unsupported: tree.files.filter((path) => unsupported.has(path)),
    documents: tree.files.filter((path) => documents.has(path)),
    sites: [...sites].sort(),
  };
}

/**
 * The localization files below a directory: those that its configuration describes, else those that its layout shows.
 *
 * @throws DragomanError `configuration` when files or source cannot be found out; the message names the candidates.
 */
export function findResources(search: ResourceSearch): FoundResources {
  const { root, configuration } = search;
  const discovery = new Discovery(search);
  const found = configuration.files ? discovery.configured(configuration.files) : discovery.discovered();
  const included = firstOfEach(found.resources.filter(includedBy(configuration)));
  const passedOver = discovery.passedOver.list();
  if (included.length === 0)
    throw nothingFound(root, {
      source: found.source,
      passedOver,
      nested: search.tree.nested,
      paths: search.paths,
      lone: loneFiles(search),
    });
  return { ...found, resources: included, passedOver };
}

type SelectedResources = Omit<FoundResources, 'passedOver'>;

/** The results of one look at the tree. */
class Discovery {
  readonly passedOver: PassedOverCount;
  readonly #search: ResourceSearch;
  readonly #spelling: SpellingRules;

  constructor(search: ResourceSearch) {
    this.#search = search;
    const { configuration, tree, selects } = search;
    const excluded = configuration.exclude?.map(compileGlob) ?? [];
    this.#spelling = { locales: configuration.locales, style: configuration.localeStyle };
    this.passedOver = new PassedOverCount(
      (path) => selects(path) && !excluded.some((glob) => glob.matches(path)),
    );
    for (const path of tree.unsupported) this.passedOver.add('not_supported', path);
  }

  configured(rules: readonly FileRule[]): SelectedResources {
    const { root, tree, wished, selects, multilingual } = this.#search;
    const inTests = tree.aside.filter(({ reason }) => reason === 'test_directory' || reason === 'export');
    // The rules decide themselves which tests and exports they mean.
    const paths = [...tree.files, ...inTests.map(({ path }) => path)].sort();
    const locales = configuredLocales(paths.filter(selects), rules);
    const declared = locales.length === 0 ? namedSource([...multilingual.values()]) : undefined;
    const source = wished ?? declared ?? chooseSource(locales, true);
    const resources = rules.flatMap((rule) =>
      isMultilingualPath(rule.source)
        ? applyMultilingualRule(rule, { files: multilingual, source, spelling: this.#spelling })
        : applyRule(root, rule, paths, source, this.#spelling),
    );
    return { source, resources, candidates: [] };
  }

  discovered(): SelectedResources {
    const { root, tree, wished, selects, targets, multilingual, paths } = this.#search;
    this.#countAside(tree);
    const files = tree.files.filter((path) => !isMultilingualPath(path) && !isSiteSettings(path));
    const documents = findDocumentSets(root, { ...tree, files });
    const ofDocuments = new Set(documents.flatMap(pathsOf));
    const others = files.filter((path) => !ofDocuments.has(path));
    const sets = [...findFileSets(root, others, this.passedOver), ...documents];
    // What lies outside of the paths asked for has no say in what their source language is.
    const selected = sets.filter((set) => isSelected(set, selects));
    const ofAll = [...multilingual.values()];
    const source =
      wished ??
      chooseSourceOfAll(
        root,
        selected,
        ofAll.filter(({ path }) => selects(path)),
      );
    const multilingualResources = this.#multilingualResources(ofAll, source);
    const sourced = chooseSources(root, sets, source);
    const written = findWrittenByI18n(root, files, sourced, source, targets);
    for (const path of written) this.passedOver.add('written_by_i18n', path);
    const chosen =
      written.size === 0
        ? sourced
        : sourced.filter((set) => !written.has(set.source)).map((set) => without(set, written));
    this.#countWithoutSource(sets, chosen, written);
    const candidates = [
      ...new Set([...sourceCandidates(selected), ...ofAll.flatMap(({ spellings }) => [...spellings.keys()])]),
    ];
    if (chosen.length + multilingualResources.length === 0) {
      const passedOver = this.passedOver.list();
      const lone = loneFiles(this.#search);
      throw nothingFound(root, { source: wished, candidates, passedOver, nested: tree.nested, paths, lone });
    }
    const spellings = chosen.flatMap((set) =>
      set.document ? [] : [...set.members.values()].map((member) => member.spelling),
    );
    const speller = makeSpeller(spellings, this.#spelling);
    const resources = [...chosen.map((set) => toResource(set, source, speller)), ...multilingualResources];
    return { source, resources: resources.sort((a, b) => (a.source < b.source ? -1 : 1)), candidates };
  }

  /** Files of these kinds without languages are not supported; those of another source language have no source here. */
  #multilingualResources(files: readonly MultilingualFile[], source: string): readonly Resource[] {
    const { root, tree, multilingual } = this.#search;
    const isInPlace = makePlaceReader(basename(root));
    for (const path of tree.files)
      if (isMultilingualPath(path) && !multilingual.has(path) && isInPlace(path))
        this.passedOver.add('not_supported', path);
    return files.flatMap((file) => {
      const resource = multilingualResource(file, source, this.#spelling);
      if (!resource) this.passedOver.add('without_source', file.path);
      return resource ?? [];
    });
  }

  /** Of tests, build output and the like only what would have been looked at elsewhere. */
  #countAside({ aside, isCut }: FileTree): void {
    const isInPlace = makePlaceReader(basename(this.#search.root));
    for (const { path, reason } of aside) {
      if (looksLocalized(path, isInPlace)) this.passedOver.add(reason, path);
    }
    if (!isCut) return;
    this.passedOver.cutShort('build_output');
    this.passedOver.cutShort('vendored');
  }

  #countWithoutSource(
    sets: readonly FileSet[],
    chosen: readonly SourcedSet[],
    written: ReadonlySet<string>,
  ): void {
    // Where every set has a source, there is nothing to look for.
    if (chosen.length === sets.length && written.size === 0) return;
    const known = new Set(chosen.flatMap((set) => [set.source, ...translationsOf(set)]));
    const isInPlace = makePlaceReader(basename(this.#search.root));
    const isMeant = ({ document }: FileSet, path: string): boolean =>
      // A document that belongs to a layout is a translation.
      document !== undefined || looksLocalized(path, isInPlace);
    for (const set of sets)
      for (const path of pathsOf(set))
        if (!known.has(path) && !written.has(path) && isMeant(set, path))
          this.passedOver.add('without_source', path);
  }
}

/** Where a layout leaves the source language open, the files that hold all languages and name it decide. */
function chooseSourceOfAll(
  root: string,
  sets: readonly FileSet[],
  files: readonly MultilingualFile[],
): string {
  const declared = namedSource(files);
  if (sets.length > 0) {
    const isCandidate = declared !== undefined && sourceCandidates(sets).includes(declared);
    return isCandidate ? declared : chooseSourceOfSets(root, sets);
  }
  if (declared !== undefined || files.length === 0) return declared ?? chooseSourceOfSets(root, sets);
  return chooseSource([...new Set(files.flatMap(({ spellings }) => [...spellings.keys()]))], false);
}

/** Any JSON, YAML or XML file may have a locale in its name; files of other formats are of localization alone. */
function looksLocalized(path: string, isInPlace: (path: string) => boolean): boolean {
  const format = formatOfPath(path);
  if (format === undefined) return true;
  const { isProse, namesTexts } = describeFormat(format);
  // Documents that nobody translates stand everywhere.
  if (isProse) return false;
  return isInPlace(path) || (CODE_EXTENSIONS.get(extensionOf(path)) ?? namesTexts)?.(path) === true;
}

/** The directory that a pattern names before its first wildcard. */
function literalDirectory(pattern: string): string {
  const [literal = ''] = /^[^*?{}[\]()\\]*/.exec(pattern) ?? [];
  return literal.slice(0, Math.max(literal.lastIndexOf('/'), 0));
}

function isSelected({ base, members }: FileSet, selects: Selects): boolean {
  if (base !== undefined && selects(base)) return true;
  for (const { path } of members.values()) if (selects(path)) return true;
  return false;
}

function without(set: SourcedSet, paths: ReadonlySet<string>): SourcedSet {
  return { ...set, members: new Map([...set.members].filter(([, { path }]) => !paths.has(path))) };
}

function toResource(set: SourcedSet, sourceLocale: string, speller: Speller): Resource {
  const members = [...set.members].filter(
    ([locale, { path }]) => (set.carriesSource || path !== set.source) && locale !== sourceLocale,
  );
  const { spellings = new Map<string, string>() } = set.document ?? {};
  const own = [...[...set.members.values()].map((member) => member.spelling), ...spellings.values()];
  const spell = speller(conventionOf(set), own);
  const spelling = (locale: string): string =>
    set.members.get(locale)?.spelling ?? spellings.get(locale) ?? spell(locale);
  return {
    source: set.source,
    sourceLocale,
    format: set.format,
    carriesSource: set.carriesSource,
    existing: new Map(members.map(([locale, { path }]) => [locale, path])),
    languages: set.document && new Set([...spellings.keys()].filter((locale) => locale !== sourceLocale)),
    spelling,
    targetPath: (locale) => set.members.get(locale)?.path ?? fillTemplate(set.template, spelling(locale)),
  };
}

/** The convention of a path, unless that is the one of another format with the same extension. */
function conventionOf({ source, format, template: { convention } }: SourcedSet): Convention {
  const extension = extensionOf(source);
  const isForeign =
    convention === NAME_STYLES.get(extension) && describeFormat(format).nameStyles?.[extension] === undefined;
  return isForeign ? 'none' : convention;
}

function includedBy({ include, exclude }: Configuration): (resource: Resource) => boolean {
  const wanted = include?.map(compileGlob);
  const unwanted = exclude?.map(compileGlob) ?? [];
  return ({ source }) =>
    (wanted?.some((glob) => glob.matches(source)) ?? true) && !unwanted.some((glob) => glob.matches(source));
}

/** Where several rules match a file, the first one decides. */
function firstOfEach(resources: readonly Resource[]): readonly Resource[] {
  const seen = new Set<string>();
  return resources.filter(({ source }) => !seen.has(source) && seen.add(source));
}

/** Formats of localization alone. */
const LOCALIZATION = new Set(['wxl']);

/** Files of these kinds hold localization where a directory or a name says so. */
const BY_PLACE = new Set(['lang', 'dtd']);

/** What may end in a locale. A project has ten thousand `.ts` files, and one look at a name is enough for most. */
const SUFFIXED = /[._-][a-z]{2,3}(?:[_-][A-Za-z]{2,4})?(?:@[a-z]+)?\.[a-z]+$/;

/** The number of files with a locale in their name, and an extension of other programs, that are opened. */
const MAX_OPENED = 300;

/** Returns a test for files that are of a format although other programs have files with their extension. */
function makeRecognizer(root: string): (path: string) => boolean {
  let opened = 0;
  return (path) => {
    const recognizes = SHARED_EXTENSIONS.get(extensionOf(path));
    if (!recognizes || !SUFFIXED.test(path) || !isSuffixedWithLocale(path) || ++opened > MAX_OPENED)
      return false;
    return recognizes(readHead(join(root, path), 512)?.text ?? '', path);
  };
}

/** Returns a test for files that look like localization in an unsupported format. */
function makeUnsupportedReader(root: string): (path: string) => boolean {
  const isInPlace = makePlaceReader(basename(root));
  return (path) => {
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    if (LOCALIZATION.has(extension)) return true;
    return BY_PLACE.has(extension) && isInPlace(path);
  };
}
