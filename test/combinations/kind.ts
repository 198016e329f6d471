import type { Fuzzed } from '../../scripts/fuzz/documents.ts';

/** The optional parts, with variants, from which valid files of a kind are built. `№` is the number of the entry. */
export interface FileKind {
  readonly name: string;
  readonly fuzzed: Fuzzed;
  readonly extension: string;
  /** The parts of the text before all entries, in order, each with its variants. */
  readonly head: readonly (readonly string[])[];
  readonly entry: readonly (readonly string[])[];
  readonly between?: string;
  readonly tail?: string;
  /** Adjusts an entry whose parts depend on each other. */
  readonly finish?: (entry: string) => string;
}
