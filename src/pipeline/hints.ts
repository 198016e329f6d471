import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SegmentHint, SimilarTranslation } from '../engines/engine.ts';
import type { TaggedText } from '../text/tagged.ts';
import type { FindHints, SegmentContext } from './segment-outcome.ts';
import type { Work } from './work.ts';

/** A segment stands in any number of values: more than the first few would tell an engine nothing new. */
const MOST_PLACES = 3;
const MOST_SIMILAR = 3;
/** Looking for similar texts takes milliseconds in a large memory. */
const TEXTS_IN_A_TURN = 8;

/** Finds what an engine that uses hints is told of the segments of works; undefined for one that does not. */
export function hintsFor(works: readonly Work[], context: SegmentContext): FindHints | undefined {
  const engineUses = context.engine.uses;
  if (!engineUses?.hints) return undefined;
  const memory = engineUses.similar ? context.memory : undefined;
  const places = new Map<TaggedText, Work[]>();
  for (const work of works) {
    for (const segment of work.segments) {
      const known = places.get(segment) ?? [];
      places.set(segment, known);
      if (known.length < MOST_PLACES) known.push(work);
    }
  }
  const find = async (text: TaggedText): Promise<SegmentHint | undefined> => {
    const uses = places.get(text);
    if (!uses || context.signal.aborted) return undefined;
    return { ...describe(uses), similar: await findSimilar(uses, { ...context, memory }) };
  };
  return async (texts) => {
    const hints: (SegmentHint | undefined)[] = [];
    for (const [i, text] of texts.entries()) {
      // A memory answers without leaving this turn of the event loop: an interruption would never be heard.
      if (memory && i % TEXTS_IN_A_TURN === 0) await nextTurn();
      hints.push(await find(text));
    }
    return hints;
  };
}

function describe(works: readonly Work[]): SegmentHint {
  const contexts = works.flatMap(({ unit }) => unit.context ?? []);
  return {
    keys: contexts.map(({ key }) => key.join('.')),
    comments: [...new Set(contexts.flatMap(({ comment }) => comment ?? []))],
    neighbours: contexts[0]?.neighbours,
  };
}

async function findSimilar(
  works: readonly Work[],
  { memory, source, target }: SegmentContext,
): Promise<readonly SimilarTranslation[]> {
  const message = works.find(({ segments }) => segments.length === 1)?.remembered;
  if (!memory || !message) return [];
  return memory.findSimilar(message, { source, target }, { most: MOST_SIMILAR });
}
