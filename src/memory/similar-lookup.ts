import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { MemoryMessage } from '../pipeline/memory.ts';
import { prepareUnit } from './comparable.ts';
import type { Reading } from './exact-lookup.ts';
import { BEST_CONTEXT, FOUND, FOUND_SHAPE, foundOf, type Found } from './found.ts';
import { areStorable, keyOf, NAME } from './message-key.ts';
import { isBetter } from './rank.ts';
import type { SimilarIndex } from './similar-index.ts';
import { compare, LEAST_SIMILARITY, MOST_SIMILARITY } from './similarity.ts';

/**
 * So many of the texts that may be the most alike are compared. More are found only where thousands are nearly the
 * same.
 */
const MOST_CANDIDATES = 2_000;
const AT_ONCE = 50;

const BY_ID = `
  select ${FOUND}, m.segments, ${NAME} from json_each(?) as wanted
  cross join messages as m on m.id = wanted.value
  join translations as t
    on t.message = m.id and t.pair = ? and t.project = ? and t.context = (${BEST_CONTEXT})`;

/** The translations of the texts that are most like that of a message. */
export function findAlike(
  message: MemoryMessage,
  pair: LanguagePair,
  most: number,
  { file, ids, index, uses, projects }: Reading & { readonly index: SimilarIndex },
): readonly SimilarTranslation[] {
  const pairId = ids.findPair(pair);
  const [only, ...others] = message.segments;
  if (only === undefined || others.length > 0 || !areStorable(message.segments)) return [];
  if (pairId === undefined || most <= 0) return [];
  const key = keyOf(message, pair.source);
  const text = prepareUnit(key.segments);
  const candidates = index.candidates(text, pair.source, MOST_CANDIDATES);
  let best: readonly Alike[] = [];
  for (let i = 0; i < candidates.length; i += AT_ONCE) {
    const some = candidates.slice(i, i + AT_ONCE);
    const worst = best.length < most ? 0 : (best.at(-1)?.similarity ?? 0);
    // They come by the most that they can be.
    if ((some[0]?.mostSimilarity ?? 0) < worst) break;
    const wanted = JSON.stringify(some.map((candidate) => candidate.message));
    const alike = projects.flatMap((project) => {
      const parameters = [wanted, pairId, project, pairId, project];
      return file.rows(BY_ID, [...FOUND_SHAPE, 'text', 'text'], parameters).flatMap((row): Alike[] => {
        const [id, context, translation, isHuman, engine, changed, used, source, name] = row;
        if (name === key.name) return [];
        const similarity = Math.min(MOST_SIMILARITY, compare(text, prepareUnit(source)));
        if (similarity < LEAST_SIMILARITY) return [];
        const found = foundOf([id, context, translation, isHuman, engine, changed, used], project);
        return [{ found, source, similarity }];
      });
    });
    best = bestOf([...best, ...alike], message.context).slice(0, most);
  }
  return best.map(({ found, source, similarity }) => {
    uses.note(found, pairId);
    return { source, translation: found.translation, similarity };
  });
}

interface Alike {
  readonly found: Found;
  readonly source: string;
  readonly similarity: number;
}

/** The best translation of each text, the most similar text first; the order is the same every time. */
function bestOf(alike: readonly Alike[], context: string): readonly Alike[] {
  const bySource = new Map<string, Alike>();
  for (const one of alike) {
    const known = bySource.get(one.source);
    if (!known || isBetter(one.found, known.found, context)) bySource.set(one.source, one);
  }
  return [...bySource.values()].sort(
    (a, b) => b.similarity - a.similarity || a.found.message - b.found.message,
  );
}
