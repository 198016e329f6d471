import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import { segmentOf } from '../../formats/subtitles/passage.ts';
import type { Failure, SegmentContext, UnitOutcome } from '../../pipeline/unit.ts';
import type { TaggedText } from '../../text/tagged.ts';
import { CuePassages, type WantsCue } from './cue-passages.ts';
import { FileTranslation } from './file-translation.ts';

const INTERRUPTED: Failure = { failure: 'the run was interrupted', kind: 'interrupted' };

/**
 * Translates some cues of a file as `translateCues` does: sentences are translated as a whole if all their cues are
 * wanted.
 *
 * @param slots of the wanted cues
 * @returns one outcome for each, in order
 * @throws DragomanError `engine_unavailable`
 */
export async function translateWantedCues(
  document: SubtitleDocument,
  slots: readonly number[],
  context: SegmentContext,
): Promise<readonly UnitOutcome[]> {
  const translation = new FileTranslation(document, context, wantsSlots(document, slots));
  await translation.translate();
  if (context.signal.aborted) return slots.map(() => INTERRUPTED);
  const { values, problems } = translation;
  // A cue without words has neither a problem nor a value.
  return slots.map(
    (slot) => problems.get(slot) ?? values.get(slot) ?? { value: document.slots[slot]?.value ?? '' },
  );
}

/** The texts that {@link translateWantedCues} sends first, which determine the price. */
export function segmentsOfCues(document: SubtitleDocument, slots: readonly number[]): readonly TaggedText[] {
  const passages = new CuePassages(document, { wants: wantsSlots(document, slots) });
  return [...passages.each()].map((passage) => segmentOf(passage).tagged);
}

function wantsSlots({ cues }: SubtitleDocument, slots: readonly number[]): WantsCue {
  const wanted = new Set(slots);
  return (index) => wanted.has(cues[index]?.slot ?? -1);
}
