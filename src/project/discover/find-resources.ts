import { basename } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { formatOfPath, knownExtensions } from '../../formats/registry.ts';
import type { Configuration, FileRule } from '../config/configuration.ts';
import { compileGlob, isWildcard, tokenizeGlob } from '../config/glob.ts';
import { applyRule, configuredLocales } from './configured-layout.ts';
import { findFileSets, pathsOf, type FileSet } from './layout.ts';
import { describePassedOver, PassedOverCount, type PassedOver } from './passed-over.ts';
import { makePlaceReader } from './path-language.ts';
import { fillTemplate } from './path-template.ts';
import type { Resource } from './resource.ts';
import {
  chooseSource,
  chooseSourceOfSets,
  chooseSources,
  sourceCandidates,
  translationsOf,
  type SourcedSet,
} from './source-choice.ts';
import { makeSpeller, type Speller } from './spelling.ts';
import { makeUnsupportedReader } from './unsupported.ts';
import { walk, type Tree } from './walk.ts';
import { findWrittenByI18n } from './written-by-i18n.ts';

/** What there is to translate, and from which language. */
export interface FoundResources {
  /** Canonical. */
  readonly source: string;
  readonly resources: readonly Resource[];
  /** What looks like localization below the selected paths and is not among them. */
  readonly passedOver: readonly PassedOver[];
}

/** What the user says about the resources of a project. */
export interface ResourceWishes {
  /** The source language, canonical; undefined: it is found out. */
  readonly source?: string | undefined;
  /** Target languages, canonical, where any are named. */
  readonly targets?: readonly string[] | undefined;
  /** What is to be worked on: relative paths with slashes, the empty one for the whole root. Default: the whole root. */
  readonly selected?: readonly string[] | undefined;
}

/**
 * The localization files below a directory: those that its configuration describes, else those that its layout shows.
 *
 * @throws DragomanError `configuration` when files or source cannot be found out; the message names the candidates.
 */
export function findResources(
  root: string,
  configuration: Configuration,
  wishes: ResourceWishes = {},
): FoundResources {
  const discovery = new Discovery(root, configuration, wishes);
  const { source, resources } = configuration.files
    ? discovery.configured(configuration.files)
    : discovery.discovered();
  const included = firstOfEach(resources.filter(includedBy(configuration)));
  const passedOver = discovery.passedOver.list();
  if (included.length === 0) throw nothingFound(root, source, [], passedOver);
  return { source, resources: included, passedOver };
}

type Found = Omit<FoundResources, 'passedOver'>;

/** One look at the tree, and what comes of it. */
class Discovery {
  readonly passedOver: PassedOverCount;
  readonly #root: string;
  readonly #configuration: Configuration;
  readonly #wishes: ResourceWishes;
  readonly #selected: readonly string[];

  constructor(root: string, configuration: Configuration, wishes: ResourceWishes) {
    this.#root = root;
    this.#configuration = configuration;
    this.#wishes = wishes;
    this.#selected = wishes.selected ?? [''];
    const excluded = configuration.exclude?.map(compileGlob) ?? [];
    this.passedOver = new PassedOverCount(
      (path) => this.#isSelected(path) && !excluded.some((glob) => glob.matches(path)),
    );
  }

