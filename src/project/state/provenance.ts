/** The writer of a translation according to the lock. */
export interface Provenance {
  /**
   * `memory`: the translation of the same text elsewhere, which a person wrote. Locks without decisions do not record
   * it: there, `engine` includes it.
   */
  readonly by: 'engine' | 'memory' | 'person' | 'import' | 'agent' | 'unknown';
  /** The name of the import. */
  readonly name?: string | undefined;
}
