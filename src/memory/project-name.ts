import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { isInside } from '../base/inside.ts';

/**
 * What a memory calls the project with this root. A project with the memory's file inside it is called by the way to it
 * from there, so that the two can be moved and cloned together; any other one by its path, which nothing that it
 * contains can change.
 *
 * @param file of the memory; as the root it is absolute, with links resolved
 */
export function nameProject(root: string, file: string): string {
  if (!isInside(root, file)) return root;
  const way = relative(dirname(file), root);
  return way === '' ? '.' : way.replaceAll(sep, '/');
}

/** The inverse of {@link nameProject}. */
export function rootOfProject(name: string, file: string): string {
  return isAbsolute(name) ? name : resolve(dirname(file), name);
}
