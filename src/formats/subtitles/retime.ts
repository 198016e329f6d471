import { DragomanError } from '../../base/errors.ts';
import { type Edit, splice } from '../../base/span.ts';
import type { SubtitleDocument } from './document.ts';
import { cueName } from './timing.ts';

/** A change of times: a time becomes `time * stretch + shift`. */
export interface TimeChange {
  /** Milliseconds to add. */
  readonly shift: number;
  readonly stretch: number;
}

interface RetimedSubtitles {
  readonly content: string;
  /** The number of subtitles that would begin before 0; they begin at 0 instead. */
  readonly clamped: number;
}

/**
 * Changes the times of all subtitles in place; no other byte changes. The result is read back: each subtitle must have
 * its intended times, with the precision of the format.
 *
 * @param fps the value used to scan the document
 * @throws DragomanError `usage` for a format whose times cannot be changed and for a subtitle that would end before 0,
 * `integrity` if the result does not read back
 */
export function retimeSubtitles(
  document: SubtitleDocument,
  { shift, stretch }: TimeChange,
  fps: number | undefined,
): RetimedSubtitles {
  const { notation, text, cues, slots } = document;
  const { retime } = notation;
  if (!retime) {
    throw new DragomanError('usage', `the times of ${notation.title} files cannot be changed`, {
      hint: 'Convert the file with --format, such as --format vtt, in the same command.',
    });
  }
  const plain = (time: number): number => time * stretch + shift;
  for (const [i, { start, end }] of cues.entries()) {
    if (plain(Math.max(start, end)) < 0) {
      throw new DragomanError('usage', `${cueName(i + 1, start)} would end before 0`, {
        hint: 'Shift by less.',
      });
    }
  }
  const change = (time: number): number => Math.max(0, plain(time));
  const edits: Edit[] = [];
  let done = 0;
  for (const { head, slot } of cues) {
    // Several cues may share a line.
    if (head.start < done) continue;
    done = head.end;
    const span = slot === undefined ? undefined : slots[slot]?.span;
    for (const [part, place] of [
      ['head', head],
      ['text', span],
    ] as const) {
      if (!place) continue;
      const raw = text.slice(place.start, place.end);
      const written = retime(raw, part, change, document);
      if (written !== raw) edits.push({ span: place, text: written });
    }
  }
  const content = splice(text, edits);
  requireTimes(document, notation.scan(content, { fps }), change);
  return { content, clamped: cues.filter(({ start }) => plain(start) < 0).length };
}

function requireTimes(
  { cues, notation }: SubtitleDocument,
  written: SubtitleDocument,
  change: (time: number) => number,
): void {
  const grid = notation.timeGrid(written);
  const isSame = cues.every(({ start, end }, i) => {
    const other = written.cues[i];
    return (
      other && Math.abs(other.start - change(start)) <= grid && Math.abs(other.end - change(end)) <= grid
    );
  });
  if (isSame && written.cues.length === cues.length) return;
  throw new DragomanError('integrity', 'the changed times do not read back correctly');
}
