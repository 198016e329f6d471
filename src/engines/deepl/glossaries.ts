import type { Clock } from '../../base/clock.ts';
import { DragomanError } from '../../base/errors.ts';
import { unlessAborted } from '../../base/interruption.ts';
import type { LanguagePair, RequiredTerm } from '../engine.ts';
import type { Entries, GlossaryApi } from './glossary-api.ts';

interface GlossariesOptions {
  readonly api: GlossaryApi;
  readonly clock: Clock;
  /** Aborts when the connection is closed. */
  readonly closing: AbortSignal;
  /** Called once for each pair and reason why terms are not sent. */
  readonly onTrouble?: ((error: DragomanError) => void) | undefined;
}

interface DeepLGlossary {
  readonly id: string;
  /** The pair's terms. */
  readonly direction: string;
  readonly entries: Entries;
  readonly created: number;
  /** The number of pending requests that use the glossary. */
  users: number;
  /** Whether the service has translated with the glossary. */
  isProven: boolean;
  /** Whether further requests must not use the glossary. */
  isOver: boolean;
}

/** Identifies our glossaries. */
const NAME = 'dragoman-temporary';
const HOUR_MS = 3_600_000;
/** Glossaries of ours that are older than this are left over: a glossary is replaced after `LONGEST_USE_MS`. */
const LEFT_OVER_AFTER_MS = 24 * HOUR_MS;
const LONGEST_USE_MS = 12 * HOUR_MS;
const PAUSE_MS = 60_000;
const CLOSE_MS = 3_000;

/**
 * Temporary glossaries: one for each pair, which grows with the requested terms, so that one is enough for accounts
 * limited to one. Without a glossary, requests omit terms.
 */
export class Glossaries {
  readonly #options: GlossariesOptions;
  readonly #living = new Set<DeepLGlossary>();
  readonly #removals = new Set<Promise<void>>();
  /** Pending work on each pair's glossaries, in sequence. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #pausedUntil = new Map<string, number>();
  readonly #told = new Set<string>();
  #pairs: Promise<readonly LanguagePair[]> | undefined;
  #tidied: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: GlossariesOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` with the id of a glossary that has the terms, or without one.
   *
   * @param pair in the service's spelling
   * @throws errors of `work`, and `interrupted`
   */
  async with<T>(
    pair: LanguagePair,
    terms: readonly RequiredTerm[] | undefined,
    signal: AbortSignal,
    work: (id?: string) => Promise<T>,
  ): Promise<T> {
    const entries = entriesOf(terms ?? []);
    if (entries.size === 0) return work();
    // Recreates a glossary that was removed.
    for (let tries = 1; ; tries++) {
      const glossary = await this.#borrow(pair, entries, signal);
      if (!glossary) return work();
      try {
        const result = await work(glossary.id);
        glossary.isProven = true;
        return result;
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        const isGone = error.code === 'not_found';
        if (!isGone && (error.code !== 'invalid_request' || glossary.isProven)) throw error;
        if (!isGone || tries > 1) {
          // If the request also fails without the glossary, the glossary was not the cause.
          const result = await work();
          this.#despair(glossary.direction, error);
          glossary.isOver = true;
          return result;
        }
        glossary.isOver = true;
      } finally {
        this.#giveBack(glossary);
      }
    }
  }

