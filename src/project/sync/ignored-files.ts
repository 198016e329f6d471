import { join } from 'node:path';
import { closing } from '../../base/closing.ts';
import { DragomanError } from '../../base/errors.ts';
import { realPathAt } from '../../base/file-facts.ts';
import { ignoringRules, nameOf } from '../../git/comparison.ts';
import { requirePlainRules } from '../../git/plain-files.ts';
import type { GitCaller } from '../../git/program.ts';
import { openRepository } from '../../git/repository.ts';
import { findWorkTree } from '../../git/work-tree.ts';
import type { SyncReport } from '../plan/report.ts';

/** New files that git ignores. */
export interface IgnoredFiles {
  readonly count: number;
  /** The first one, absolute. */
  readonly example: string;
  /** The file and line of the pattern that ignores it, as git names them. */
  readonly rule: string;
}

/**
 * The files that a sync created but that git ignores, so they would be missing from a commit. Starts git only if files
 * were created in a work tree. Undefined without such files, and if git refuses.
 *
 * @throws nothing: a repository that git refuses must not fail a sync that has written its files
 */
export async function findIgnored(
  { root, languages }: Pick<SyncReport, 'root' | 'languages'>,
  caller: GitCaller,
): Promise<IgnoredFiles | undefined> {
  const created = languages.flatMap(({ files }) =>
    files.flatMap((file) => (file.created ? file.target : [])),
  );
  const directory = realPathAt(root);
  if (created.length === 0 || !(await findWorkTree(directory))) return undefined;
  try {
    return await closing(await openRepository(directory, caller), async (repository) => {
      const names = created.map((path) => nameOf(repository.top, join(directory, path)));
      requirePlainRules(repository.top, names);
      const rules = await ignoringRules(repository, names);
      const [first] = rules;
      if (!first) return undefined;
      return { count: rules.size, example: join(repository.top, first[0]), rule: first[1] };
    });
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}
