import { digestOf } from '../base/digest.ts';
import type { LanguagePair } from '../engines/engine.ts';
import type { MemoryEntry, MemoryMessage, MemoryTranslation, TranslationMemory } from '../pipeline/memory.ts';
import type { OwnResources, ResourceStore, StoredTranslation } from '../store/resource-store.ts';
import type { ResourceAnswer, ResourceQuestion, SharedResources } from './worker-resources.ts';

export interface AccountResourcesOptions {
  readonly store: ResourceStore;
  readonly glossary?: SharedResources['glossary'];
  /** Answers all accounts, and learns of none. Stays the caller's, who closes it. */
  readonly memory?: TranslationMemory | undefined;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** How old the knowledge may be of what accounts have: another process may have changed it. */
const FRESH_MS = 5_000;
/** A longer translation is none of a text that comes again. In UTF-16 code units, as it is written. */
const MOST_CHARACTERS = 10_000;

type Found = MemoryTranslation | undefined;

/**
 * What accounts have of their own, and what all of them have, for the workers of a server. A memory that fails is no
 * reason to fail: the engine is asked then.
 */
export class AccountResources {
  /** What workers have for all accounts. */
  readonly shared: SharedResources;
  readonly #store: ResourceStore;
  readonly #memory: TranslationMemory | undefined;
  readonly #log: AccountResourcesOptions['log'];
  #listed: Promise<ReadonlyMap<string, OwnResources>> | undefined;
  #listedAt = -Infinity;

  constructor({ store, glossary, memory, log }: AccountResourcesOptions) {
    this.shared = { glossary, hasMemory: memory !== undefined };
    this.#store = store;
    this.#memory = memory;
    this.#log = log;
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

  /** @throws DragomanError of the store, for a glossary: without its terms nothing is to be translated. */
  async answer(question: ResourceQuestion): Promise<ResourceAnswer> {
    if ('glossaryOf' in question) return { glossary: await this.#store.glossaryOf(question.glossaryOf) };
    const { pair, memoryId } = question;
    if ('find' in question) return { found: await this.#find(question.find, pair, memoryId) };
    await this.#try(() => this.#remember(question.store, pair, question.memoryId), undefined);
    return {};
  }

  /** What the memory of all accounts has, else that of one account. */
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

/** The same for texts that differ in Unicode's composition only. */
function digestOfMessage({ segments, placeholders, category }: MemoryMessage): string {
  return digestOf(JSON.stringify([segments, placeholders, category]).normalize('NFC'));
}

/** A translation as the database has it: JSON, so that no character of a text is special. */
type WrittenTranslation = readonly [engine: string | null, ...translations: string[]];

function writeTranslation({ translations, engine }: MemoryTranslation): string {
  return JSON.stringify([engine ?? null, ...translations] satisfies WrittenTranslation);
}

function readTranslation(content: string | undefined): Found {
  if (content === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is written above
  const [engine, ...translations] = JSON.parse(content) as WrittenTranslation;
  return { translations, origin: 'machine', engine: engine ?? undefined };
}
