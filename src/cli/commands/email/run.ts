import { DragomanError } from '../../../base/errors.ts';
import type { DocumentFlags } from '../../documents/options.ts';
import type { NamedFile } from '../../documents/run.ts';

export interface EmailOptions extends DocumentFlags {
  readonly subject?: string;
  readonly encoding?: string;
}

/** What one call of `dragoman email` works on. */
export interface EmailRun {
  readonly file: NamedFile;
  readonly bytes: Uint8Array;
  /** The source language that was named. */
  readonly source: string | undefined;
  readonly targets: readonly string[];
  readonly options: EmailOptions;
}

/** The error with the input named, where it has a place in it. */
export function inInput(error: unknown, name: string): unknown {
  return error instanceof DragomanError && error.at ? error.inFile(name) : error;
}
