import { basename } from 'node:path';
import { digestOf } from '../../base/digest.ts';
import { realPathAt } from '../../base/file-facts.ts';
import { repositoryNames } from '../../git/repository-name.ts';
import type { Project } from '../state/project.ts';

/**
 * Identifies a project in exported files without revealing a path: the id is the same in every clone of its repository
 * and, outside repositories, in every directory with the same name.
 */
export async function projectId({ root, source }: Project): Promise<string> {
  const [name = basename(root)] = await repositoryNames(realPathAt(root));
  return idOf(name, source);
}

/**
 * The ids that a project's exported files may have: the current one, and those from before its repository had an
 * origin.
 */
export async function knownProjectIds({ root, source }: Project): Promise<ReadonlySet<string>> {
  const names = [...(await repositoryNames(realPathAt(root))), basename(root)];
  return new Set(names.map((name) => idOf(name, source)));
}

function idOf(name: string, source: string): string {
  return digestOf(`${name}\n${source}`);
}
