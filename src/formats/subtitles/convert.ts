import { DragomanError } from '../../base/errors.ts';
import type { CueToken } from './cue-text.ts';
import type { SubtitleDocument, SubtitleNotation } from './document.ts';
import type { SubtitleFormat } from './names.ts';
import { subtitleNotation } from './format.ts';
import type { LossListener, StyledCue } from './styled-cue.ts';
import { decodeEntity } from './tagged-text.ts';

export interface Conversion {
  readonly content: string;
  /** The content that the other format does not support, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Writes subtitles in another format: every cue with its times, as exact as the format allows, identifiers, and the
 * styling that both formats support. With the same format, the text stays unchanged.
 *
 * @throws DragomanError `unreadable_input` for a file without a cue, and `integrity` if the result does not read back
 * as the same cues
 */
export function convertSubtitles(
  document: SubtitleDocument,
  format: SubtitleFormat,
  language = document.locale,
): Conversion {
  const to = subtitleNotation(format);
  if (document.notation === to) return { content: document.text, warnings: [] };
  const losses = new Map<string, number>();
  const lose: LossListener = (what) => void losses.set(what, (losses.get(what) ?? 0) + 1);
  const cues = document.notation.toStyled(document, lose);
  if (cues.length === 0) {
    throw new DragomanError('unreadable_input', 'the file has no subtitle to convert', {
      at: { line: 1, column: 1 },
    });
  }
  if (cues.some(({ start, end }) => Math.max(start, end) > LONGEST)) {
    throw new DragomanError('unreadable_input', 'a subtitle has a time of 10,000 hours or more', {
      at: { line: 1, column: 1 },
      hint: 'No other format supports this. Correct the times.',
    });
  }
  const content = to.fromStyled(cues, lose, language).replaceAll('\n', document.lineEnd);
  requireSame(cues, content, to);
  return {
    content,
    warnings: [...losses].map(
      ([what, count]) => `dropped ${what} (${count}): ${to.title} does not support them`,
    ),
  };
}

/** The longest time in milliseconds: most formats have four digits for hours. */
const LONGEST = 10_000 * 3_600_000 - 1;

/** Compares the times of the written cues, with the precision of the format. */
function requireSame(cues: readonly StyledCue[], content: string, notation: SubtitleNotation): void {
  const spoken = cues.filter(({ tokens }) =>
    tokens.some((token) => token.type === 'words' && /\S/.test(token.text)),
  );
  // Some formats cannot have cues without words.
  if (spoken.length === 0) return;
  const written = notation.scan(content);
  const grid = notation.timeGrid(written);
  const isNear = (time: number, other: number | undefined): boolean =>
    other !== undefined && Math.abs(time - other) <= grid;
  const found = written.cues.filter(({ text }) => notation.cueText.readTokens(text).some(isSeen));
  const isSame = spoken.every(({ start, end }, i) => {
    const other = found[i];
    if (!isNear(start, other?.start)) return false;
    // A cue that ends before it begins is never displayed, and some formats cannot express it.
    return (
      notation.hasEnds === false || isNear(Math.max(start, end), other && Math.max(other.start, other.end))
    );
  });
  if (isSame && found.length === spoken.length) return;
  throw new DragomanError('integrity', 'the conversion does not read back as the same subtitles');
}

function isSeen(token: CueToken): boolean {
  if (token.type === 'words') return /\S/.test(token.raw);
  if (token.type !== 'code') return false;
  return token.kind === 'entity'
    ? /\S/.test(decodeEntity(token.raw))
    : token.kind === 'link' || token.kind === 'note';
}
