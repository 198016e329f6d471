import { DragomanError, type Location } from '../../base/errors.ts';
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

/** Settings are five levels deep; parsers call themselves for each one. */
export const MAX_DEPTH = 100;

export function nestedTooDeeply(at: Location): DragomanError {
  return new DragomanError('limit_exceeded', `values are nested more than ${MAX_DEPTH} deep`, { at });
}
