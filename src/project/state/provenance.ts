/** The writer of a translation according to the lock. */
export interface Provenance {
  readonly by: 'engine' | 'person' | 'import' | 'agent' | 'unknown';
  /** The name of the import. */
  readonly name?: string | undefined;
}
