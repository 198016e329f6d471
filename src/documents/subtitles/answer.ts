import { DragomanError } from '../../base/errors.ts';
import type { SubtitleDocument, SubtitleNotation } from '../../formats/subtitles/document.ts';

/**
 * The texts of a service's answer for a file, by slot of the source; no other part of the answer is used.
 *
 * @param name of the source, for messages
 * @throws DragomanError `contract_violation` for an answer with different cues
 */
export function readCues(
  { cues, notation }: SubtitleDocument,
  answer: string,
  name: string,
): ReadonlyMap<number, string> {
  const answered = readAnswer(answer, notation);
  const texts = new Map<number, string>();
  for (const [i, { start, end, slot }] of cues.entries()) {
    const other = answered.cues[i];
    if (start !== other?.start || end !== other.end || answered.cues.length !== cues.length) {
      throw new DragomanError(
        'contract_violation',
        `the cues of the service's answer differ from those of ${name}: content should have the same times`,
        { hint: 'Nothing was written. --per-cue sends only the texts to the service.' },
      );
    }
    if (slot !== undefined) texts.set(slot, other.text);
  }
  return texts;
}

function readAnswer(content: string, notation: SubtitleNotation): SubtitleDocument {
  try {
    return notation.scan(content);
  } catch (cause) {
    if (!(cause instanceof DragomanError)) throw cause;
    throw new DragomanError(
      'contract_violation',
      `the service answered with content that is not ${notation.title}: ${cause.message}`,
      { cause },
    );
  }
}
