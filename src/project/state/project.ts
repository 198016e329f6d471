import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { sameLanguage } from '../../languages/locale.ts';
import type { Configuration } from '../config/configuration.ts';
import { findResources, nothingFound } from '../discover/find-resources.ts';
import { requireLocalizationPaths } from '../discover/localization-path.ts';
import type { Resource } from '../discover/resource.ts';
import { LOCK_NAME, readLockHeader } from './lock.ts';
import { rootsFor, type Root } from './project-root.ts';

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
  const { source, resources } = findResources(root, configuration, wished);
  const targets = chooseTargets(source, resources, options.targets ?? configuration.targets, locked.targets);
  requireDistinctTargets(resources, targets);
  await requireLocalizationPaths(root, resources, targets).catch((error: unknown) => {
    throw error instanceof DragomanError && configurationPath !== undefined
      ? error.inFile(configurationPath)
      : error;
  });
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
