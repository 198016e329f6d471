import type { OwnResources, ResourceStore } from '../store/resource-store.ts';
import type { ResourceAnswer, ResourceQuestion } from './questions.ts';

/** How old the knowledge may be of what accounts have: another process may have changed it. */
const FRESH_MS = 5_000;

/** What accounts have of their own, for the workers of a server. Holds nothing that has to be closed. */
export class AccountResources {
  readonly #store: ResourceStore;
  #listed: Promise<ReadonlyMap<string, OwnResources>> | undefined;
  #listedAt = -Infinity;

  constructor(store: ResourceStore) {
    this.#store = store;
  }

  /** As it was 5 s ago at most; undefined where an account has nothing. @throws DragomanError of the store */
  async own(accountId: string): Promise<OwnResources | undefined> {
    const now = performance.now();
    if (!this.#listed || now - this.#listedAt > FRESH_MS) {
      this.#listedAt = now;
      this.#listed = this.#store.list();
      this.#listed.catch(() => (this.#listed = undefined));
    }
    return (await this.#listed).get(accountId);
  }

  /** @throws DragomanError of the store */
  async answer({ glossaryOf }: ResourceQuestion): Promise<ResourceAnswer> {
    return { glossary: await this.#store.glossaryOf(glossaryOf) };
  }
}
