import { requireDatabaseFile } from '../sqlite/database-file.ts';
import { memoryError } from './failure.ts';

/**
 * Checks that a translation memory can be at this path: there is a regular file, or none. Nothing is opened.
 *
 * @throws DragomanError `not_a_file`
 */
export function requireMemoryPlace(path: string): void {
  try {
    requireDatabaseFile(path);
  } catch (error) {
    throw memoryError(error, path);
  }
}
