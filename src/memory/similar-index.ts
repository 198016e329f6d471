import { sqliteCode } from '../sqlite/error.ts';
import { comparableOf, type Comparable } from './comparable.ts';
import type { MemoryFile } from './memory-file.ts';
import { hashOf, splitSegments } from './message-key.ts';
import { isComparable, isShort, LEAST_SIMILARITY } from './similarity.ts';
import type { TermNumbers } from './terms.ts';
import { addTo } from '../base/map-of-lists.ts';

/**
 * Finds messages that may be similar to a text, without visiting all of them.
 *
 * If two texts have a similarity of s, their common tokens weigh at least s times as much as the heavier text, in
 * any order, because every other token reduces the similarity by its weight. Order all keys globally,
 * the rarest first, and index for each text the first keys that together weigh just more than the part that may differ,
 * 1 − ¾. Two similar texts then share at least one indexed key: if their first common key came later, they could not
 * have enough in common. A bit set of all keys excludes candidates that certainly lack too much.
 *
 * Short texts are found by their words, which must be equal.
 */
export class SimilarIndex {
  readonly #file: MemoryFile;
  readonly #terms: TermNumbers;
  #isComplete = false;

  constructor(file: MemoryFile, terms: TermNumbers) {
    this.#file = file;
    this.#terms = terms;
  }

  /** Call this when any process may have stored messages. */
  lookAgain(): void {
    this.#isComplete = false;
  }

  /** Call this in the transaction that removed messages, because their numbers may be reused. */
  giveNumbersBack(): void {
    this.#file.run('update indexed set last = min(last, (select coalesce(max(id), 0) from messages))');
  }

  /** Adds the messages stored since the last call, by any process. In a read-only file, lookups do not include them. */
  #complete(): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    try {
      while (this.#file.row(UNINDEXED, ['number'])) this.#file.transaction(() => this.#addNext());
    } catch (error) {
      if (!UNWRITABLE.has(sqliteCode(error) ?? '')) throw error;
    }
  }

  #addNext(): void {
    const rows = this.#file.rows(
      `select id, source, segments from messages where id > (select last from indexed) order by id limit ${AT_ONCE}`,
      ['number', 'text', 'text'],
    );
    const bySource = new Map<string, IndexedMessage[]>();
    for (const [id, source, segments] of rows) {
      if (splitSegments(segments).length > 1) continue;
      addTo(bySource, source, { id, text: comparableOf(segments) });
    }
    for (const [source, messages] of bySource) this.#add(messages, source);
    const last = rows.at(-1)?.[0];
    if (last !== undefined) this.#file.run('update indexed set last = ?', [last]);
  }

  #add(messages: readonly IndexedMessage[], source: string): void {
    const comparable = messages.filter(({ text }) => isComparable(text));
    const long = comparable.filter(({ text }) => !isShort(text));
    const ids = this.#terms.require(commonestFirst(long.map(({ text }) => keysOf(text))), source);
    const rows = comparable.flatMap(({ id, text }) =>
      entriesOf(text, source, ids).map((entry) => ({ ...entry, message: id })),
    );
    // In table order, so that the same pages stay in use.
    rows.sort((a, b) => a.term - b.term || a.weight - b.weight || a.message - b.message);
    this.#file.insert(
      // The number may have belonged to a removed message.
      'insert or replace into similar (term, weight, message, bits)',
      rows.map(({ term, weight, message, bits }) => [term, weight, message, bits]),
    );
  }

  /** Call this in the transaction that removes the messages. */
  remove(messages: readonly IndexedMessage[], source: string): void {
    for (const { id, text } of messages) {
      if (!isComparable(text)) continue;
      const ids = this.#terms.find(isShort(text) ? [] : keysOf(text), source);
      for (const { term, weight } of entriesOf(text, source, ids)) {
        this.#file.run('delete from similar where term = ? and weight = ? and message = ?', [
          term,
          weight,
          id,
        ]);
      }
    }
  }

  /** Messages that may be similar to a text, in descending order of their highest possible similarity. */
  candidates(text: Comparable, source: string, most: number): readonly SimilarCandidate[] {
    if (!isComparable(text)) return [];
    this.#complete();
    const ids = this.#terms.find(isShort(text) ? [] : keysOf(text), source);
    const terms = entriesOf(text, source, ids).map(({ term }) => term);
    if (terms.length === 0) return [];
    const common = isShort(text) ? [] : commonWeights(text, ids);
    const { weight } = text;
    const rows = this.#file.rows(
      candidatesBy(common.length),
      ['number', 'number'],
      [
        ...common.flat(),
        weight,
        JSON.stringify(terms),
        Math.ceil(weight * LEAST_SIMILARITY),
        Math.floor(weight / LEAST_SIMILARITY),
        LEAST_SIMILARITY,
        most,
      ],
    );
    return rows.map(([message, mostSimilarity]) => ({ message, mostSimilarity }));
  }
}

