import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { ScanOptions, Slot } from '../format.ts';
import {
  type Cue,
  type CueProblem,
  type ReadCue,
  requireCues,
  type SubtitleBlock,
  type SubtitleDocument,
  type SubtitleNotation,
} from './document.ts';
import { isCueNumber, isProblem, type Timing, type TimingProblem } from './timing.ts';

/** A format whose cues are a line with times, lines of text, and an empty line. */
export interface BlockNotation extends SubtitleNotation {
  /** Reads a line; undefined when it is no timing line and was not meant to be one. */
  readonly readTiming: (line: string) => Timing | TimingProblem | undefined;
  /** A file without a cue is one of this format. */
  readonly mayBeEmpty?: boolean;
}

/** What the scanners of such formats share: lines, cues and their slots. */
export class CueCollector {
  readonly text: string;
  readonly lines: Lines;
  readonly #notation: BlockNotation;
  readonly #options: ScanOptions;
  readonly #visit: ReadCue | undefined;
  #count = 0;
  readonly #cues: Cue[] = [];
  readonly #slots: CueSlot[] = [];
  readonly #blocks: SubtitleBlock[] = [];
  readonly #problems: CueProblem[] = [];
  /** By line break and what follows: all cues of a usual file share one. */
  readonly #places = new Map<string, SlotPlace>();

  /** @param visit gets the cues: then nothing of them is kept */
  constructor(text: string, notation: BlockNotation, options: ScanOptions, visit?: ReadCue) {
    this.#visit = visit;
    this.text = text;
    this.lines = new Lines(text);
    this.#notation = notation;
    this.#options = options;
  }

  isNumber(line: number): boolean {
    return isCueNumber(this.lines.textOf(line));
  }

  /** What stands on a line that is, or was meant as, a timing line. */
  timingAt(line: number): Timing | TimingProblem | undefined {
    return this.#notation.readTiming(this.lines.textOf(line));
  }

  /** Whether a line has times that can be read. */
  isTiming(line: number): boolean {
    const timing = this.timingAt(line);
    return timing !== undefined && !isProblem(timing);
  }

  /** Adds the cue whose timing line this is. Returns the line behind it. */
  addCue(idLine: number | undefined, timingLine: number, timing: Timing): number {
    const { lines } = this;
    const end = this.#endOfText(timingLine + 1);
    const head = { start: lines.startOf(idLine ?? timingLine), end: lines.endOf(timingLine) };
    const span = this.#textSpan(timingLine + 1, end);
    const text = span ? this.text.slice(span.start, span.end).replace(/\r\n?/g, '\n') : '';
    this.#count++;
    if (this.#visit) {
      this.#visit({ head, key: [String(this.#count)], text: span && text });
      return end;
    }
    const slot = span ? this.#addSlot(span, text, timingLine, end) : undefined;
    const id = idLine === undefined ? undefined : lines.textOf(idLine).replace(/^\ufeff/, '');
    const { start, end: until, settings } = timing;
    this.#cues.push({ id, head, start, end: until, settings, text, slot });
    return end;
  }

  /**
   * Keeps what is no cue although it was meant as one, up to where one may begin again. Returns the line behind it.
   *
   * @param from where it begins: the line with the problem, or the number before it
   */
  addBroken(from: number, problemLine: number, { problem, column }: TimingProblem): number {
    this.#problems.push({ offset: this.lines.startOf(problemLine) + column, message: problem });
    const end = this.#endOfText(problemLine + 1);
    this.addBlock('unknown', from, end);
    return end;
  }

  addBlock(kind: SubtitleBlock['kind'], from: number, to: number): void {
    this.#blocks.push({ kind, span: { start: this.lines.startOf(from), end: this.lines.endOf(to - 1) } });
  }

  /** @throws DragomanError `unreadable_input` for more problems than cues, and where there are none of both. */
  requireCues(): void {
    requireCues(this.text, this.#count, this.#problems, this.#notation.mayBeEmpty);
  }

  document(): SubtitleDocument {
    return {
      notation: this.#notation,
      text: this.text,
      slots: this.#slots,
      entries: [],
      tree: undefined,
      dialect: this.#notation.title,
      warnings: [],
      cues: this.#cues,
      blocks: this.#blocks,
      problems: this.#problems,
      lineEnd: /\r\n|\n|\r/.exec(this.text)?.[0] ?? '\n',
    };
  }

  /** An empty line ends a cue; where it is missing, the next cue does, also one that cannot be read. */
  #endOfText(from: number): number {
    let at = from;
    while (!this.lines.isEmpty(at)) {
      if (this.timingAt(at)) return at > from && this.isNumber(at - 1) ? at - 1 : at;
      at++;
    }
    return at;
  }

