import { DragomanError } from '../../base/errors.ts';
import { positionsIn } from '../../base/span.ts';
import { render } from '../../formats/render.ts';
import type { SubtitleDocument, SubtitleNotation } from '../../formats/subtitles/document.ts';
import {
  composeCue,
  retargetSubtitles,
  type SubtitleOptions,
  type TranslatedSubtitles,
} from './translate-subtitles.ts';

export interface AnsweredSubtitles {
  readonly document: SubtitleDocument;
  /** For messages to the user. */
  readonly name: string;
  /** The file that the service answered. */
  readonly answer: string;
  /** Canonical. */
  readonly target: string;
  readonly options: SubtitleOptions;
}

/**
 * Writes the texts of a service's answer into the file as it is: of everything else not a byte changes, whatever the
 * service sent. It does not say which texts kept their source.
 *
 * @throws DragomanError `contract_violation` for an answer with other cues.
 */
export function takeCues({
  document,
  name,
  answer,
  target,
  options,
}: AnsweredSubtitles): TranslatedSubtitles {
  const { notation } = document;
  const answered = readAnswer(answer, notation);
  const values = new Map<number, string>();
  const problems = new Map<number, string>();
  for (const [i, cue] of document.cues.entries()) {
    const other = answered.cues[i];
    if (
      cue.start !== other?.start ||
      cue.end !== other.end ||
      answered.cues.length !== document.cues.length
    ) {
      throw new DragomanError(
        'contract_violation',
        `the service answered with other cues than ${name} has: content should have the same times`,
        { hint: 'Nothing was written. --per-cue has only the texts translated by the service.' },
      );
    }
    if (cue.slot === undefined) continue;
    if (other.text === '') problems.set(cue.slot, 'the service answered with an empty text');
    else values.set(cue.slot, composeCue(cue.text, other.text, { target, options, notation }));
  }
  const rendering = render({ scan: (text) => notation.scan(text) }, document, values);
  for (const [slot, error] of rendering.rejected) problems.set(slot, error.message);
  const positionOf = positionsIn(document.text);
  const failures = document.slots.flatMap((slot, i) => {
    const reason = problems.get(i);
    return reason === undefined ? [] : [{ ...positionOf(slot.span.start), reason }];
  });
  return { content: retargetSubtitles(rendering, document, target), blocks: document.cues.length, failures };
}

function readAnswer(content: string, notation: SubtitleNotation): SubtitleDocument {
  try {
    return notation.scan(content);
  } catch (cause) {
    if (!(cause instanceof DragomanError)) throw cause;
    throw new DragomanError(
      'contract_violation',
      `the service answered with content that is no ${notation.title}: ${cause.message}`,
      { cause },
    );
  }
}
