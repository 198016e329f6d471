import { DragomanError } from '../../base/errors.ts';
import { alignmentOfSettings, writeOverride, writeSettings } from './alignment.ts';
import { textToSrt, textToVtt, type Loss } from './convert-text.ts';
import type { SubtitleBlock, Cue, SubtitleDocument, SubtitleFormat } from './document.ts';
import { scanSubtitles } from './format.ts';
import { writeTime } from './timing.ts';

export interface Conversion {
  readonly content: string;
  /** What the other format has no place for, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Writes subtitles in the other format: every cue with its times to the millisecond, identifiers, and the styling that
 * both formats have. SubRip cues are numbered from 1. The same format is no conversion: the text stays as it is.
 *
 * @throws DragomanError `integrity` when the result does not read back as the same cues.
 */
export function convertSubtitles(document: SubtitleDocument, to: SubtitleFormat): Conversion {
  if (document.format === to) return { content: document.text, warnings: [] };
  const losses = new Map<string, number>();
  const lose: Loss = (what) => void losses.set(what, (losses.get(what) ?? 0) + 1);
  for (const block of document.blocks) loseBlock(block, document, lose);
  const parts = document.cues.map((cue, i) => writeCue(cue, i, to, lose));
  const lines = to === 'vtt' ? `WEBVTT\n\n${parts.join('\n')}` : parts.join('\n');
  const content = lines.replaceAll('\n', document.lineEnd);
  requireSame(document, content, to);
  return {
    content,
    warnings: [...losses].map(
      ([what, count]) => `${what} (${count}) have no place in ${NAMES[to]}: left out`,
    ),
  };
}

const NAMES: Readonly<Record<SubtitleFormat, string>> = { srt: 'SubRip', vtt: 'WebVTT' };

function writeCue(cue: Cue, index: number, to: SubtitleFormat, lose: Loss): string {
  const times = `${writeTime(cue.start, to)} --> ${writeTime(cue.end, to)}`;
  if (to === 'srt') {
    const { alignment, isExact } = alignmentOfSettings(cue.settings, cue.text);
    if (cue.settings !== '' && !isExact) lose('cue settings');
    const text = textToSrt(cue.text, lose);
    if (cue.id !== undefined && !/^\s*\d+\s*$/.test(cue.id)) lose('cue identifiers');
    return `${index + 1}\n${times}\n${text === '' ? '' : `${writeOverride(alignment)}${text}\n`}`;
  }
  if (cue.settings !== '') lose('coordinates');
  const { text, alignment } = textToVtt(cue.text, lose);
  const id = cue.id?.trim() ?? '';
  const line = `${times} ${writeSettings(alignment)}`.trimEnd();
  return `${id === '' ? '' : `${id}\n`}${line}\n${text === '' ? '' : `${text}\n`}`;
}

const BLOCK_NAMES: Readonly<Record<Exclude<SubtitleBlock['kind'], 'header'>, string>> = {
  note: 'NOTE blocks',
  style: 'STYLE blocks',
  region: 'REGION blocks',
  unknown: 'blocks without a timing line that can be read',
};

function loseBlock({ kind, span }: SubtitleBlock, { text }: SubtitleDocument, lose: Loss): void {
  if (kind !== 'header') lose(BLOCK_NAMES[kind]);
  else if (/\S/.test(text.slice(span.start, span.end).replace(/^\ufeff?WEBVTT/, ''))) {
    lose('header texts');
  }
}

function requireSame(document: SubtitleDocument, content: string, to: SubtitleFormat): void {
  const times = ({ cues }: SubtitleDocument): string =>
    cues.map(({ start, end }) => `${start} ${end}`).join('\n');
  // A VTT without cues is a SubRip file without any, which is none.
  if (document.cues.length === 0) {
    throw new DragomanError('unreadable_input', 'the file has no subtitle to convert', {
      at: { line: 1, column: 1 },
    });
  }
  if (times(scanSubtitles(content, to)) === times(document)) return;
  throw new DragomanError('integrity', 'the conversion does not read back as the same subtitles');
}
