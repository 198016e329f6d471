import { joinGlossaries, readGlossary, type Glossary } from '../pipeline/glossary.ts';
import type { TranslationResources } from '../pipeline/unit.ts';
import type { OwnResources } from '../store/resource-store.ts';
import type { AskProgram } from './questions.ts';

/** What all accounts of a server have; can be cloned. */
export interface SharedResources {
  readonly glossary?: Glossary | undefined;
}

/** Of the glossaries that a worker has read, together: those of the largest size are two. */
const MOST_TERMS = 100_000;

/** What a worker translates with: what all accounts have, and for each call what its account has of its own. */
export class WorkerResources {
  readonly #shared: SharedResources;
  /** By names that are given once: another account's, or an older one, is never found. The last used is the last. */
  readonly #glossaries = new Map<string, Glossary>();

  constructor(shared: SharedResources) {
    this.#shared = shared;
  }

  /** @throws DragomanError of the store */
  async of(own: OwnResources | undefined, ask: AskProgram): Promise<TranslationResources> {
    return { glossary: own ? await this.#glossaryOf(own, ask) : this.#shared.glossary };
  }

  async #glossaryOf({ accountId, glossaryId }: OwnResources, ask: AskProgram): Promise<Glossary | undefined> {
    if (glossaryId === undefined) return this.#shared.glossary;
    const known = this.#glossaries.get(glossaryId);
    if (known) {
      this.#glossaries.delete(glossaryId);
      this.#glossaries.set(glossaryId, known);
      return known;
    }
    const { glossary: text } = await ask({ glossaryOf: accountId });
    // It has been removed since.
    if (text === undefined) return this.#shared.glossary;
    const joined = joinGlossaries(readGlossary(text), this.#shared.glossary);
    this.#glossaries.set(glossaryId, joined);
    this.#makeRoom();
    return joined;
  }

  #makeRoom(): void {
    let terms = 0;
    for (const glossary of this.#glossaries.values()) terms += glossary.terms.length;
    for (const [id, glossary] of this.#glossaries) {
      if (terms <= MOST_TERMS || this.#glossaries.size === 1) return;
      this.#glossaries.delete(id);
      terms -= glossary.terms.length;
    }
  }
}