/** Messages added in one transaction. */
const AT_ONCE = 10_000;

const UNWRITABLE: ReadonlySet<string> = new Set(['SQLITE_BUSY', 'SQLITE_READONLY', 'SQLITE_FULL']);

const UNINDEXED = 'select 1 from messages where id > (select last from indexed) limit 1';

export interface IndexedMessage {
  readonly id: number;
  readonly text: Comparable;
}

export interface SimilarCandidate {
  readonly message: number;
  readonly mostSimilarity: number;
}

interface IndexEntry {
  readonly term: number;
  readonly weight: number;
  /** One bit per key; keys may share a bit. */
  readonly bits: number;
}

/** The number of bits that a number can hold exactly. */
const BITS = 48;

/** The keys of a text; repeated keys are distinct. */
function keysOf({ tokens }: Comparable): readonly string[] {
  const seen = new Set<string>();
  return tokens.map(({ key }) => {
    let name = key;
    for (let count = 2; seen.has(name); count++) name = `${key}\u001f${count}`;
    seen.add(name);
    return name;
  });
}

function entriesOf(
  text: Comparable,
  source: string,
  ids: ReadonlyMap<string, number>,
): readonly IndexEntry[] {
  const { weight, words } = text;
  // Negative, to differ from every term's number.
  if (isShort(text)) return [{ term: -hashOf(source, words) - 1, weight, bits: 0 }];
  const keys = keysOf(text).map((key, i) => ({
    id: ids.get(key) ?? Infinity,
    weight: text.tokens[i]?.weight ?? 0,
  }));
  const known = new Set(keys.flatMap(({ id }) => (id === Infinity ? [] : id % BITS)));
  let bits = 0;
  for (const bit of known) bits += 2 ** bit;
  keys.sort((a, b) => (a.id === b.id ? 0 : b.id - a.id));
  const rarest: IndexEntry[] = [];
  let sum = 0;
  for (const { id, weight: own } of keys) {
    // A new term sorts before all others, and occurs in no other text.
    if (id !== Infinity) rarest.push({ term: id, weight, bits });
    sum += own;
    if (sum > weight * (1 - LEAST_SIMILARITY)) break;
  }
  return rarest;
}

/**
 * The statement for texts with this many distinct bits, which adds up the weights that a row may have in common with
 * the text. For short texts, all weight counts as common. The number of distinct statements is small, so they can be
 * cached.
 */
function candidatesBy(bits: number): string {
  const common =
    bits === 0 ? 'heavier' : Array.from({ length: bits }, () => '(bits >> ? & 1) * ?').join(' + ');
  return `
    select message, max(common * 1.0 / heavier) as most from (
      select message, heavier, ${common} as common from (
        select message, bits, max(weight, ?) as heavier from similar
        where term in (select value from json_each(?)) and weight between ? and ?
      )
    )
    where common >= ? * heavier
    group by message order by most desc, message limit ?`;
}

/** The bits of a text's keys, each with the total weight of its keys. */
function commonWeights(
  text: Comparable,
  ids: ReadonlyMap<string, number>,
): readonly (readonly [bit: number, weight: number])[] {
  const weights = new Map<number, number>();
  for (const [i, key] of keysOf(text).entries()) {
    const id = ids.get(key);
    if (id === undefined) continue;
    weights.set(id % BITS, (weights.get(id % BITS) ?? 0) + (text.tokens[i]?.weight ?? 0));
  }
  return [...weights];
}

/** Distinct keys of texts, the most frequent first, which get the lowest numbers. */
function commonestFirst(texts: readonly (readonly string[])[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const keys of texts) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([key]) => key);
}
