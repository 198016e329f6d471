import { join } from 'node:path';
import { closing } from '../../base/closing.ts';
import { DragomanError } from '../../base/errors.ts';
import { textInCommit, unchangedPaths } from '../../git/comparison.ts';
import { type GitCaller, GitFailure } from '../../git/program.ts';
import { openRepository, type Repository } from '../../git/repository.ts';
import { lockedFile, sourceFiles } from '../discover/resource.ts';
import { unescapePath } from '../state/lock-line.ts';
import { readLockText } from '../state/lock.ts';
import type { Project } from '../state/project.ts';

export interface ChangesOptions extends GitCaller {
  /** Absolute paths of other files that affect every target: the glossary. */
  readonly shared?: readonly string[] | undefined;
}

/**
 * Limits a project to the targets whose file, source or records in the lock have changed since a commit, also in the
 * working tree and in files that git does not track yet. A change to the configuration, an earlier lock or a shared
 * file affects all targets. A branch is compared at the point where HEAD left it, so that later changes by others are
 * ignored.
 *
 * @param ref a branch, a tag or a commit
 * @throws DragomanError `usage` without git, a work tree or such a commit, `limit_exceeded` if git takes too long or
 * prints too much, `interrupted`.
 */
export async function limitToChanges(
  project: Project,
  ref: string,
  options: ChangesOptions,
): Promise<Project> {
  return closing(await openRepository(project.root, options), async (repository) =>
    limitIn(repository, await findCommit(repository, ref), project, options),
  );
}

async function limitIn(
  repository: Repository,
  commit: string,
  project: Project,
  options: ChangesOptions,
): Promise<Project> {
  const { root, configurationPath, earlierLocks, lockPath, targets } = project;
  const shared = [configurationPath, ...earlierLocks.map(({ path }) => path), ...(options.shared ?? [])];
  const paths = [...shared, lockPath].filter((path) => path !== undefined);
  for (const resource of project.resources) {
    paths.push(...sourceFiles(resource).map((path) => join(root, path)));
    for (const locale of [resource.sourceLocale, ...targets])
      paths.push(join(root, resource.targetPath(locale)));
  }
  const unchanged = await unchangedPaths(repository, commit, paths);
  const has = (path: string): boolean => !unchanged.has(path);
  if (shared.some((path) => path !== undefined && has(path))) return project;
  const records = has(lockPath)
    ? changedRecords(await textInCommit(repository, commit, lockPath), (await readLockText(lockPath)) ?? '')
    : new Set<string>();
  if (!records) return project;
  const covers: NonNullable<Project['covers']> = (resource, locale) =>
    project.covers?.(resource, locale) !== false &&
    (sourceFiles(resource).some((path) => has(join(root, path))) ||
      has(join(root, resource.targetPath(locale))) ||
      records.has(`${lockedFile(resource, locale)}\t${locale}`));
  const resources = project.resources.filter((resource) =>
    [resource.sourceLocale, ...targets].some((locale) => covers(resource, locale)),
  );
  return { ...project, resources, covers };
}

/**
 * `file`, tab, `locale` of the records in which two locks differ; undefined if their headers differ, because these name
 * the languages of all files.
 */
function changedRecords(before: string, after: string): ReadonlySet<string> | undefined {
  const changed = new Set(before.split('\n'));
  for (const line of after.split('\n')) if (!changed.delete(line)) changed.add(line);
  const lines = [...changed].map((line) => line.split('\t'));
  if (lines.some(({ length }) => length < 3)) return undefined;
  return new Set(lines.map(([file = '', , locale = '']) => `${unescapePath(file)}\t${locale}`));
}

/**
 * The id of the commit that a name refers to or, for a branch, the one where HEAD left it.
 *
 * @throws DragomanError `usage`
 */
async function findCommit({ git }: Repository, ref: string): Promise<string> {
  let named: string;
  try {
    named = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw new DragomanError('usage', `git does not know the commit ${JSON.stringify(ref)}`, {
      hint: 'Name a branch, a tag or a commit that is in this clone. In a pipeline, fetch it first: see docs/ci.md.',
    });
  }
  try {
    return (await git(['merge-base', named.trim(), 'HEAD'])).trim();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    // In a shallow clone without a common ancestor, more files count as changed, which is safe.
    return named.trim();
  }
}
