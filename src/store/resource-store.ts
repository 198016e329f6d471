/** What an account has of its own, by names that are given once: each change makes another. */
export interface OwnResources {
  readonly accountId: string;
  readonly glossaryId?: string | undefined;
}

/** What accounts have of their own for their translations, and no other account ever gets. */
export interface ResourceStore {
  /** Of the accounts that have something. */
  list(): Promise<ReadonlyMap<string, OwnResources>>;
  /** The glossary that an account has at this moment. */
  glossaryOf(accountId: string): Promise<string | undefined>;
  /** Gives an account a glossary in place of the one that it has; undefined for none. */
  setGlossary(accountId: string, content: string | undefined): Promise<void>;
}
