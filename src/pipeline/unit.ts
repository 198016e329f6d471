import type { DragomanError } from '../base/errors.ts';
import type { Syntax } from '../text/syntax.ts';

/** One value to translate. The forms of a plural are one unit each. */
export interface Unit {
  readonly value: string;
  readonly syntax: Syntax;
  /**
   * All source forms of the plural message that the value belongs to. The translation may have the placeholders of
   * any of them: a form for one thing may spell the number out.
   */
  readonly forms?: readonly string[] | undefined;
}

/** What became of one unit. `engine` is absent where there was nothing to translate. */
export type UnitOutcome = { readonly value: string; readonly engine?: string | undefined } | Failure;

export interface Failure {
  /** One sentence for the user. */
  readonly failure: string;
  readonly kind: FailureKind;
  /** What kept the engine from it, where that is no matter of the unit. */
  readonly error?: DragomanError | undefined;
}

export type FailureKind =
  /** The source is not a message of its syntax: translating it would be guessing. */
  | 'malformed-source'
  /** The engine gave no answer. */
  | 'engine'
  /** The answer lost, doubled or changed a placeholder. */
  | 'placeholders'
  /** The words of the answer made or broke syntax. */
  | 'unverified'
  /** The place in the file cannot hold the value. */
  | 'unencodable'
  /** Account, budget or connection allow no more: it was not tried, or in vain. `error` says what it was. */
  | 'stopped'
  /** The work was stopped before this unit's turn: it is not the unit's fault. */
  | 'interrupted';

/** Translations of segments that outlive a run. Only answers that passed the checks enter it. */
export interface SegmentMemory {
  /** `engine` is the id of the engine that would be asked. */
  get(engine: string, source: string, target: string, tagged: string): string | undefined;
  /** Resolves when the entries are on disk: only then is their batch finished. */
  put(entries: readonly SegmentEntry[]): Promise<void>;
}

export interface SegmentEntry {
  readonly engine: string;
  readonly source: string;
  readonly target: string;
  readonly tagged: string;
  readonly translation: string;
}
