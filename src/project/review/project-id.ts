import { basename } from 'node:path';
import { digestOf } from '../../base/digest.ts';
import { realPathAt } from '../../base/file-facts.ts';
import { repositoryName } from '../../git/repository-name.ts';
import type { Project } from '../state/project.ts';

/**
 * Identifies a project in files that leave it, without revealing a path: the same in every clone of its repository, and
 * outside of repositories in every directory with that name.
 */
export async function projectId({ root, source }: Project): Promise<string> {
  return idOf((await repositoryName(realPathAt(root))) ?? basename(root), source);
}

/** The ids that files of a project may have: its own, and that from before its repository had an origin. */
export async function knownProjectIds(project: Project): Promise<ReadonlySet<string>> {
  return new Set([await projectId(project), idOf(basename(project.root), project.source)]);
}

function idOf(name: string, source: string): string {
  return digestOf(`${name}\n${source}`);
}
