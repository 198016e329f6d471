import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DragomanError } from '../base/errors.ts';
import { reasonOf } from '../base/system-error.ts';
import { languageOf, sameLanguage } from '../languages/locale.ts';
import type { Configuration } from './configuration.ts';
import { applyRule, candidatesFor, configuredLocales } from './configured-layout.ts';
import { compileGlob } from './glob.ts';
import {
  carriesSource,
  chooseSources,
  findFileSets,
  newPath,
  sourceCandidates,
  type SourcedSet,
} from './layout.ts';
import { LOCK_NAME, readLockHeader } from './lock.ts';
import { rootsFor, type Root } from './project-root.ts';
import type { Resource } from './resource.ts';
import { makeSpeller, type Speller } from './spelling.ts';

/** What there is to translate below one directory, and into what. Nothing of it is open. */
export interface Project {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly configuration: Configuration;
  /** Absolute; undefined without configuration. */
  readonly configurationPath: string | undefined;
  readonly lockPath: string;
  /** Canonical. */
  readonly source: string;
  /** Canonical, sorted, without the source. */
  readonly targets: readonly string[];
  /** Those that the paths asked for select. */
  readonly resources: readonly Resource[];
  /** The source files of the whole project: lines of others in the lock are of the past. */
  readonly sources: ReadonlySet<string>;
}

export interface ProjectOptions {
  /** Canonical; wins over configuration and lock. */
  readonly source?: string | undefined;
  /** Canonical; wins over configuration and lock. */
  readonly targets?: readonly string[] | undefined;
}

/**
 * Opens the projects that the given files and directories belong to: one for each configuration, or for each directory
 * without one. A path below a project selects the files of it that lie there: a file, or the directory of one language,
 * belongs to the project around it.
 *
 * @throws DragomanError `unreadable_input` for a path that is not there, `configuration` when files, source or targets
 * cannot be found out; the message names the candidates.
 */
export async function openProjects(
  paths: readonly string[],
  options: ProjectOptions = {},
): Promise<readonly Project[]> {
  const roots = new Map<string, { selected: string[]; root: Root }>();
  for (const path of paths) {
    const real = await realpath(resolve(path)).catch((error: unknown) => {
      throw new DragomanError('unreadable_input', `cannot read ${path}: ${reasonOf(error)}`, {
        cause: error,
      });
    });
    const root = await chooseRoot(real, options);
    const entry = roots.get(root.directory) ?? { root, selected: [] };
    roots.set(root.directory, entry);
    entry.selected.push(real);
  }
  return Promise.all([...roots.values()].map(({ root, selected }) => openProject(root, selected, options)));
}

