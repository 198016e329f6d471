import { keepsText } from '../../engines/copy.ts';
import { translateSegments } from '../../pipeline/segments.ts';
import { NO_ANSWER, type SegmentContext } from '../../pipeline/unit.ts';
import { fit, type Fit, type CueLayout } from './distribute.ts';
import { segmentOf, type Segment } from './segment.ts';
import type { Passage } from './sentences.ts';
import type { Turn } from './utterance.ts';

/** The new text of each turn, or why it has none. */
export interface TurnTexts {
  readonly texts: ReadonlyMap<Turn, string>;
  readonly problems: ReadonlyMap<Turn, string>;
}

interface PassageText {
  readonly passage: Passage;
  readonly segment: Segment;
}

/**
 * Translates passages: as a whole; those whose answer does not fit turn by turn; those that still do not in the runs
 * between their placeholders.
 *
 * @throws DragomanError `engine_unavailable`.
 */
export async function translatePassages(
  passages: readonly Passage[],
  context: SegmentContext,
  layout: CueLayout,
): Promise<TurnTexts> {
  const texts = new Map<Turn, string>();
  const problems = new Map<Turn, string>();
  const settle = ({ passage }: PassageText, result: Fit): void => {
    passage.forEach((turn, i) => {
      if ('problem' in result) problems.set(turn, result.problem);
      else {
        texts.set(turn, result.texts[i] ?? turn.raw);
        problems.delete(turn);
      }
    });
  };
  const attempt = async (
    works: readonly PassageText[],
    split = false,
  ): Promise<readonly { readonly work: PassageText; readonly engineFailed: boolean }[]> => {
    if (works.length === 0 || context.signal.aborted) return [];
    const segments = works.map(({ segment: { tagged } }) => ({ tagged }));
    const outcomes = await translateSegments(segments, context, { split });
    return works.flatMap((work) => {
      const outcome = outcomes.get(work.segment.tagged) ?? NO_ANSWER;
      const failed = 'failure' in outcome;
      const result = failed
        ? { problem: outcome.failure }
        : fit(work.passage, work.segment, outcome.translation, layout);
      settle(work, result);
      return 'problem' in result ? [{ work, engineFailed: failed }] : [];
    });
  };
  // Cut and wrapped again, a text would not stay as it is.
  if (passages.length > 0 && (await keepsText(context.engine, context.source, context.target))) {
    context.onKept?.(context.source, context.target);
    return { texts, problems };
  }
  const misfits = await attempt(passages.map(workOf));
  const long = misfits.filter(({ work }) => work.passage.length > 1);
  const alone = long.flatMap(({ work }) => work.passage.map((turn) => workOf([turn])));
  const left = [...misfits.filter(({ work }) => work.passage.length === 1), ...(await attempt(alone))];
  // An answer that never came will not come for its parts either.
  await attempt(
    left.filter(({ engineFailed }) => !engineFailed).map(({ work }) => work),
    true,
  );
  return { texts, problems };
}

function workOf(passage: Passage): PassageText {
  return { passage, segment: segmentOf(passage) };
}