  /** Removes all glossaries, if time permits. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#turns.size === 0) return;
    const limit = AbortSignal.timeout(CLOSE_MS);
    const inTime = (work: Promise<unknown>): Promise<unknown> =>
      unlessAborted(work, limit).catch(() => undefined);
    await inTime(Promise.all(this.#turns.values()));
    for (const glossary of this.#living) void this.#remove(glossary, limit);
    await inTime(Promise.all(this.#removals));
  }

  async #borrow(
    pair: LanguagePair,
    entries: Entries,
    signal: AbortSignal,
  ): Promise<DeepLGlossary | undefined> {
    const languages = { source: languageOf(pair.source), target: languageOf(pair.target) };
    const direction = `${languages.source}-${languages.target}`;
    const before = this.#turns.get(direction) ?? Promise.resolve();
    const turn = before.then(() => this.#lend(languages, direction, entries));
    const ended = turn.catch(() => undefined);
    this.#turns.set(direction, ended);
    try {
      return await unlessAborted(turn, signal);
    } catch (error) {
      void this.#giveBackWhenLent(ended);
      throw error;
    }
  }

  /** Gives a glossary back as soon as it is lent, because the caller was interrupted meanwhile. */
  async #giveBackWhenLent(lent: Promise<DeepLGlossary | undefined>): Promise<void> {
    const glossary = await lent;
    if (glossary) this.#giveBack(glossary);
  }

  #giveBack(glossary: DeepLGlossary): void {
    glossary.users--;
    if (glossary.isOver) this.#retire(glossary);
  }

  async #lend(
    languages: LanguagePair,
    direction: string,
    entries: Entries,
  ): Promise<DeepLGlossary | undefined> {
    const known = this.#usable(direction);
    let found = known.find((glossary) => includesAll(glossary.entries, entries));
    // A glossary with other terms does no harm, and may have some of these.
    const partial = known.find((glossary) => agree(glossary.entries, entries));
    if (!found && this.#mayTry(direction)) {
      try {
        found = await this.#make(languages, direction, join(partial?.entries ?? new Map(), entries));
        if (partial) this.#retire(partial);
      } catch (error) {
        if (!(error instanceof DragomanError) || error.code === 'interrupted') throw error;
        this.#despair(direction, error);
      }
    }
    const lent = found ?? (partial && this.#living.has(partial) ? partial : undefined);
    if (lent) lent.users++;
    return lent;
  }

  #usable(direction: string): readonly DeepLGlossary[] {
    const own = [...this.#living].filter((glossary) => glossary.direction === direction);
    const old = own.filter(({ created }) => this.#options.clock.now() - created > LONGEST_USE_MS);
    for (const glossary of old) this.#retire(glossary);
    return own.filter(({ isOver }) => !isOver).toReversed();
  }

  async #make(
    languages: LanguagePair,
    direction: string,
    entries: Entries,
  ): Promise<DeepLGlossary | undefined> {
    const { api, clock, closing } = this.#options;
    if (!(await this.#canHave(languages))) {
      const message = `DeepL has no glossaries for ${direction}`;
      throw new DragomanError('engine_unavailable', message);
    }
    await (this.#tidied ??= this.#tidy());
    const create = async (): Promise<DeepLGlossary> => {
      const created = clock.now();
      const id = await api.create(`${NAME} ${direction}`, languages, entries, closing);
      return { id, direction, entries, created, users: 0, isProven: false, isOver: false };
    };
    let glossary: DeepLGlossary;
    try {
      glossary = await create();
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      const idle = [...this.#living].filter(({ users }) => users === 0);
      if (idle.length === 0) throw error;
      for (const other of idle) await this.#remove(other);
      glossary = await create();
    }
    this.#living.add(glossary);
    return glossary;
  }

  async #canHave({ source, target }: LanguagePair): Promise<boolean> {
    const { api, closing } = this.#options;
    const asked = (this.#pairs ??= api.pairs(closing));
    try {
      return (await asked).some((pair) => pair.source === source && pair.target === target);
    } catch (error) {
      this.#pairs = undefined;
      throw error;
    }
  }

  /** Removes glossaries of earlier processes that were killed. */
  async #tidy(): Promise<void> {
    const { api, clock, closing } = this.#options;
    try {
      for (const { id, name, created } of await api.list(closing)) {
        const isLeftOver = name.startsWith(NAME) && clock.now() - created > LEFT_OVER_AFTER_MS;
        if (isLeftOver) await api.remove(id, closing);
      }
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
    }
  }

  /** Removes a glossary once no request uses it. */
  #retire(glossary: DeepLGlossary): void {
    glossary.isOver = true;
    // No translation waits for the removal.
    if (glossary.users === 0) void this.#remove(glossary);
  }

  async #remove(glossary: DeepLGlossary, signal = this.#options.closing): Promise<void> {
    if (!this.#living.delete(glossary)) return;
    const removal = this.#options.api.remove(glossary.id, signal);
    this.#removals.add(removal);
    await removal;
    this.#removals.delete(removal);
  }

  #mayTry(direction: string): boolean {
    return !this.#isClosed && this.#options.clock.now() >= (this.#pausedUntil.get(direction) ?? 0);
  }

  #despair(direction: string, error: DragomanError): void {
    this.#pausedUntil.set(direction, this.#options.clock.now() + PAUSE_MS);
    const reason = `${direction} ${error.code}`;
    if (!this.#told.has(reason)) this.#options.onTrouble?.(error);
    this.#told.add(reason);
  }
}

/** Glossaries ignore regions: an English glossary serves all variants of English. */
function languageOf(code: string): string {
  return code.toLowerCase().replace(/-.*$/, '');
}

/** Whether the account has no room for another glossary; removing one may help. */
function isNoRoom(error: unknown): boolean {
  if (!(error instanceof DragomanError)) return false;
  return error.code === 'insufficient_credits' || error.code === 'limit_exceeded';
}

const MOST_BYTES = 1_024;
/** A glossary can hold far more terms, and no project has nearly as many. */
const MOST_ENTRIES = 10_000;

/** The terms that a glossary can hold; if a term has several translations, the first. */
function entriesOf(terms: readonly RequiredTerm[]): Entries {
  const entries = new Map<string, string>();
  for (const { term, translation } of terms) {
    const source = phraseOf(term);
    const target = phraseOf(translation);
    if (source !== undefined && target !== undefined && !entries.has(source)) entries.set(source, target);
  }
  return entries;
}

/** The text on one line, without tabs; undefined if a glossary cannot hold it. */
function phraseOf(text: string): string | undefined {
  const phrase = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return phrase !== '' && phrase.isWellFormed() && Buffer.byteLength(phrase) <= MOST_BYTES
    ? phrase
    : undefined;
}

/** Whether two lists translate the phrases that they share in the same way. */
function agree(a: Entries, b: Entries): boolean {
  return [...a].every(([source, target]) => (b.get(source) ?? target) === target);
}

function includesAll(entries: Entries, wanted: Entries): boolean {
  return [...wanted].every(([source, target]) => entries.get(source) === target);
}

/** Returns both lists if they fit together, otherwise only the second. */
function join(known: Entries, wanted: Entries): Entries {
  const both = new Map([...known, ...wanted]);
  return both.size <= MOST_ENTRIES ? both : wanted;
}
