/** What an account has of its own, by names that are given once: each change makes another. */
export interface OwnResources {
  readonly accountId: string;
  readonly glossaryId?: string | undefined;
  /** The only name of its memory: who has another one finds nothing in it. */
  readonly memoryId?: string | undefined;
}

/** The translation of one text. */
export interface StoredTranslation {
  /** Of the text. */
  readonly digest: string;
  readonly content: string;
}

/** A memory in one direction, by canonical language codes. */
export interface MemoryDirection {
  readonly memoryId: string;
  readonly source: string;
  readonly target: string;
}

/** What accounts have of their own for their translations, and no other account ever gets. */
export interface ResourceStore {
  /** Of the accounts that have something. */
  list(): Promise<ReadonlyMap<string, OwnResources>>;
  /** The glossary that an account has at this moment. */
  glossaryOf(accountId: string): Promise<string | undefined>;
  /** Gives an account a glossary in place of the one that it has; undefined for none. */
  setGlossary(accountId: string, content: string | undefined): Promise<void>;
  /** Has an account keep its translations from now on, or forget all of them. */
  setMemory(accountId: string, isKept: boolean): Promise<void>;
  /** How many translations are in the memory of an account; undefined where it has none. */
  countMemory(accountId: string): Promise<number | undefined>;
  /** Those that are there, by the digests of their texts. */
  findTranslations(memory: MemoryDirection, digests: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Puts translations in, in place of those of the same texts; the oldest go where there are more than 100,000. Nothing
   * where the memory is there no more. A power cut may undo it.
   */
  storeTranslations(memory: MemoryDirection, translations: readonly StoredTranslation[]): Promise<void>;
}
