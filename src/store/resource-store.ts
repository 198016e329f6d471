/** The ids of an account's resources. Every change assigns a new id. */
export interface OwnResources {
  readonly accountId: string;
  readonly glossaryId?: string | undefined;
  /** The only valid id of the account's memory: other ids find nothing. */
  readonly memoryId?: string | undefined;
}

/** The translation of one text. */
export interface StoredTranslation {
  /** The digest of the text. */
  readonly digest: string;
  readonly content: string;
}

/** A memory in one direction, by canonical language codes. */
export interface MemoryDirection {
  readonly memoryId: string;
  readonly source: string;
  readonly target: string;
}

/** The translation resources of accounts, which are private to each. */
export interface ResourceStore {
  /** The resources of all accounts that have any. */
  list(): Promise<ReadonlyMap<string, OwnResources>>;
  /** The current glossary of an account. */
  glossaryOf(accountId: string): Promise<string | undefined>;
  /** Replaces the account's glossary; undefined removes it. */
  setGlossary(accountId: string, content: string | undefined): Promise<void>;
  /** Starts keeping an account's translations, or deletes all of them. */
  setMemory(accountId: string, isKept: boolean): Promise<void>;
  /** The number of translations in an account's memory; undefined without a memory. */
  countMemory(accountId: string): Promise<number | undefined>;
  /** The stored translations, by the digests of their texts. */
  findTranslations(memory: MemoryDirection, digests: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores translations, replacing those of the same texts; beyond 100,000, the oldest are removed. Does nothing if the
   * memory no longer exists. A power cut may lose them.
   */
  storeTranslations(memory: MemoryDirection, translations: readonly StoredTranslation[]): Promise<void>;
}
