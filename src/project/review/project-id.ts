import { basename } from 'node:path';
import { digestOf } from '../../base/digest.ts';
import type { Project } from '../state/project.ts';

/** Identifies a project in files that leave it, without revealing a path: the same in every clone with that name. */
export function projectId({ root, source }: Project): string {
  return digestOf(`${basename(root)}\n${source}`);
}
