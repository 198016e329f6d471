import { DragomanError } from '../../base/errors.ts';
import type { ScanOptions } from '../format.ts';
import { CueCollector } from './cue-collector.ts';
import type { SubtitleBlock, SubtitleDocument } from './document.ts';
import { isProblem } from './timing.ts';

const HEADER = /^\ufeff?WEBVTT(?:[ \t].*)?$/s;

/**
 * Finds the cues of a WebVTT file. As the standard's parser does, blocks without a timing line are passed over: what
 * they hold is never shown, so it is not translated either.
 *
 * Times that cannot be read or overflow are a problem of the document.
 *
 * @throws DragomanError `unreadable_input` when the header is missing, and for more problems than cues.
 */
export function scanVtt(text: string, options: ScanOptions = {}): SubtitleDocument {
  const found = new CueCollector(text, 'vtt', options);
  collectVtt(found);
  return found.document();
}

/** Finds the cues and blocks alone. */
export function collectVtt(found: CueCollector): void {
  if (!HEADER.test(found.lines.textOf(0))) {
    throw new DragomanError('unreadable_input', 'a WebVTT file begins with WEBVTT', {
      at: { line: 1, column: 1 },
      hint: 'A SubRip file with the wrong name? Rename it to .srt, and convert it with --format vtt.',
    });
  }
  let at = endOfHeader(found);
  found.addBlock('header', 0, at);
  while (at < found.lines.count) at = found.lines.isEmpty(at) ? at + 1 : readBlock(found, at);
  found.requireCues();
}

/** An empty line ends the header; some files have none, then the first cue does. */
function endOfHeader(found: CueCollector): number {
  let at = 1;
  while (!found.lines.isEmpty(at)) {
    if (found.isTiming(at)) return at > 1 && !/^[\w-]+[ \t]*:/.test(found.lines.textOf(at - 1)) ? at - 1 : at;
    at++;
  }
  return at;
}

function readBlock(found: CueCollector, at: number): number {
  const kind = kindOf(found.lines.textOf(at));
  if (kind === 'unknown') {
    const first = found.timingAt(at);
    const line = first ? at : at + 1;
    const timing = first ?? found.timingAt(line);
    if (timing && isProblem(timing)) return found.addBroken(at, line, timing);
    if (timing) return found.addCue(first ? undefined : at, line, timing);
  }
  let end = at + 1;
  while (!found.lines.isEmpty(end) && !found.isTiming(end)) end++;
  // Where the empty line is missing, the number before a timing line is the cue's.
  if (!found.lines.isEmpty(end) && end - 1 > at && found.isNumber(end - 1)) end--;
  found.addBlock(kind, at, end);
  return end;
}

function kindOf(line: string): SubtitleBlock['kind'] {
  if (/^NOTE(?:[ \t]|$)/.test(line)) return 'note';
  if (/^STYLE[ \t]*$/.test(line)) return 'style';
  return /^REGION[ \t]*$/.test(line) || line.startsWith('Region:') ? 'region' : 'unknown';
}
