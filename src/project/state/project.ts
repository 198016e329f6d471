import { join, relative, resolve, sep } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { realPathAt, typeAt } from '../../base/file-facts.ts';
import { systemError } from '../../base/system-error.ts';
import { BUILT_IN_FORMATS, type Formats } from '../../formats/registry.ts';
import { sameLanguage } from '../../languages/locale.ts';
import type { Configuration } from '../config/configuration.ts';
import { compileGlob } from '../config/glob.ts';
import { findResources, type PathSelector } from '../discover/find-resources.ts';
import { listTree } from '../discover/listed-tree.ts';
import { nothingFound, type PassedOver } from '../discover/passed-over.ts';
import { requireLocalizationPaths } from '../discover/localization-path.ts';
import { isMultilingualPath, readMultilingual } from '../discover/multilingual.ts';
import { lockedFile, type Resource } from '../discover/resource.ts';
import { type EarlierLock, mergeHeaders, readEarlierLocks, type Root, rootsFor } from './project-root.ts';
import { LOCK_NAME, readLockHeader } from './lock.ts';
import { coverRegions, type ImpliedRegion, impliedRegions, withRegions } from './regions.ts';

/** The files to translate below one directory, and the target languages. It keeps no file open. */
export interface Project {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly configuration: Configuration;
  /** Absolute; undefined without a configuration. */
  readonly configurationPath: string | undefined;
  readonly lockPath: string;
  /** Sorted. */
  readonly earlierLocks: readonly EarlierLock[];
  /** Canonical. */
  readonly source: string;
  /** Canonical, sorted, without the source. */
  readonly targets: readonly string[];
  /** The resources that the requested paths select. */
  readonly resources: readonly Resource[];
  /** The resources of the whole project, to which links may lead. */
  readonly pages: readonly Resource[];
  /** The files of the whole project for which the lock has records: its sources, or catalogues that contain theirs. */
  readonly sources: ReadonlySet<string>;
  /** The requested paths, relative to the root; the empty path means all of it. */
  readonly selected: readonly string[];
  /** Whether the requested paths select a file, given relative to the root. */
  readonly selects: PathSelector;
  /** Requested directories that are separate projects, relative to the root. */
  readonly nested: readonly string[];
  /** Whether a target or, with its own locale, a source is covered. If undefined, all files are covered. */
  readonly covers?: ((resource: Resource, locale: string) => boolean) | undefined;
  /** Requested languages for which files of a region are used. */
  readonly impliedRegions: readonly ImpliedRegion[];
  /** Test files, build output and exports, which are only read if a path names them. */
  readonly aside: ReadonlySet<string>;
  /** Files below the requested paths that look like localization but are not translated. */
  readonly passedOver: readonly PassedOver[];
}

export interface ProjectOptions {
  /** Canonical; overrides configuration and lock. */
  readonly source?: string | undefined;
  /** Canonical; overrides configuration and lock. */
  readonly targets?: readonly string[] | undefined;
  /** The current directory, which is the root of unmarked projects inside it. */
  readonly cwd?: string | undefined;
  /** The formats of the files. Default: the built-in ones. */
  readonly formats?: Formats | undefined;
}

/**
 * Opens the projects of the given files and directories; without any, the whole project of the current directory. A
 * path selects files: a file, a directory, or the directory of one language. It never determines where the project's
 * state is, which is always at its root (see {@link rootsFor}).
 *
 * @throws DragomanError `unreadable_input` for a missing path, `configuration` if files, source or targets cannot be
 * determined, or if a path selects nothing; the message names the candidates
 */
export async function openProjects(
  paths: readonly string[],
  options: ProjectOptions = {},
): Promise<readonly Project[]> {
  const cwd = options.cwd === undefined ? undefined : resolvePath(options.cwd);
  const isWhole = paths.length === 0;
  const roots = new Map<string, { selected: string[]; root: Root }>();
  for (const path of isWhole ? [cwd ?? '.'] : paths) {
    const real = resolvePath(path);
    const root = await chooseRoot(real, isWhole, { ...options, cwd });
    const entry = roots.get(root.directory) ?? { root, selected: [] };
    roots.set(root.directory, entry);
    entry.selected.push(isWhole ? root.directory : real);
  }
  return Promise.all([...roots.values()].map(({ root, selected }) => openProject(root, selected, options)));
}

function resolvePath(path: string): string {
  try {
    return realPathAt(resolve(path));
  } catch (error) {
    throw systemError('unreadable_input', `read ${path}`, error);
  }
}

