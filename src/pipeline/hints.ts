import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SegmentHint, SimilarTranslation } from '../engines/engine.ts';
import type { TaggedText } from '../text/tagged.ts';
import type { FindHints, SegmentContext } from './segment-outcome.ts';
import type { PreparedUnit } from './prepared-unit.ts';

/** A segment stands in any number of values: more than the first few would tell an engine nothing new. */
const MOST_PLACES = 3;
const MOST_SIMILAR = 3;
/** Looking for similar texts takes milliseconds in a large memory. */
const TEXTS_IN_A_TURN = 8;

/** Finds the hints for the segments of prepared units; undefined for an engine that does not use them. */
export function hintsFor(prepared: readonly PreparedUnit[], context: SegmentContext): FindHints | undefined {
  const engineUses = context.engine.uses;
  if (!engineUses?.hints) return undefined;
  const memory = engineUses.similar ? context.memory : undefined;
  const places = new Map<TaggedText, PreparedUnit[]>();
  for (const one of prepared) {
    for (const segment of one.segments) {
      const known = places.get(segment) ?? [];
      places.set(segment, known);
      if (known.length < MOST_PLACES) known.push(one);
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

function describe(prepared: readonly PreparedUnit[]): SegmentHint {
  const contexts = prepared.flatMap(({ unit }) => unit.context ?? []);
  return {
    keys: contexts.map(({ key }) => key.join('.')),
    comments: [...new Set(contexts.flatMap(({ comment }) => comment ?? []))],
    neighbours: contexts[0]?.neighbours,
  };
}

async function findSimilar(
  prepared: readonly PreparedUnit[],
  { memory, source, target }: SegmentContext,
): Promise<readonly SimilarTranslation[]> {
  const message = prepared.find(({ segments }) => segments.length === 1)?.remembered;
  if (!memory || !message) return [];
  return memory.findSimilar(message, { source, target }, { most: MOST_SIMILAR });
}
