/** The writer of a translation, as far as the lock shows it. */
export interface Provenance {
  readonly by: 'engine' | 'person' | 'import' | 'agent' | 'unknown';
  /** The name of the import. */
  readonly name?: string | undefined;
}