  #textSpan(from: number, end: number): Span | undefined {
    const { lines } = this;
    let last = end;
    while (last > from && lines.textOf(last - 1).trim() === '') last--;
    return last > from ? { start: lines.startOf(from), end: lines.endOf(last - 1) } : undefined;
  }

  #addSlot(span: Span, value: string, timingLine: number, end: number): number {
    const lineEnd = this.lines.breakOf(timingLine);
    const isFollowed = span.end === this.lines.endOf(end - 1) && this.timingAt(end) !== undefined;
    const id = `${lineEnd}${isFollowed}`;
    let place = this.#places.get(id);
    if (!place) {
      place = { notation: this.#notation, lineEnd, isFollowed, encodable: this.#options.encodable };
      this.#places.set(id, place);
    }
    return this.#slots.push(new CueSlot(this.#count, value, span, place)) - 1;
  }
}

/** What the texts of a file have in common. */
interface SlotPlace {
  readonly notation: BlockNotation;
  readonly lineEnd: string;
  /** A timing line follows the text at once, without an empty line between. */
  readonly isFollowed: boolean;
  readonly encodable: ScanOptions['encodable'];
}

/** The text of a cue. */
class CueSlot implements Slot {
  readonly value: string;
  readonly span: Span;
  readonly #number: number;
  readonly #place: SlotPlace;

  constructor(number: number, value: string, span: Span, place: SlotPlace) {
    this.#number = number;
    this.value = value;
    this.span = span;
    this.#place = place;
  }

  get key(): readonly [string] {
    return [String(this.#number)];
  }

  get syntax(): 'plain' {
    return 'plain';
  }

  encode(text: string): string {
    requireCueText(text, this.#place);
    // Not a copy of what all texts of a file weigh.
    return this.#place.lineEnd === '\n' ? text : text.replaceAll('\n', this.#place.lineEnd);
  }
}

function requireCueText(text: string, { notation, isFollowed, encodable }: SlotPlace): void {
  const refuse = (reason: string): never => {
    throw new DragomanError('unencodable_value', `a subtitle cannot hold ${reason}`);
  };
  const lines = text.split('\n');
  // At the end of a text a line of blanks is an empty one.
  if (lines.some((line) => line === '') || lines.at(-1)?.trim() === '') refuse('an empty line');
  if (text.includes('\r')) refuse('a carriage return within a line');
  if (lines.some((line) => notation.readTiming(line))) refuse('what looks like a timing line');
  if (isFollowed && isCueNumber(lines.at(-1) ?? ''))
    refuse('a number before the times of the next one, whose number it would be');
  if (encodable && !encodable(text)) refuse('characters that the encoding of the file does not have');
}

/** The lines of a text, by number from 0; CRLF, LF and a lone CR each end one. Holds three numbers for each. */
export class Lines {
  readonly count: number;
  readonly #text: string;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    const breaks = countBreaks(text);
    this.#starts = new Uint32Array(breaks + 2);
    this.#ends = new Uint32Array(breaks + 1);
    let line = 0;
    for (const { index, 0: found } of text.matchAll(/\r\n|\n|\r/g)) {
      this.#ends[line++] = index;
      this.#starts[line] = index + found.length;
    }
    if (this.startOf(line) < text.length) {
      this.#ends[line++] = text.length;
      this.#starts[line] = text.length;
    }
    this.count = line;
  }

  /** The end of the text for a line behind the last. */
  startOf(line: number): number {
    return line < this.#starts.length ? (this.#starts[line] ?? 0) : this.#text.length;
  }

  /** Before its line break. */
  endOf(line: number): number {
    return line < this.count ? (this.#ends[line] ?? 0) : this.#text.length;
  }

  textOf(line: number): string {
    return line < this.count ? this.#text.slice(this.startOf(line), this.endOf(line)) : '';
  }

  /** An empty line, or the end of the text. A line of blanks is a line of text. */
  isEmpty(line: number): boolean {
    return line >= this.count || this.startOf(line) === this.endOf(line);
  }

  /** The line break at its end; empty at the end of a text without one. */
  breakOf(line: number): string {
    return this.#text.slice(this.endOf(line), this.startOf(line + 1));
  }
}

function countBreaks(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\r\n|\n|\r/g)) count++;
  return count;
}
