import { digestOf } from '../base/digest.ts';
import type { LanguagePair } from '../engines/engine.ts';
import type { MemoryEntry, MemoryMessage, MemoryTranslation, TranslationMemory } from '../pipeline/memory.ts';
import type { OwnResources, ResourceStore, StoredTranslation } from '../store/resource-store.ts';
import type { ResourceAnswer, ResourceQuestion, SharedResources } from './worker-resources.ts';

export interface AccountResourcesOptions {
  readonly store: ResourceStore;
  readonly glossary?: SharedResources['glossary'];
  /** A shared memory, only read. The caller closes it. */
  readonly memory?: TranslationMemory | undefined;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** Maximum age of cached ids: another process may have changed them. */
const FRESH_MS = 5_000;
/** Longer translations are not stored, because such texts rarely recur. In UTF-16 code units, as stored. */
const MOST_CHARACTERS = 10_000;

type Found = MemoryTranslation | undefined;
/** By account. */
type AllResources = ReadonlyMap<string, OwnResources>;

/**
 * The translation resources of accounts, and the shared ones, for a server's workers. If a memory fails, the engine is
 * used.
 */
export class AccountResources {
  /** The resources that all accounts share. */
  readonly shared: SharedResources;
  readonly #store: ResourceStore;
  readonly #memory: TranslationMemory | undefined;
  readonly #log: AccountResourcesOptions['log'];
  #listed: AllResources | Promise<AllResources> | undefined;
  #listedAt = -Infinity;

  constructor({ store, glossary, memory, log }: AccountResourcesOptions) {
    this.shared = { glossary, hasMemory: memory !== undefined };
    this.#store = store;
    this.#memory = memory;
    this.#log = log;
  }

  /**
   * The account's resources, at most 5 s old; undefined if it has none. Returns a promise only if the store must be
   * queried.
   *
   * @throws DragomanError of the store
   */
  own(accountId: string): OwnResources | undefined | Promise<OwnResources | undefined> {
    const now = performance.now();
    let listed = this.#listed;
    if (!listed || now - this.#listedAt > FRESH_MS) {
      this.#listedAt = now;
      listed = this.#list();
    }
    return listed instanceof Promise ? listed.then((all) => all.get(accountId)) : listed.get(accountId);
  }

  /** Late answers to earlier requests, and their failures, are ignored. */
  #list(): Promise<AllResources> {
    const list = this.#store.list();
    const replaceWith = (all: AllResources | undefined): void => {
      if (this.#listed === list) this.#listed = all;
    };
    this.#listed = list;
    list.then(replaceWith, () => replaceWith(undefined));
    return list;
  }

  /** @throws DragomanError of the store, for a glossary: nothing may be translated without its terms */
  async answer(question: ResourceQuestion): Promise<ResourceAnswer> {
    if ('glossaryOf' in question) return { glossary: await this.#store.glossaryOf(question.glossaryOf) };
    const { pair, memoryId } = question;
    if ('find' in question) return { found: await this.#find(question.find, pair, memoryId) };
    await this.#try(() => this.#remember(question.store, pair, question.memoryId), undefined);
    return {};
  }

  /** The shared memory's translations, otherwise the account's. */
  async #find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
    memoryId: string | undefined,
  ): Promise<readonly Found[]> {
    const shared = await this.#try(async () => (await this.#memory?.find(messages, pair)) ?? [], []);
    if (memoryId === undefined) return messages.map((_, i) => shared[i]);
    const open = messages.filter((_, i) => !shared[i]);
    const own = await this.#try(() => this.#findOwn(open, pair, memoryId), new Map<MemoryMessage, Found>());
    return messages.map((message, i) => shared[i] ?? own.get(message));
  }

  async #findOwn(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
    memoryId: string,
  ): Promise<ReadonlyMap<MemoryMessage, Found>> {
    if (messages.length === 0) return new Map();
    const digests = messages.map(digestOfMessage);
    const stored = await this.#store.findTranslations({ memoryId, ...pair }, [...new Set(digests)]);
    return new Map(messages.map((message, i) => [message, readTranslation(stored.get(digests[i] ?? ''))]));
  }

  async #remember(entries: readonly MemoryEntry[], pair: LanguagePair, memoryId: string): Promise<void> {
    const written = entries
      .map((entry): StoredTranslation => ({
        digest: digestOfMessage(entry),
        content: writeTranslation(entry),
      }))
      .filter(({ content }) => content.length <= MOST_CHARACTERS);
    await this.#store.storeTranslations({ memoryId, ...pair }, written);
  }

  async #try<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#log.warn({ err: error }, 'a translation memory cannot be used');
      return otherwise;
    }
  }
}

/** Equal for texts that only differ in Unicode composition. */
function digestOfMessage({ segments, placeholders, category }: MemoryMessage): string {
  return digestOf(JSON.stringify([segments, placeholders, category]).normalize('NFC'));
}

/** A translation as stored in the database, in JSON so that no character needs special treatment. */
type WrittenTranslation = readonly [engine: string | null, ...translations: string[]];

function writeTranslation({ translations, engine }: MemoryTranslation): string {
  return JSON.stringify([engine ?? null, ...translations] satisfies WrittenTranslation);
}

function readTranslation(content: string | undefined): Found {
  if (content === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this class
  const [engine, ...translations] = JSON.parse(content) as WrittenTranslation;
  return { translations, origin: 'machine', engine: engine ?? undefined };
}
