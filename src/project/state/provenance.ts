/** What wrote a translation, as far as the lock shows it. */
export interface Provenance {
  readonly by: 'engine' | 'person' | 'import' | 'agent' | 'unknown';
  /** Of the import. */
  readonly name?: string | undefined;
}
