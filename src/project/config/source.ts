import type { DragomanError, Location } from '../../base/errors.ts';
import type { ValuePath } from './schema.ts';

/** A configuration as written: data and the places of its parts. */
export interface ConfigurationFile {
  readonly path: string;
  readonly value: unknown;
  /** Where a setting stands; the beginning of the file when there is none. */
  placeOf(path: ValuePath): Location;
  /** An error of this file, at the setting when that is known. */
  errorAt(path: ValuePath, message: string, hint?: string): DragomanError;
}
