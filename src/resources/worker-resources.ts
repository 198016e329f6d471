import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { HostRequest, PlainOutcome } from '../engines/host.ts';
import { type Glossary, joinGlossaries, readGlossary } from '../pipeline/glossary.ts';
import type { MemoryEntry, MemoryMessage, MemoryTranslation, TranslationMemory } from '../pipeline/memory.ts';
import type { TranslationResources } from '../pipeline/unit.ts';
import type { OwnResources } from '../store/resource-store.ts';

/** What all accounts of a server have; can be cloned. */
export interface SharedResources {
  readonly glossary?: Glossary | undefined;
  /** Whether the program has a memory for all of them. */
  readonly hasMemory?: boolean | undefined;
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

/** What an account translates with that has nothing of its own. */
export function sharedResources(
  { glossary, hasMemory = false }: SharedResources,
  ask: AskResources,
): TranslationResources {
  return { glossary, memory: hasMemory ? new AskedMemory(undefined, ask) : undefined };
}

/** In one question: the program does nothing else meanwhile. */
const ASKED_AT_ONCE = 500;

/** What the program has of a text. It answers the same text only: similar ones are of no use to most engines. */
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

/** What a worker asks the program while it translates: its engine, or what an account has of its own. */
export type WorkerQuestion = { readonly engine: HostRequest } | ResourceQuestion;

/** Of a glossary by its account, and of a memory by its name; undefined for that of all accounts alone. */
export type ResourceQuestion =
  | { readonly glossaryOf: string }
  | {
      readonly find: readonly MemoryMessage[];
      readonly pair: LanguagePair;
      readonly memoryId: string | undefined;
    }
  | { readonly store: readonly MemoryEntry[]; readonly pair: LanguagePair; readonly memoryId: string };

/** The field that was asked for. */
export interface WorkerAnswer extends ResourceAnswer {
  readonly outcomes?: readonly PlainOutcome[] | undefined;
}

export interface ResourceAnswer {
  readonly glossary?: string | undefined;
  readonly found?: readonly (MemoryTranslation | undefined)[] | undefined;
}

export type AskResources = (question: ResourceQuestion) => Promise<ResourceAnswer>;

/** The engine behind a worker's questions. */
export function askEngine(
  ask: (question: WorkerQuestion) => Promise<WorkerAnswer>,
): (request: HostRequest) => Promise<readonly PlainOutcome[]> {
  return async (engine) => (await ask({ engine })).outcomes ?? [];
}