/** The first possible root whose project contains the path. */
async function chooseRoot(path: string, isWhole: boolean, options: ProjectOptions): Promise<Root> {
  const [likeliest, ...others] = await rootsFor(path, typeAt(path) === 'directory', options.cwd);
  if (!likeliest) throw nothingFound(path);
  if (others.length === 0) return likeliest;
  let first: unknown;
  for (const root of [likeliest, ...others]) {
    try {
      await openProject(root, [isWhole ? root.directory : path], options);
      return root;
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== 'configuration') throw error;
      first ??= error;
    }
  }
  throw first;
}

async function openProject(
  { directory: root, configuration, configurationPath }: Root,
  selected: readonly string[],
  options: ProjectOptions,
): Promise<Project> {
  const { formats = BUILT_IN_FORMATS } = options;
  const lockPath = join(root, LOCK_NAME);
  const places = selected.map((path) => relative(root, path).split(sep).join('/'));
  const selects = selectionOf(places);
  const tree = listTree(root, configuration, formats, places, LOCK_NAME);
  const earlier = await readEarlierLocks(root, tree.named);
  // The packages of a repository may have had different languages.
  const near = earlier.filter(({ directory }) => places.some((place) => overlap(directory, place)));
  const locked = mergeHeaders(await readLockHeader(lockPath), near);
  const wantedSource = options.source ?? configuration.source ?? locked.source;
  // An empty list in a lock means that no language was ever named.
  const named =
    options.targets ?? configuration.targets ?? (locked.targets.length > 0 ? locked.targets : undefined);
  const targetNames = [...(options.targets ?? []), ...(configuration.targets ?? []), ...locked.targets];
  // Rules may name any file, including tests and exports.
  const rules = (configuration.files ?? []).map((rule) => compileGlob(rule.source));
  const aside = rules.length > 0 ? tree.aside.map(({ path }) => path) : [];
  const multilingual = await readMultilingual(root, [...tree.files, ...aside], (path) =>
    rules.some((rule) => rule.matches(path)),
  );
  const found = await findResources({
    root,
    configuration,
    formats,
    tree,
    multilingual,
    wanted: wantedSource,
    selects,
    targets: targetNames,
    paths: selected,
  });
  const { source, resources, passedOver } = found;
  const filesOf = (resource: Resource): readonly string[] => {
    const targets = named?.map((locale) => resource.targetPath(locale)) ?? [];
    return [resource.source, ...resource.existing.values(), ...targets];
  };
  const isWhole = places.includes('');
  const chosen = isWhole ? resources : resources.filter((resource) => filesOf(resource).some(selects));
  const sources = resources.map((resource) => resource.source);
  const missed = findMissed(places, () => chosen.flatMap(filesOf));
  if (missed !== undefined) {
    const candidates = chosen.length === 0 ? found.candidates : [];
    throw nothingFound(join(root, missed), { source, candidates, passedOver, formats, paths: selected });
  }
  const requested = options.targets ?? configuration.targets ?? [];
  const implied = impliedRegions(chosen, requested, locked.targets, configuration);
  const targets = chooseTargets(source, chosen, named && withRegions(named, implied, chosen));
  // If only files name the languages, each language applies to all files.
  const coversRegion = named && coverRegions(resources, targets, new Set(requested));
  requireDistinctTargets(resources, targets, new Set(chosen));
  try {
    requireLocalizationPaths(root, chosen, targets);
  } catch (error) {
    throw error instanceof DragomanError && configurationPath !== undefined
      ? error.inFile(configurationPath)
      : error;
  }
  return {
    root,
    configuration,
    configurationPath,
    lockPath,
    // A lock for other files must not be removed.
    earlierLocks: earlier.filter(({ directory }) => sources.some((file) => isAtOrBelow(file, directory))),
    source,
    targets,
    resources: chosen,
    pages: resources,
    sources: new Set(resources.flatMap((resource) => lockedFiles(resource, targets))),
    selected: places,
    selects,
    nested: tree.nested.filter((directory) => selects(directory)),
    covers: both(coverOf(resources, new Set(isWhole ? [] : options.targets)), coversRegion),
    // Codes from a configuration would be reported again in each run.
    impliedRegions: options.targets ? implied : implied.filter(({ region }) => region === undefined),
    aside: new Set(tree.aside.map(({ path }) => path)),
    passedOver,
  };
}

/**
 * Whether the lock's records of a source file are obsolete, because the file is gone or no longer a source. Files
 * outside the selection may be sources in another language, and a later run may name test files, so the records of both
 * are obsolete only if the file is gone.
 */
