import { DragomanError } from '../../base/errors.ts';
import { positionsIn, type Span } from '../../base/span.ts';
import type { Key, ScanOptions, Slot } from '../format.ts';
import type { Block, Cue, SubtitleDocument, SubtitleFormat } from './document.ts';
import { linesOf, type Line } from './lines.ts';
import { readTiming, type Timing } from './timing.ts';

/** A line that may be the number of a cue. */
const NUMBER = /^[ \t\ufeff]*\d{1,18}[ \t]*$/;

/** Gets what a proof compares of a cue; the text is undefined where there is none. */
export type ReadCue = (cue: {
  readonly head: Span;
  readonly key: Key;
  readonly text: string | undefined;
}) => void;

/** What the scanners of both formats share: lines, cues and their slots. */
export class CueCollector {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly #format: SubtitleFormat;
  readonly #options: ScanOptions;
  readonly #positionOf: ReturnType<typeof positionsIn>;
  readonly #cues: Cue[] = [];
  readonly #slots: Slot[] = [];
  readonly #blocks: Block[] = [];
  /** By line end and what follows. */
  readonly #places: Record<string, Place> = {};

  readonly #visit: ReadCue | undefined;
  #count = 0;

  /** @param visit gets the cues: then nothing of them is kept */
  constructor(text: string, format: SubtitleFormat, options: ScanOptions, visit?: ReadCue) {
    this.#visit = visit;
    this.text = text;
    this.lines = linesOf(text);
    this.#format = format;
    this.#options = options;
    this.#positionOf = positionsIn(text);
  }

  lineAt(index: number): string {
    const line = this.lines[index];
    return line ? this.text.slice(line.start, line.end) : '';
  }

  /** An empty line, or the end of the text. A line of blanks is a line of text. */
  isEmpty(index: number): boolean {
    const line = this.lines[index];
    return !line || line.start === line.end;
  }

  isNumber(index: number): boolean {
    return NUMBER.test(this.lineAt(index));
  }

  /** The timing that stands on a line. @throws DragomanError `unreadable_input` when it cannot be read. */
  timingAt(index: number): Timing | undefined {
    const timing = readTiming(this.lineAt(index), this.#format);
    if (timing && 'problem' in timing) throw this.failure(index, timing.problem, timing.column);
    return timing;
  }

  /** As {@link timingAt}, where an arrow may be anything. */
  isTiming(index: number): boolean {
    const timing = readTiming(this.lineAt(index), this.#format);
    return timing !== undefined && !('problem' in timing);
  }

  /** Adds the cue whose timing line this is. Returns the line behind it. */
  addCue(idLine: number | undefined, timingLine: number, timing: Timing): number {
    const end = this.#endOfText(timingLine + 1);
    const first = this.lines[idLine ?? timingLine];
    const head = { start: first?.start ?? 0, end: this.lines[timingLine]?.end ?? 0 };
    const span = this.#textSpan(timingLine + 1, end);
    const text = span ? this.text.slice(span.start, span.end).replace(/\r\n?/g, '\n') : '';
    this.#count++;
    if (this.#visit) {
      this.#visit({ head, key: [String(this.#count)], text: span && text });
      return end;
    }
    const slot = span ? this.#addSlot(span, text, timingLine, end) : undefined;
    const id = idLine === undefined ? undefined : this.lineAt(idLine).replace(/^\ufeff/, '');
    this.#cues.push({ id, head, ...timing, text, slot });
    return end;
  }

  addBlock(kind: Block['kind'], from: number, to: number): void {
    const span = { start: this.lines[from]?.start ?? 0, end: this.lines[to - 1]?.end ?? 0 };
    this.#blocks.push({ kind, span });
  }

  failure(index: number, message: string, column = 0): DragomanError {
    const offset = (this.lines[index]?.start ?? this.text.length) + column;
    return new DragomanError('unreadable_input', message, { at: this.#positionOf(offset) });
  }

  get hasNoCue(): boolean {
    return this.#count === 0;
  }

  document(): SubtitleDocument {
    return {
      format: this.#format,
      text: this.text,
      slots: this.#slots,
      entries: [],
      dialect: this.#format === 'srt' ? 'SubRip' : 'WebVTT',
      warnings: [],
      cues: this.#cues,
      blocks: this.#blocks,
      lineEnd: /\r\n|\n|\r/.exec(this.text)?.[0] ?? '\n',
    };
  }

  /** An empty line ends a cue; where it is missing, the next cue does. */
  #endOfText(from: number): number {
    let at = from;
    while (!this.isEmpty(at)) {
      if (this.timingAt(at)) return at > from && this.isNumber(at - 1) ? at - 1 : at;
      at++;
    }
    return at;
  }

  #textSpan(from: number, end: number): Span | undefined {
    let last = end;
    while (last > from && this.lineAt(last - 1).trim() === '') last--;
    const [first, final] = [this.lines[from], this.lines[last - 1]];
    return last > from && first && final ? { start: first.start, end: final.end } : undefined;
  }

  #addSlot(span: Span, value: string, timingLine: number, behind: number): number {
    const line = this.lines[timingLine];
    const lineEnd = line ? this.text.slice(line.end, line.next) : '\n';
    const { encodable } = this.#options;
    const touches =
      !this.isEmpty(behind) && !this.isNumber(behind) && this.lines[behind - 1]?.end === span.end;
    const place = (this.#places[`${lineEnd}${touches}`] ??= {
      lineEnd,
      touches,
      format: this.#format,
      encodable,
    });
    return this.#slots.push(new CueSlot(this.#count, value, span, place)) - 1;
  }
}

/** What the texts of a file share. */
interface Place extends Pick<ScanOptions, 'encodable'> {
  readonly format: SubtitleFormat;
  readonly lineEnd: string;
  /** The timing line of the next cue follows directly, without a number or an empty line. */
  readonly touches: boolean;
}

class CueSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly syntax = 'plain';
  readonly #place: Place;

  constructor(number: number, value: string, span: Span, place: Place) {
    this.key = [String(number)];
    this.value = value;
    this.span = span;
    this.#place = place;
  }

  encode(value: string): string {
    const { lineEnd } = this.#place;
    requireCueText(value, this.#place);
    return value.replaceAll('\n', lineEnd);
  }
}

function requireCueText(text: string, { format, encodable, touches }: Place): void {
  const refuse = (reason: string): never => {
    throw new DragomanError('unencodable_value', `a subtitle cannot hold ${reason}`);
  };
  const lines = text.split('\n');
  // At the end of a text a line of blanks is an empty one.
  if (lines.some((line) => line === '') || lines.at(-1)?.trim() === '') refuse('an empty line');
  if (text.includes('\r')) refuse('a carriage return within a line');
  if (lines.some((line) => readTiming(line, format))) refuse('what looks like a timing line');
  if (touches && NUMBER.test(lines.at(-1) ?? '')) {
    refuse('a number as its last line where the next timing line follows without an empty line');
  }
  if (encodable && !encodable(text)) refuse('characters that the encoding of the file does not have');
}
