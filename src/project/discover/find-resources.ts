import { basename, join } from 'node:path';
import { CODE_EXTENSIONS, extensionOf, type Formats } from '../../formats/registry.ts';
import { ANY_LAYOUT, type Layout } from '../../frameworks/layout.ts';
import type { Configuration, FileRule } from '../config/configuration.ts';
import { compileGlob } from '../config/glob.ts';
import { formatOfFile, hasTextsAsKeys, listsRecords, mayHaveTexts, reasonToSkip } from './catalogue.ts';
import { applyMultilingualRule, applyRule, configuredLocales } from './configured-layout.ts';
import { findDocumentSets } from './documents.ts';
import { dropUntranslated, allPathsOf, findFileSets, joinNames, pathsOf, type FileSet } from './layout.ts';
import { loneFiles, nothingFound, type PassedOver, PassedOverCount } from './passed-over.ts';
import {
  namedSource,
  isMultilingualPath,
  multilingualResource,
  type MultilingualFile,
} from './multilingual.ts';
import { sameLanguage } from '../../languages/locale.ts';
import { findOddLocales } from './odd-locales.ts';
import { makePlaceReader } from './path-language.ts';
import { fillTemplate } from './path-template.ts';
import { type Resource, type ResourceFiles, withFramework } from './resource.ts';
import {
  chooseSource,
  chooseSourceOfSets,
  chooseSources,
  sourceCandidates,
  translationsOf,
  type SourcedSet,
  findWrittenByI18n,
  mayBeForeign,
} from './source-choice.ts';
import { makeSpeller, type Speller, type SpellingRules } from './speller.ts';
import type { FileTree } from './walk.ts';
import type { ListedTree } from './listed-tree.ts';

/** The files to translate and their source language. */
export interface FoundResources {
  /** Canonical. */
  readonly source: string;
  readonly resources: readonly Resource[];
  /** The locales of selected files that could be sources; empty if a configuration names the source. */
  readonly candidates: readonly string[];
  /** Files below the selected paths that look like localization but are not translated. */
  readonly passedOver: readonly PassedOver[];
}

/** Whether the command covers a file. The path is relative to the root. */
export type PathSelector = (path: string) => boolean;

export interface ResourceSearch {
  readonly root: string;
  readonly configuration: Configuration;
  readonly formats: Formats;
  readonly tree: ListedTree;
  /** The multilingual files in the tree, by path. */
  readonly multilingual: ReadonlyMap<string, MultilingualFile>;
  /** The source language, canonical; undefined if it must be detected. */
  readonly wanted: string | undefined;
  /** Selects the files that determine the source language; skipped files are only counted among them. */
  readonly selects: PathSelector;
  /** Target languages from a flag, the configuration or the lock, canonical. */
  readonly targets: readonly string[];
  /** The requested paths, absolute. */
  readonly paths: readonly string[];
}

/**
 * The localization files below a directory, described by its configuration or recognized by their layout.
 *
 * 1. manifests: collected by `listTree` during its walk; each is read when a file below it is examined
 * 2. frameworks: their descriptions contain the layouts, and the files and pages that manifests name
 *   (`src/frameworks/`)
 * 3. sets of files that differ only in their language (`Discovery.#setsOf`)
 * 4. the source of each set (`Discovery.#sourcedSets`); sets without one are reported as skipped
 * 5. resources: a source with its targets (`toResource`), and how its framework reads both (`withFramework`)
 *
 * @throws DragomanError `configuration` if files or source cannot be determined; the message names the candidates
 */
export async function findResources(search: ResourceSearch): Promise<FoundResources> {
  const { root, configuration } = search;
  const discovery = new Discovery(search);
  const found = configuration.files
    ? discovery.configured(configuration.files)
    : await discovery.discovered();
  const included = firstOfEach(found.resources.filter(includedBy(configuration)));
  for (const { existing, languages, sourceLocale, source } of included)
    for (const [locale, path] of languages ? [] : existing)
      if (path !== source && locale !== sourceLocale && sameLanguage(locale, sourceLocale))
        if (!search.targets.includes(locale)) discovery.passedOver.add('source_variant', path);
  const passedOver = discovery.passedOver.list();
  if (included.length === 0) {
    const { wanted, formats, paths, tree } = search;
    // Naming another source does not help if the configuration excludes all files.
    const missed =
      found.resources.length > 0
        ? { source: found.source }
        : { source: wanted, candidates: found.candidates };
    const { nested } = tree;
    throw nothingFound(root, { ...missed, passedOver, nested, formats, paths, lone: loneFiles(search) });
  }
  const evidence = search.tree.evidence;
  const resources = await Promise.all(included.map((one) => withFramework(one, evidence, configuration)));
  return { ...found, resources, passedOver };
}