  configured(rules: readonly FileRule[]): Found {
    const { locales, localeStyle } = this.#configuration;
    const own = rules.map((rule) => /\.([^./*?{}]+)$/.exec(rule.source)?.[1]?.toLowerCase() ?? '');
    const tree = this.#walk(
      rules.flatMap((rule) => [rule.source, rule.target]),
      own.filter(Boolean),
    );
    const inTests = tree.aside.filter(({ reason }) => reason === 'test_directory' || reason === 'export');
    // The rules decide themselves which tests and exports they mean.
    const paths = [...tree.files, ...inTests.map(({ path }) => path)].sort();
    const source = this.#wishes.source ?? chooseSource(configuredLocales(paths, rules), true);
    const spelling = { locales, style: localeStyle };
    return {
      source,
      resources: rules.flatMap((rule) => applyRule(this.#root, rule, paths, source, spelling)),
    };
  }

  discovered(): Found {
    const tree = this.#walk(this.#configuration.include ?? []);
    this.#countAside(tree);
    const sets = findFileSets(this.#root, tree.files, this.passedOver);
    const source = this.#wishes.source ?? chooseSourceOfSets(this.#selectedOf(sets));
    const sourced = chooseSources(this.#root, sets, source);
    const { targets = [] } = this.#wishes;
    const written = findWrittenByI18n(tree.files, sourced, source, targets);
    for (const path of written) this.passedOver.add('written_by_i18n', path);
    const chosen = sourced.filter((set) => !written.has(set.source)).map((set) => without(set, written));
    this.#countWithoutSource(sets, chosen, written);
    if (chosen.length === 0)
      throw nothingFound(this.#root, this.#wishes.source, sourceCandidates(sets), this.passedOver.list());
    const { locales, localeStyle } = this.#configuration;
    const spellings = chosen.flatMap((set) => [...set.members.values()].map((member) => member.spelling));
    const speller = makeSpeller(spellings, { locales, style: localeStyle });
    return { source, resources: chosen.map((set) => toResource(set, source, speller)) };
  }

  /** What lies outside of the paths asked for has no say in what their source language is. */
  #selectedOf(sets: readonly FileSet[]): readonly FileSet[] {
    const near = sets.filter(
      (set) =>
        (set.base !== undefined && this.#isSelected(set.base)) ||
        pathsOf(set).some((path) => this.#isSelected(path)),
    );
    return near.length > 0 ? near : sets;
  }

  #isSelected(path: string): boolean {
    return this.#selected.some(
      (selected) => selected === '' || path === selected || path.startsWith(`${selected}/`),
    );
  }

  /** @param patterns whose directories, up to the first wildcard, are looked into whatever they are called. */
  #walk(patterns: readonly string[], extensions: readonly string[] = []): Tree {
    const known = new Set([...knownExtensions(), ...extensions]);
    const isUnsupported = makeUnsupportedReader(this.#root);
    const unsupported: string[] = [];
    const tree = walk(this.#root, {
      asked: [...this.#selected, ...patterns.map(literalDirectory)],
      wants(path) {
        if (known.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase())) return true;
        if (!isUnsupported(path)) return false;
        unsupported.push(path);
        return true;
      },
    });
    const others = new Set(unsupported);
    const files = tree.files.filter((path) => !others.has(path));
    for (const path of tree.files) if (others.has(path)) this.passedOver.add('not_supported', path);
    return { ...tree, files };
  }

  /** Of tests, build output and the like only what would have been looked at elsewhere. */
  #countAside({ aside, isCut }: Tree): void {
    const isInPlace = makePlaceReader(basename(this.#root));
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
    const known = new Set(chosen.flatMap((set) => [set.source, ...translationsOf(set)]));
    const isInPlace = makePlaceReader(basename(this.#root));
    for (const path of sets.flatMap(pathsOf)) {
      const isOpen = !known.has(path) && !written.has(path);
      if (isOpen && looksLocalized(path, isInPlace)) this.passedOver.add('without_source', path);
    }
  }
}

/** Any JSON, YAML or XML file may have a name with a locale; others are of localization alone. */
function looksLocalized(path: string, isInPlace: (path: string) => boolean): boolean {
  switch (formatOfPath(path)) {
    case 'po':
    case 'strings':
    case undefined:
      return true;
    case 'xml':
      return /(?:^|\/)values(?:-[^/]+\/|\/[^/]*strings)[^/]*\.xml$|\.resx$/.test(path) || isInPlace(path);
    case 'properties':
      return /_[a-z]{2,3}(?:_[A-Z]{2})?\.properties$/.test(path) || isInPlace(path);
    default:
      return path.endsWith('.arb') || /(?:^|\/)_locales\//.test(path) || isInPlace(path);
  }
}

/** What a pattern says before its first wildcard. */
function literalDirectory(pattern: string): string {
  const tokens = tokenizeGlob(pattern);
  const end = tokens.findIndex((token) => isWildcard(token) || token === '{locale}');
  const literal = tokens.slice(0, end < 0 ? undefined : end).join('');
  return literal.slice(0, Math.max(literal.lastIndexOf('/'), 0));
}

function without(set: SourcedSet, paths: ReadonlySet<string>): SourcedSet {
  return { ...set, members: new Map([...set.members].filter(([, { path }]) => !paths.has(path))) };
}

function toResource(set: SourcedSet, sourceLocale: string, speller: Speller): Resource {
  const members = [...set.members].filter(
    ([locale, { path }]) => (set.carriesSource || path !== set.source) && locale !== sourceLocale,
  );
  const own = [...set.members.values()].map((member) => member.spelling);
  const spell = speller(set.template.convention, own);
  const spelling = (locale: string): string => set.members.get(locale)?.spelling ?? spell(locale);
  return {
    source: set.source,
    sourceLocale,
    format: set.format,
    carriesSource: set.carriesSource,
    existing: new Map(members.map(([locale, { path }]) => [locale, path])),
    spelling,
    targetPath: (locale) => set.members.get(locale)?.path ?? fillTemplate(set.template, spelling(locale)),
  };
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

/** The error for a directory, or a path, in which there is nothing to translate. */
export function nothingFound(
  root: string,
  source?: string,
  candidates: readonly string[] = [],
  passedOver: readonly PassedOver[] = [],
): DragomanError {
  const named = source === undefined ? '' : ` in the source language ${source}`;
  const advice =
    candidates.length > 0
      ? `There are files in: ${candidates.slice(0, 20).join(', ')}. Name the source with --source.`
      : 'Expected are layouts such as locales/en.json, locales/en/*.json, res/values/strings.xml, en.lproj/*.strings, po/*.pot, messages.properties; other ones are described under `files` in the configuration.';
  const seen = passedOver.slice(0, 5).map(describePassedOver).join('; ');
  return new DragomanError('configuration', `no localization files${named} found in ${root}`, {
    hint: seen === '' ? advice : `Found: ${seen}. ${advice}`,
  });
}
