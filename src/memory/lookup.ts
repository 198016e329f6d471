import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { MemoryMessage, MemoryTranslation } from '../pipeline/memory.ts';
import { takeApart } from './comparable.ts';
import type { Ids } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import { areStorable, isSameKey, keyOf, splitSegments, type MessageKey } from './message-key.ts';
import { isBetter, type Ranked } from './rank.ts';
import type { RowOf } from './row.ts';
import type { SimilarIndex } from './similar-index.ts';
import { compare, LEAST_SIMILARITY, MOST_SIMILARITY } from './similarity.ts';
import type { Uses } from './uses.ts';

/** What a memory's file is read with. */
export interface Reading {
  readonly file: MemoryFile;
  readonly ids: Ids;
  readonly index: SimilarIndex;
  readonly uses: Uses;
}

/** What is found of a message. */
interface Found extends MessageKey, Ranked {
  readonly message: number;
  readonly translation: string;
  readonly engine: number | null;
  readonly used: number;
}

const FOUND_SHAPE = [
  ...(['number', 'number', 'text', 'text', 'text', 'text'] as const),
  ...(['text', 'number', 'number or null', 'number', 'number'] as const),
] as const;

type FoundRow = RowOf<typeof FOUND_SHAPE>;

const FOUND = `
  m.hash, m.id, m.segments, m.placeholders, m.category,
  t.context, t.segments, t.is_human, t.engine, t.changed, t.used`;

/** The first in order: a human's before an engine's, then the newest. */
const BEST = `
  select b.context from translations as b where b.message = m.id and b.pair = ?
  order by b.is_human desc, b.changed desc limit 1`;

/** Where a text stands in thousands of contexts, only two of them can be the best. */
const OF_WANTED = `
  cross join messages as m on m.hash = wanted.hash and m.source = ?
  join translations as t on t.message = m.id and t.pair = ? and t.context in ((${BEST}), wanted.context)`;

const BY_HASHES = `
  select ${FOUND} from (select value ->> 0 as hash, value ->> 1 as context from json_each(?)) as wanted
  ${OF_WANTED}`;

const BY_HASH = `select ${FOUND} from (select ? as hash, ? as context) as wanted ${OF_WANTED}`;

const BY_ID = `
  select ${FOUND} from json_each(?) as wanted
  cross join messages as m on m.id = wanted.value
  join translations as t on t.message = m.id and t.pair = ? and t.context = (${BEST})`;

/** The best translation of each message. */
export function findExact(
  messages: readonly MemoryMessage[],
  pair: LanguagePair,
  { file, ids, uses }: Reading,
): readonly (MemoryTranslation | undefined)[] {
  const pairId = ids.findPair(pair);
  if (pairId === undefined) return messages.map(() => undefined);
  const keys = messages.map((message) => keyOf(message, pair.source));
  const byHash = new Map<number, Found[]>();
  const wanted = messages.map(({ context }, i) => [keys[i]?.hash ?? 0, context] as const);
  const [only] = wanted;
  const of = [pair.source, pairId, pairId];
  const rows =
    only && wanted.length === 1
      ? file.rows(BY_HASH, FOUND_SHAPE, [...only, ...of])
      : file.rows(BY_HASHES, FOUND_SHAPE, [JSON.stringify(wanted), ...of]);
  for (const row of rows) {
    const found = foundOf(row);
    const known = byHash.get(found.hash);
    if (known) known.push(found);
    else byHash.set(found.hash, [found]);
  }
  return messages.map(({ context }, i) => {
    const key = keys[i];
    let best: Found | undefined;
    for (const found of (key && byHash.get(key.hash)) ?? []) {
      if (!key || !isSameKey(found, key)) continue;
      if (!best || isBetter(found, best, context)) best = found;
    }
    if (!best) return undefined;
    uses.note({ ...best, pair: pairId });
    return {
      translations: splitSegments(best.translation),
      origin: best.isHuman ? 'human' : 'machine',
      ...(best.engine !== null && { engine: ids.engineName(best.engine) }),
    };
  });
}

/**
 * So many of the texts that may be the most alike are compared. More are found only where thousands are nearly the
 * same.
 */
const MOST_CANDIDATES = 2_000;
const AT_ONCE = 50;

/** The translations of the texts that are most like that of a message. */
export function findAlike(
  message: MemoryMessage,
  pair: LanguagePair,
  most: number,
  { file, ids, index, uses }: Reading,
): readonly SimilarTranslation[] {
  const pairId = ids.findPair(pair);
  const [only, ...others] = message.segments;
  if (only === undefined || others.length > 0 || !areStorable(message.segments)) return [];
  if (pairId === undefined || most <= 0) return [];
  const key = keyOf(message, pair.source);
  const text = takeApart(key.segments);
  const candidates = index.candidates(text, pair.source, MOST_CANDIDATES);
  let best: readonly Alike[] = [];
  for (let i = 0; i < candidates.length; i += AT_ONCE) {
    const some = candidates.slice(i, i + AT_ONCE);
    const worst = best.length < most ? 0 : (best.at(-1)?.similarity ?? 0);
    // They come by the most that they can be.
    if ((some[0]?.mostSimilarity ?? 0) < worst) break;
    const wanted = JSON.stringify(some.map((candidate) => candidate.message));
    const alike = file.rows(BY_ID, FOUND_SHAPE, [wanted, pairId, pairId]).flatMap((row): Alike[] => {
      const found = foundOf(row);
      if (isSameKey(found, key)) return [];
      const similarity = Math.min(MOST_SIMILARITY, compare(text, takeApart(found.segments)));
      return similarity < LEAST_SIMILARITY ? [] : [{ found, similarity }];
    });
    best = bestOf([...best, ...alike], message.context).slice(0, most);
  }
  return best.map(({ found, similarity }) => {
    uses.note({ ...found, pair: pairId });
    return { source: found.segments, translation: found.translation, similarity };
  });
}

interface Alike {
  readonly found: Found;
  readonly similarity: number;
}

/** The best translation of each text, the most similar text first; the order is the same every time. */
function bestOf(alike: readonly Alike[], context: string): readonly Alike[] {
  const bySource = new Map<string, Alike>();
  for (const one of alike) {
    const known = bySource.get(one.found.segments);
    if (!known || isBetter(one.found, known.found, context)) bySource.set(one.found.segments, one);
  }
  return [...bySource.values()].sort(
    (a, b) => b.similarity - a.similarity || a.found.message - b.found.message,
  );
}

function foundOf(row: FoundRow): Found {
  const [hash, message, segments, placeholders, category, context, translation] = row;
  const [, , , , , , , isHuman, engine, changed, used] = row;
  return {
    ...{ hash, message, segments, placeholders, category, context, translation },
    ...{ isHuman: isHuman === 1, engine, changed, used },
  };
}