/** The one of the possible roots whose project has the path. */
async function chooseRoot(path: string, options: ProjectOptions): Promise<Root> {
  const [likeliest, ...others] = await rootsFor(path, (await stat(path)).isDirectory());
  if (!likeliest) throw nothingFound(path);
  if (others.length === 0) return likeliest;
  let first: unknown;
  for (const root of [likeliest, ...others]) {
    try {
      await openProject(root, [path], options);
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
  const lockPath = join(root, LOCK_NAME);
  const locked = await readLockHeader(lockPath);
  const wished = options.source ?? configuration.source ?? locked.source;
  const { source, resources: all } = configuration.files
    ? configuredResources(root, configuration, wished)
    : discoverResources(root, configuration, wished);
  const resources = firstOfEach(all.filter(includedBy(configuration)));
  if (resources.length === 0) throw nothingFound(root, source);
  const targets = chooseTargets(source, resources, options.targets ?? configuration.targets, locked.targets);
  requireDistinctTargets(resources, targets);
  const chosen = resources.filter((resource) => isSelected(root, resource, targets, selected));
  if (chosen.length === 0) throw nothingFound(selected.join(', '), source);
  return {
    root,
    configuration,
    configurationPath,
    lockPath,
    source,
    targets,
    resources: chosen,
    sources: new Set(resources.map((resource) => resource.source)),
  };
}

interface Found {
  readonly source: string;
  readonly resources: readonly Resource[];
}

function configuredResources(root: string, configuration: Configuration, wished: string | undefined): Found {
  const rules = configuration.files ?? [];
  const paths = candidatesFor(root, rules);
  const spelling = { locales: configuration.locales, style: configuration.localeStyle };
  const source = wished ?? chooseSource(configuredLocales(paths, rules), true);
  return { source, resources: rules.flatMap((rule) => applyRule(rule, paths, source, spelling)) };
}

function discoverResources(root: string, configuration: Configuration, wished: string | undefined): Found {
  const sets = findFileSets(root);
  const source =
    wished ??
    chooseSource(
      sourceCandidates(sets),
      sets.some((set) => set.base !== undefined) || (sets.length > 0 && sets.every(carriesSource)),
    );
  const chosen = chooseSources(root, sets, source);
  if (chosen.length === 0) throw nothingFound(root, wished, sourceCandidates(sets));
  const spellings = chosen.flatMap((set) => [...set.members.values()].map((member) => member.spelling));
  const rules = { locales: configuration.locales, style: configuration.localeStyle };
  const speller = makeSpeller(spellings, rules);
  return { source, resources: chosen.map((set) => toResource(set, source, speller)) };
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
    targetPath: (locale) => set.members.get(locale)?.path ?? newPath(set, spelling(locale)),
  };
}

/** English where there is English; a layout whose sources name no locale is taken for English as well. */
function chooseSource(candidates: readonly string[], unnamed: boolean): string {
  const english = candidates.filter((code) => languageOf(code) === 'en');
  if (english.includes('en')) return 'en';
  if (english[0] !== undefined) return english.includes('en-US') ? 'en-US' : english[0];
  if (unnamed) return 'en';
  if (candidates.length === 0) return 'en';
  throw new DragomanError('configuration', 'cannot tell which language is the source', {
    hint: `Name it with --source or in the configuration: ${candidates.slice(0, 20).join(', ')}.`,
  });
}

function chooseTargets(
  source: string,
  resources: readonly Resource[],
  wished: readonly string[] | undefined,
  locked: readonly string[],
): readonly string[] {
  const others = (codes: Iterable<string>): readonly string[] =>
    [...new Set(codes)].filter((code) => code !== source).sort();
  if (wished) return others(wished);
  if (locked.length > 0) return others(locked);
  // A file of another English beside an English source is no translation: nobody asked for one.
  const existing = others(resources.flatMap((resource) => [...resource.existing.keys()]));
  return existing.filter((code) => !sameLanguage(code, source));
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

function isSelected(
  root: string,
  resource: Resource,
  targets: readonly string[],
  selected: readonly string[],
): boolean {
  return selected.some((path) => {
    if (path === root) return true;
    const files = [resource.source, ...targets.map((locale) => resource.targetPath(locale))];
    return files.some((file) => join(root, file) === path || join(root, file).startsWith(join(path, '/')));
  });
}

function requireDistinctTargets(resources: readonly Resource[], targets: readonly string[]): void {
  const owners = new Map<string, string>(
    resources.flatMap(({ source, carriesSource }) => (carriesSource ? [] : [[source, source]])),
  );
  for (const resource of resources) {
    for (const locale of targets) {
      const path = resource.targetPath(locale);
      const owner = owners.get(path);
      if (owner !== undefined) {
        throw new DragomanError(
          'configuration',
          owner === resource.source
            ? `${path} would be written twice from ${resource.source} (${locale})`
            : `${path} would be written from ${resource.source}, but belongs to ${owner}`,
          { hint: 'Give each source a target of its own under `files` in the configuration.' },
        );
      }
      owners.set(path, resource.source);
    }
  }
}

function nothingFound(root: string, source?: string, candidates: readonly string[] = []): DragomanError {
  const named = source === undefined ? '' : ` in the source language ${source}`;
  return new DragomanError('configuration', `no localization files${named} found in ${root}`, {
    hint:
      candidates.length > 0
        ? `There are files in: ${candidates.slice(0, 20).join(', ')}. Name the source with --source.`
        : 'Expected are layouts such as locales/en.json, locales/en/*.json, res/values/strings.xml, en.lproj/*.strings, po/*.pot, messages.properties; other ones are described under `files` in the configuration.',
  });
}
