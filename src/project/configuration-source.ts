import type { DragomanError } from '../base/errors.ts';
import type { ValuePath } from './schema.ts';

/** A configuration as written: data and the places of its parts. */
export interface ConfigurationFile {
  readonly path: string;
  readonly value: unknown;
  /** An error of this file, at the setting when that is known. */
  errorAt(path: ValuePath, message: string, hint?: string): DragomanError;
}
