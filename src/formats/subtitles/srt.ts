import type { ScanOptions } from '../format.ts';
import { CueCollector } from './cue-collector.ts';
import type { SubtitleDocument } from './document.ts';
import { isProblem } from './timing.ts';

/**
 * Finds the cues of a SubRip file. Numbers may be missing, doubled or out of order, times may have a point, cues may be
 * empty, and an empty line between two cues may be missing. What belongs to no cue, or has times that cannot be read or
 * overflow (more than 59 minutes or seconds), is a problem of the document and stays as it is.
 *
 * @throws DragomanError `unreadable_input` for a file without any cue, and for one with more problems than cues.
 */
export function scanSrt(text: string, options: ScanOptions = {}): SubtitleDocument {
  const found = new CueCollector(text, 'srt', options);
  collectSrt(found);
  return found.document();
}

/** Finds the cues alone. */
export function collectSrt(found: CueCollector): void {
  let at = 0;
  while (at < found.lines.count) {
    if (found.lines.textOf(at).replace('\ufeff', '').trim() === '') at++;
    else at = readBlock(found, at);
  }
  found.requireCues();
}

function readBlock(found: CueCollector, at: number): number {
  const isNumber = found.isNumber(at);
  const line = isNumber ? at + 1 : at;
  const timing = found.timingAt(line);
  if (timing && isProblem(timing)) return found.addBroken(at, line, timing);
  if (timing) return found.addCue(isNumber ? at : undefined, line, timing);
  const problem = isNumber
    ? 'a timing line is missing behind this number'
    : 'this text belongs to no subtitle';
  return found.addBroken(at, at, { problem, column: 0 });
}