type SelectedResources = Omit<FoundResources, 'passedOver' | 'resources'> & {
  readonly resources: readonly ResourceFiles[];
};

/** The results of one pass over the tree. */
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
    const { root, formats, tree, wanted, selects, multilingual } = this.#search;
    const mayBeMeant = tree.aside.filter(({ reason }) => reason !== 'build_output' && reason !== 'vendored');
    // Rules may select tests, exports and templates, which are skipped otherwise.
    const paths = [...tree.files, ...mayBeMeant.map(({ path }) => path)].sort();
    const locales = configuredLocales(paths.filter(selects), rules);
    const declared = locales.length === 0 ? namedSource([...multilingual.values()]) : undefined;
    const source = wanted ?? declared ?? chooseSource(locales, true);
    const resources = rules.flatMap((rule) =>
      isMultilingualPath(rule.source)
        ? applyMultilingualRule(rule, { files: multilingual, source, spelling: this.#spelling })
        : applyRule(root, rule, paths, source, {
            formats,
            rules: this.#spelling,
            onOdd: (path) => this.passedOver.add('odd_locale', path),
          }),
    );
    return { source, resources, candidates: [] };
  }

  async discovered(): Promise<SelectedResources> {
    const { root, wanted, selects, multilingual, tree } = this.#search;
    this.#countAside(tree);
    const files = this.#candidateFiles();
    const sets = await this.#setsOf(files);
    // Files outside the requested paths do not affect source-language detection.
    const selected = sets.filter((set) => isSelected(set, selects));
    const ofAll = [...multilingual.values()];
    const ofAllSelected = ofAll.filter(({ path }) => selects(path));
    const source = wanted ?? chooseSourceOfAll(root, selected, ofAllSelected);
    const multilingualResources = this.#multilingualResources(ofAll, source);
    const sourced = await this.#sourcedSets(sets, files, source);
    const spellings = ofAll.flatMap((file) => [...file.spellings.keys()]);
    const candidates = [...new Set([...sourceCandidates(selected), ...spellings])];
    // Without pages, whose languages may differ from the application's.
    const spelled = sourced.filter(({ document }) => !document);
    const speller = makeSpeller(
      spelled.map((set) => ({ layout: layoutOf(set), members: set.members })),
      this.#spelling,
    );
    const resources = [...sourced.map((set) => toResource(set, source, speller)), ...multilingualResources];
    return { source, resources: resources.sort((a, b) => (a.source < b.source ? -1 : 1)), candidates };
  }

  /** Files that may contain texts in one language. */
  #candidateFiles(): readonly string[] {
    const { root, tree } = this.#search;
    return tree.files.filter((path) => {
      if (isMultilingualPath(path) || tree.evidence.isSettings(path)) return false;
      const reason = reasonToSkip(root, path, tree.evidence);
      if (reason) this.passedOver.add(reason, path);
      return !reason;
    });
  }

  /** Groups files: first pages by their site, then files that manifests name, then all others by their names. */
  async #setsOf(files: readonly string[]): Promise<readonly FileSet[]> {
    const { root, tree } = this.#search;
    const onSkipped = this.passedOver.add.bind(this.passedOver);
    const { sets: documents, shown } = await findDocumentSets({ ...tree, root, files, onSkipped });
    for (const path of shown) this.passedOver.add('shown_by_pages', path);
    const ofDocuments = new Set([...documents.flatMap(allPathsOf), ...shown]);
    const others = files.filter((path) => !ofDocuments.has(path));
    const named = tree.evidence.namedFiles(others);
    const ofNamed = new Set(named.flatMap((set) => [set.base, ...pathsOf(set)]));
    const unnamed = others.filter((path) => !ofNamed.has(path));
    const byName = joinNames(root, findFileSets(root, unnamed, this.passedOver));
    const all = [...named, ...byName, ...documents];
    const bases = all.flatMap(({ base, members }) => (members.size === 0 ? (base ?? []) : []));
    const odd = new Set(findOddLocales(bases, all, basename(root)));
    const isMeant = ({ base = '', members }: FileSet): boolean => members.size > 0 || !odd.has(base);
    const onDropped = (path: string): void => this.passedOver.add('untranslated', path);
    const wanted = dropUntranslated(byName.filter(isMeant), onDropped).map((set) => this.#described(set));
    return [...named, ...wanted, ...documents.filter(isMeant)];
  }

  /** Adds the framework's facts about the source of a set: the language, and whether the keys are the texts. */
  #described(set: FileSet): FileSet {
    const { root, formats, tree, wanted = 'en', configuration } = this.#search;
    const path = set.base ?? pathsOf(set)[0];
    const format = path === undefined ? undefined : formatOfFile(root, path, formats);
    if (path === undefined || format === undefined) return set;
    const shown = tree.evidence.frameworkOf(path, format.id, configuration.framework);
    const declared = set.declared ?? tree.evidence.sourceOf(shown);
    if (set.base !== undefined || shown.framework.keysMayBeTexts?.includes(format.id) !== true)
      return { ...set, declared };
    const hasSource = [...set.members].some(
      ([code, file]) => sameLanguage(code, wanted) && mayHaveTexts(root, file.path),
    );
    return { ...set, declared, keysAreTexts: !hasSource && hasTextsAsKeys(root, path) };
  }

  /** Sets with their source. Sets without a source are reported. */
  async #sourcedSets(sets: readonly FileSet[], files: readonly string[], source: string) {
    const { root, formats, tree, targets } = this.#search;
    const all = await chooseSources(root, sets, source, formats);
    const data = this.#dataAmong(all);
    for (const path of data) this.passedOver.add('untranslated', path);
    const sourced = all.filter((set) => !data.has(set.source));
    const written = findWrittenByI18n(root, files, sourced, source, targets);
    for (const path of written) this.passedOver.add('written_by_i18n', path);
    for (const set of sourced) {
      const named = set.source === set.base && !set.format.bilingual ? set.members.get(source) : undefined;
      for (const path of [...(set.doubles ?? []), ...(named ? [named.path] : [])])
        this.passedOver.add('same_language', path);
      if (set.base !== undefined && set.base !== set.source && mayBeForeign(set, source))
        this.passedOver.add('unnamed_language', set.base);
    }
    const unsorted = [...files, ...tree.odd, ...tree.documents].filter((path) => !written.has(path));
    const odd = findOddLocales(unsorted, sourced, basename(root));
    for (const path of odd) this.passedOver.add('odd_locale', path);
    const chosen = sourced.filter((set) => !written.has(set.source)).map((set) => without(set, written));
    this.#countWithoutSource(sets, chosen, new Set([...written, ...odd, ...data]));
    return chosen;
  }

  /**
   * Files that are named like a source but are not one, in a project whose other files have translations: data
   * (`assets/tags_en.json`, `locale/en/countries.json`), and keys that a tool extracted into an English file.
   */
  #dataAmong(sets: readonly SourcedSet[]): ReadonlySet<string> {
    const { root, paths } = this.#search;
    const isTranslated = (set: SourcedSet): boolean => translationsOf(set).length > 0;
    const isNamed = ({ source }: SourcedSet): boolean => paths.includes(join(root, source));
    if (!sets.some((set) => set.document === undefined && isTranslated(set))) return new Set();
    const isInPlace = makePlaceReader(basename(root));
    const places = new Set(sets.filter(isTranslated).map(({ template }) => template.parts[0]));
    const isData = ({ source, format, template, keysAreTexts }: SourcedSet): boolean =>
      (keysAreTexts === true && !places.has(template.parts[0]) && !mayHaveTexts(root, source)) ||
      listsRecords(root, source, format) ||
      !(/(?:^|\/)$/.test(template.parts[0] ?? '') || looksLocalized(this.#search, source, isInPlace));
    const doubtful = sets.filter(
      (set) => !set.document && set.base === undefined && !isTranslated(set) && !isNamed(set),
    );
    return new Set(doubtful.filter(isData).map(({ source }) => source));
  }

  /**
   * Multilingual files without any language are reported as unsupported, and those without the source language as
   * lacking it.
   */
  #multilingualResources(files: readonly MultilingualFile[], source: string): readonly ResourceFiles[] {
    const { root, tree, multilingual } = this.#search;
    const isInPlace = makePlaceReader(basename(root));
    for (const path of tree.files)
      if (isMultilingualPath(path) && !multilingual.has(path) && isInPlace(path))
        this.passedOver.add(reasonToSkip(root, path, tree.evidence) ?? 'not_supported', path);
    return files.flatMap((file) => {
      const resource = multilingualResource(file, source, this.#spelling);
      if (!resource) this.passedOver.add('without_source', file.path);
      return resource ?? [];
    });
  }

  /** In tests, build output and the like, counts only files that would be translated elsewhere. */
  #countAside({ aside, isCut }: FileTree): void {
    const { root, tree } = this.#search;
    const isInPlace = makePlaceReader(basename(root));
    for (const { path, reason } of aside) {
      if (looksLocalized(this.#search, path, isInPlace))
        this.passedOver.add(tree.evidence.ofProgram(path) ?? reason, path);
    }
    if (!isCut) return;
    this.passedOver.cutShort('build_output');
    this.passedOver.cutShort('vendored');
  }

  #countWithoutSource(
    sets: readonly FileSet[],
    chosen: readonly SourcedSet[],
    counted: ReadonlySet<string>,
  ): void {
    // Nothing is left to report.
    if (chosen.length === sets.length && counted.size === 0) return;
    const known = new Set(chosen.flatMap((set) => [set.source, ...translationsOf(set)]));
    const { root, tree } = this.#search;
    const isInPlace = makePlaceReader(basename(root));
    const isMeant = ({ document }: FileSet, path: string): boolean =>
      // A document that belongs to a layout is a translation.
      document !== undefined || looksLocalized(this.#search, path, isInPlace);
    for (const set of sets)
      for (const path of pathsOf(set))
        if (!known.has(path) && !counted.has(path) && isMeant(set, path))
          this.passedOver.add(tree.evidence.ofProgram(path) ?? 'without_source', path);
  }
}

/** If the layout leaves the source language open, the language that multilingual files declare is used. */
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

/** Any JSON, YAML or XML file may have a locale in its name; files of other formats always contain localization. */
function looksLocalized(
  { root, formats }: ResourceSearch,
  path: string,
  isInPlace: (path: string) => boolean,
): boolean {
  const format = formatOfFile(root, path, formats);
  if (format === undefined) return true;
  const { isProse, isCode, namesTexts, recognizes } = format;
  // Documents without translations can be anywhere.
  if (isProse) return false;
  // The content distinguishes the file from programs with the same extension.
  if (recognizes && isCode !== true) return true;
  return isInPlace(path) || (CODE_EXTENSIONS.get(extensionOf(path)) ?? namesTexts)?.(path) === true;
}

function isSelected({ base, members }: FileSet, selects: PathSelector): boolean {
  if (base !== undefined && selects(base)) return true;
  for (const { path } of members.values()) if (selects(path)) return true;
  return false;
}

function without(set: SourcedSet, paths: ReadonlySet<string>): SourcedSet {
  return { ...set, members: new Map([...set.members].filter(([, { path }]) => !paths.has(path))) };
}

function toResource(set: SourcedSet, sourceLocale: string, speller: Speller): ResourceFiles {
  const members = [...set.members].filter(
    ([locale, { path }]) => (set.catalogues || path !== set.source) && locale !== sourceLocale,
  );
  const { spellings = new Map<string, string>() } = set.document ?? {};
  const own = [...[...set.members.values()].map((member) => member.spelling), ...spellings.values()];
  const spell = speller(layoutOf(set), own);
  const spelling = (locale: string): string =>
    set.members.get(locale)?.spelling ?? spellings.get(locale) ?? spell(locale);
  return {
    source: set.source,
    sourceLocale,
    format: set.format,
    catalogues: set.catalogues,
    sourceName: set.catalogues && fillTemplate(set.template, '*'),
    isTemplate: set.isTemplate,
    keysAreTexts: set.keysAreTexts,
    existing: new Map(members.map(([locale, { path }]) => [locale, path])),
    regionOf: set.template.layout.regionOf,
    languages: set.document && new Set([...spellings.keys()].filter((locale) => locale !== sourceLocale)),
    spelling,
    targetPath: (locale) => set.members.get(locale)?.path ?? fillTemplate(set.template, spelling(locale)),
  };
}

/** The layout of the source's path, unless the layout belongs to another format with the same extension. */
function layoutOf({ source, format, template: { layout } }: SourcedSet): Layout {
  const own = layout.extensions?.[extensionOf(source)];
  return own === undefined || own === format.id ? layout : ANY_LAYOUT;
}

function includedBy({ include, exclude }: Configuration): (resource: ResourceFiles) => boolean {
  const wanted = include?.map(compileGlob);
  const unwanted = exclude?.map(compileGlob) ?? [];
  return ({ source }) =>
    (wanted?.some((glob) => glob.matches(source)) ?? true) && !unwanted.some((glob) => glob.matches(source));
}

/** If several rules match a file, the first one applies. */
function firstOfEach(resources: readonly ResourceFiles[]): readonly ResourceFiles[] {
  const seen = new Set<string>();
  return resources.filter(({ source }) => !seen.has(source) && seen.add(source));
}
