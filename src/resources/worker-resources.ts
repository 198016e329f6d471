import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { HostRequest, PlainOutcome } from '../engines/host.ts';
import { type Glossary, joinGlossaries, readGlossary } from '../pipeline/glossary.ts';
import type { MemoryEntry, MemoryMessage, MemoryTranslation, TranslationMemory } from '../pipeline/memory.ts';
import type { TranslationResources } from '../pipeline/unit.ts';
import type { OwnResources } from '../store/resource-store.ts';

/** The shared resources of a server; can be cloned. */
export interface SharedResources {
  readonly glossary?: Glossary | undefined;
  /** Whether the program has a shared memory. */
  readonly hasMemory?: boolean | undefined;
}

/** The total size of cached glossaries: enough for two of the largest. */
const MOST_TERMS = 100_000;

/** A worker's translation resources: the shared ones and, for each call, those of its account. */
export class WorkerResources {
  readonly #shared: SharedResources;
  /** By unique id, so that another account's or an older glossary is never used. Most recently used last. */
  readonly #glossaries = new Map<string, Glossary>();

  constructor(shared: SharedResources) {
    this.#shared = shared;
  }

  /** @throws DragomanError of the store */
  async of(own: OwnResources | undefined, ask: AskResources): Promise<TranslationResources> {
    const shared = sharedResources(this.#shared, ask);
    if (!own) return shared;
    const { memoryId } = own;
    return {
      glossary: await this.#glossaryOf(own, ask),
      memory: memoryId === undefined ? shared.memory : new AskedMemory(memoryId, ask),
    };
  }

  async #glossaryOf(
    { accountId, glossaryId }: OwnResources,
    ask: AskResources,
  ): Promise<Glossary | undefined> {
    if (glossaryId === undefined) return this.#shared.glossary;
    const known = this.#glossaries.get(glossaryId);
    if (known) {
      this.#glossaries.delete(glossaryId);
      this.#glossaries.set(glossaryId, known);
      return known;
    }
    const { glossary: text } = await ask({ glossaryOf: accountId });
    // The glossary has been removed since.
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

/** The resources of an account without a separate glossary or memory. */
export function sharedResources(
  { glossary, hasMemory = false }: SharedResources,
  ask: AskResources,
): TranslationResources {
  return { glossary, memory: hasMemory ? new AskedMemory(undefined, ask) : undefined };
}

/** The maximum number of texts per question, because the program is blocked while it answers. */
const ASKED_AT_ONCE = 500;

/** The program's translations of a text. Only finds exact matches, because most engines do not use similar ones. */
class AskedMemory implements TranslationMemory {
  readonly #memoryId: string | undefined;
  readonly #ask: AskResources;

  constructor(memoryId: string | undefined, ask: AskResources) {
    this.#memoryId = memoryId;
    this.#ask = ask;
  }

  async find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
  ): Promise<readonly (MemoryTranslation | undefined)[]> {
    const found: (MemoryTranslation | undefined)[] = [];
    for (let i = 0; i < messages.length; i += ASKED_AT_ONCE) {
      const some = messages.slice(i, i + ASKED_AT_ONCE);
      const answer = await this.#ask({ find: some, pair, memoryId: this.#memoryId });
      found.push(...some.map((_, at) => answer.found?.[at]));
    }
    return found;
  }

  hasSimilar(): Promise<boolean> {
    return Promise.resolve(false);
  }

  findSimilar(): Promise<readonly SimilarTranslation[]> {
    return Promise.resolve([]);
  }

  async store(entries: readonly MemoryEntry[], pair: LanguagePair): Promise<void> {
    const memoryId = this.#memoryId;
    if (memoryId === undefined) return;
    for (let i = 0; i < entries.length; i += ASKED_AT_ONCE)
      await this.#ask({ store: entries.slice(i, i + ASKED_AT_ONCE), pair, memoryId });
  }
}

/** A worker's question to the program, for an engine's translations or an account's resources. */
export type WorkerQuestion = { readonly engine: HostRequest } | ResourceQuestion;

/** A glossary by its account, or translations by a memory's id; undefined for the shared memory only. */
export type ResourceQuestion =
  | { readonly glossaryOf: string }
  | {
      readonly find: readonly MemoryMessage[];
      readonly pair: LanguagePair;
      readonly memoryId: string | undefined;
    }
  | { readonly store: readonly MemoryEntry[]; readonly pair: LanguagePair; readonly memoryId: string };

/** Contains the requested field only. */
export interface WorkerAnswer extends ResourceAnswer {
  readonly outcomes?: readonly PlainOutcome[] | undefined;
}

export interface ResourceAnswer {
  readonly glossary?: string | undefined;
  readonly found?: readonly (MemoryTranslation | undefined)[] | undefined;
}

export type AskResources = (question: ResourceQuestion) => Promise<ResourceAnswer>;

/** Passes engine requests on as a worker's questions. */
export function askEngine(
  ask: (question: WorkerQuestion) => Promise<WorkerAnswer>,
): (request: HostRequest) => Promise<readonly PlainOutcome[]> {
  return async (engine) => (await ask({ engine })).outcomes ?? [];
}
