import { DragomanError } from '../../base/errors.ts';
import type { ScanOptions } from '../format.ts';
import { CueCollector } from './cue-collector.ts';
import type { SubtitleDocument } from './document.ts';

/**
 * Finds the cues of a SubRip file. Numbers may be missing, doubled or out of order, times may have a point, cues may be
 * empty, and an empty line between two cues may be missing.
 *
 * @throws DragomanError `unreadable_input` for text that belongs to no cue, for times that cannot be read or overflow
 * (more than 59 minutes or seconds), and for a file without any cue.
 */
export function scanSrt(text: string, options: ScanOptions = {}): SubtitleDocument {
  const found = new CueCollector(text, 'srt', options);
  collectSrt(found);
  return found.document();
}

/** Finds the cues alone. */
export function collectSrt(found: CueCollector): void {
  let at = 0;
  while (at < found.lines.length) {
    if (found.lineAt(at).replace('\ufeff', '').trim() === '') {
      at++;
      continue;
    }
    const timing = found.timingAt(at);
    if (timing) {
      at = found.addCue(undefined, at, timing);
      continue;
    }
    const behindNumber = found.isNumber(at) ? found.timingAt(at + 1) : undefined;
    if (!behindNumber) throw strayText(found, at);
    at = found.addCue(at, at + 1, behindNumber);
  }
  if (!found.hasNoCue) return;
  throw new DragomanError('unreadable_input', 'the file has no subtitle', { at: { line: 1, column: 1 } });
}

function strayText(found: CueCollector, at: number): DragomanError {
  const error = found.failure(
    at,
    found.isNumber(at) ? 'a timing line is missing behind this number' : 'this text belongs to no subtitle',
  );
  return new DragomanError(error.code, error.message, {
    at: error.at,
    hint: 'A subtitle is a number, a timing line and its text, without empty lines between them.',
  });
}