export function isObsolete({ root, sources, selects, aside }: Project, file: string): boolean {
  if (sources.has(file)) return false;
  return (selects(file) && !aside.has(file)) || typeAt(join(root, file)) === undefined;
}

/** The files that have translations into a language. */
export function resourcesOf({ resources, covers }: Project, locale: string): readonly Resource[] {
  return covers ? resources.filter((resource) => covers(resource, locale)) : resources;
}

/** Looks up each path instead of comparing it with all others, because thousands of files may be named. */
function selectionOf(places: readonly string[]): PathSelector {
  const selected = new Set(places);
  if (selected.has('')) return () => true;
  return (file) => pathsAbove(file).some((path) => selected.has(path));
}

/** The first path that selects no file; the whole root always selects some. */
function findMissed(places: readonly string[], files: () => readonly string[]): string | undefined {
  const named = places.filter((place) => place !== '');
  if (named.length === 0) return undefined;
  const reached = new Set(files().flatMap(pathsAbove));
  return named.find((place) => !reached.has(place));
}

/** A path and its parent directories, up to the root, which is empty. */
function pathsAbove(path: string): readonly string[] {
  const paths = [path];
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1))
    paths.push(path.slice(0, cut));
  return [...paths, ''];
}

/** Whether a path is another one or lies below it; both relative with slashes, and empty for the root. */
function isAtOrBelow(path: string, place: string): boolean {
  return place === '' || path === place || path.startsWith(`${place}/`);
}

function overlap(a: string, b: string): boolean {
  return isAtOrBelow(a, b) || isAtOrBelow(b, a);
}

function lockedFiles(resource: Resource, targets: readonly string[]): readonly string[] {
  if (!resource.catalogues) return [resource.source];
  return [...resource.existing.values(), ...targets.map((locale) => lockedFile(resource, locale))];
}

function chooseTargets(
  source: string,
  chosen: readonly Resource[],
  named: readonly string[] | undefined,
): readonly string[] {
  const others = (codes: Iterable<string>): readonly string[] =>
    [...new Set(codes)].filter((code) => code !== source).sort();
  if (named) return others(named);
  // A file in another variant of English next to an English source is not a target, because its translation was not
  // requested.
  const existing = others(
    chosen.flatMap((resource) => [...resource.existing.keys(), ...(resource.languages ?? [])]),
  );
  return existing.filter((code) => !sameLanguage(code, source));
}

/**
 * Documents found by their layout are translated into the languages of that layout, and other files into the languages
 * that any of them has: a README in five languages does not mean that the program should have five, or the reverse.
 * Languages that no file has yet, and those that the user names, apply to all files.
 *
 * @param named the languages named by flag or configuration
 */
function coverOf(resources: readonly Resource[], named: ReadonlySet<string>): Project['covers'] {
  const documents = resources.flatMap(({ languages }) => languages ?? []);
  if (documents.length === 0) return undefined;
  const files = resources.filter(({ languages }) => !languages);
  const ofFiles = new Set(files.flatMap(({ existing }) => [...existing.keys()]));
  const ofDocuments = new Set(documents.flatMap((languages) => [...languages]));
  return ({ languages, sourceLocale }, locale) => {
    if (named.has(locale) || locale === sourceLocale) return true;
    const own = languages ?? ofFiles;
    return own.has(locale) || !(ofFiles.has(locale) || ofDocuments.has(locale));
  };
}

type Covers = NonNullable<Project['covers']>;

function both(one: Project['covers'], other: Project['covers']): Covers | undefined {
  if (!one || !other) return one ?? other;
  return (resource, locale) => one(resource, locale) && other(resource, locale);
}

/** Conflicts between files outside the command's scope must not stop it. */
function requireDistinctTargets(
  resources: readonly Resource[],
  targets: readonly string[],
  chosen: ReadonlySet<Resource>,
): void {
  const owners = new Map<string, Resource>(
    resources.flatMap((resource) => (resource.catalogues ? [] : [[resource.source, resource]])),
  );
  for (const resource of resources) {
    for (const locale of targets) {
      const path = resource.targetPath(locale);
      const owner = owners.get(path);
      if (owner === resource && path === resource.source && isMultilingualPath(path)) continue;
      if (owner !== undefined && (chosen.has(owner) || chosen.has(resource))) {
        throw new DragomanError(
          'configuration',
          owner === resource
            ? `${path} would be written twice from ${resource.source} (${locale})`
            : `${path} would be written from ${resource.source}, but belongs to ${owner.source}`,
          { hint: 'Give each source its own target under `files` in the configuration.' },
        );
      }
      owners.set(path, resource);
    }
  }
}
