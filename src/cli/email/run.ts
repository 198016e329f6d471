import { DragomanError } from '../../base/errors.ts';
import type { ResourceFlags } from '../translation-resources.ts';
import type { ServiceFlags } from '../service/options.ts';
import type { LanguageOptions } from '../language-options.ts';

export type EmailOptions = LanguageOptions &
  ServiceFlags &
  ResourceFlags & {
    readonly subject?: string;
    readonly output?: string;
    readonly encoding?: string;
    readonly force?: boolean;
  };

/** What one call of `dragoman email` works on. */
export interface EmailRun {
  /** Absolute path; undefined: standard input. */
  readonly input: string | undefined;
  /** For messages to the user. */
  readonly name: string;
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
