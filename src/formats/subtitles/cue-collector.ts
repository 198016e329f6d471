import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import { normalizeLineEnds } from '../lines.ts';
import type { CueSurroundings, FoundCue, TextWriting } from './cue-list.ts';
import type { CueProblem, SubtitleBlock, SubtitleNotation } from './document.ts';
import { Lines } from './lines.ts';
import { isCueNumber, isProblem, type Timing, type TimingProblem } from './timing.ts';

/** A format whose cues consist of a timing line, lines of text and an empty line. */
export interface BlockNotation extends SubtitleNotation {
  /** Reads a timing line; undefined if the line is not intended as one. */
  readonly readTiming: (line: string) => Timing | TimingProblem | undefined;
}

/** The common code of block formats: lines, and the boundaries of cues. */
export class CueCollector {
  readonly text: string;
  readonly lines: Lines;
  readonly #notation: BlockNotation;
  readonly #take: (cue: FoundCue) => void;
  readonly #blocks: SubtitleBlock[] = [];
  readonly #problems: CueProblem[] = [];
  /**
   * One for each kind of line break, with or without an empty line after the text; usually all cues of a file share
   * one.
   */
  readonly #writings: BlockWriting[] = [];

  /** @param take receives the cues in file order */
  constructor(text: string, notation: BlockNotation, take: (cue: FoundCue) => void) {
    this.text = text;
    this.lines = new Lines(text);
    this.#notation = notation;
    this.#take = take;
  }

  /** The parts of the file that are not cues. */
  get around(): CueSurroundings {
    return { blocks: this.#blocks, problems: this.#problems };
  }

  isNumber(line: number): boolean {
    return isCueNumber(this.lines.textOf(line));
  }

  /** The timing line at `line`, or the problem with it. */
  timingAt(line: number): Timing | TimingProblem | undefined {
    return this.#notation.readTiming(this.lines.textOf(line));
  }

  /** Whether a line has valid times. */
  isTiming(line: number): boolean {
    const timing = this.timingAt(line);
    return timing !== undefined && !isProblem(timing);
  }

  /** Adds the cue with this timing line. Returns the index of the next line. */
  addCue(idLine: number | undefined, timingLine: number, timing: Timing): number {
    const { lines } = this;
    const end = this.#endOfText(timingLine + 1);
    const head = { start: lines.startOf(idLine ?? timingLine), end: lines.endOf(timingLine) };
    const span = this.#textSpan(timingLine + 1, end);
    const text = span ? normalizeLineEnds(this.text.slice(span.start, span.end)) : '';
    const id = idLine === undefined ? undefined : lines.textOf(idLine).replace(/^\ufeff/, '');
    const writing = this.#writingOf(span, timingLine, end);
    const { start, end: until, settings } = timing;
    this.#take({ id, head, start, end: until, settings, text, span, writing });
    return end;
  }

  /**
   * Records a malformed cue, up to the next possible start. Returns the index of the next line.
   *
   * @param from its first line: the one with the problem, or the number before it
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

  /** An empty line ends a cue; without one, the next cue ends it, even a malformed one. */
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

  #writingOf(span: Span | undefined, timingLine: number, end: number): TextWriting {
    const lineEnd = this.lines.breakOf(timingLine);
    const isFollowed = span?.end === this.lines.endOf(end - 1) && this.timingAt(end) !== undefined;
    const known = this.#writings.find((one) => one.isOf(lineEnd, isFollowed));
    if (known) return known;
    const writing = new BlockWriting(this.#notation, lineEnd, isFollowed);
    this.#writings.push(writing);
    return writing;
  }
}

/** Only stores what the file's texts have in common. */
class BlockWriting implements TextWriting {
  readonly #notation: BlockNotation;
  readonly #lineEnd: string;
  /** Whether a timing line follows the text directly, without an empty line. */
  readonly #isFollowed: boolean;

  constructor(notation: BlockNotation, lineEnd: string, isFollowed: boolean) {
    this.#notation = notation;
    this.#lineEnd = lineEnd;
    this.#isFollowed = isFollowed;
  }

  isOf(lineEnd: string, isFollowed: boolean): boolean {
    return this.#lineEnd === lineEnd && this.#isFollowed === isFollowed;
  }

  encode(text: string): string {
    const refuse = (reason: string): never => {
      throw new DragomanError('unencodable_value', `a subtitle cannot hold ${reason}`);
    };
    const lines = text.split('\n');
    // At the end of a text, a blank line counts as empty.
    if (lines.some((line) => line === '') || lines.at(-1)?.trim() === '') refuse('an empty line');
    if (lines.some((line) => this.#notation.readTiming(line))) refuse('text that looks like a timing line');
    if (this.#isFollowed && isCueNumber(lines.at(-1) ?? ''))
      refuse('a number just above the next timing line, which would become its number');
    // Returns the text itself, without a copy, if its line ends already fit.
    return this.#lineEnd === '\n' ? text : text.replaceAll('\n', this.#lineEnd);
  }

  decode(raw: string): string {
    return normalizeLineEnds(raw);
  }
}
