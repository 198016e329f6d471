import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { ScanOptions, Slot } from '../format.ts';
import type { SubtitleFormat } from './document.ts';
import { isCueNumber, readTiming } from './timing.ts';

/** What the texts of a file have in common. */
export interface SlotPlace {
  readonly format: SubtitleFormat;
  readonly lineEnd: string;
  /** A timing line follows the text at once, without an empty line between. */
  readonly isFollowed: boolean;
  readonly encodable: ScanOptions['encodable'];
}

/** The text of a cue. */
export class CueSlot implements Slot {
  readonly key: readonly [string];
  readonly value: string;
  readonly span: Span;
  readonly syntax = 'plain';
  readonly #place: SlotPlace;

  constructor(number: string, value: string, span: Span, place: SlotPlace) {
    this.key = [number];
    this.value = value;
    this.span = span;
    this.#place = place;
  }

  encode(text: string): string {
    requireCueText(text, this.#place);
    return text.replaceAll('\n', this.#place.lineEnd);
  }
}

function requireCueText(text: string, { format, isFollowed, encodable }: SlotPlace): void {
  const refuse = (reason: string): never => {
    throw new DragomanError('unencodable_value', `a subtitle cannot hold ${reason}`);
  };
  const lines = text.split('\n');
  // At the end of a text a line of blanks is an empty one.
  if (lines.some((line) => line === '') || lines.at(-1)?.trim() === '') refuse('an empty line');
  if (text.includes('\r')) refuse('a carriage return within a line');
  if (lines.some((line) => readTiming(line, format))) refuse('what looks like a timing line');
  if (isFollowed && isCueNumber(lines.at(-1) ?? ''))
    refuse('a number before the times of the next one, whose number it would be');
  if (encodable && !encodable(text)) refuse('characters that the encoding of the file does not have');
}
