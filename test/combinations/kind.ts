import type { Fuzzed } from '../../scripts/fuzz/documents.ts';

/** How valid files of a kind are made: of optional parts, each of which has variants. `№` is the number of the entry. */
export interface FileKind {
  readonly name: string;
  readonly fuzzed: Fuzzed;
  readonly extension: string;
  /** Variants of what stands before all entries, one part behind the other. */
  readonly head: readonly (readonly string[])[];
  readonly entry: readonly (readonly string[])[];
  readonly between?: string;
  readonly tail?: string;
  /** Changes an entry whose parts depend on each other. */
  readonly finish?: (entry: string) => string;
}
