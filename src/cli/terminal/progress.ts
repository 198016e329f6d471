import type { Clock } from '../../base/clock.ts';
import { displayWidth } from '../../base/display-width.ts';
import { digits, durationOf } from './table.ts';

/** The progress of some work. Counts cover all languages and files. */
export interface ProgressStep {
  /** The current step: a language or a file. */
  readonly label: string;
  /** The number of the current step, starting at 1, and of all steps. */
  readonly at: number;
  readonly of: number;
  readonly done: number;
  /** Undefined if the total is unknown until the end. */
  readonly total?: number | undefined;
  /** The unit in the plural; `bytes` are shown as MB. */
  readonly unit: string;
  /** The service's estimate. Default: an estimate from the pace. */
  readonly msLeft?: number | undefined;
}

/** Where progress is shown. */
export interface ProgressView {
  /** How often the line is redrawn, even if nothing has happened. */
  readonly everyMs: number;
  /** Whether a line replaces the previous one, so that every step is shown immediately. */
  readonly isRedrawn: boolean;
  /** @param lines the same information from long to short: the first that fits is shown */
  draw(lines: readonly string[]): void;
  close(): void;
}

const CELLS = 5;

/**
 * `es 1/2 ▇▁▁▁▁ 21 % 640/3,000 texts 1:10 left`, then shorter lines for narrow terminals: without the bar, then without
 * the remaining time.
 */
export function progressLines(
  { label, at, of, done, total, unit }: ProgressStep,
  msLeft?: number,
): readonly string[] {
  const place = `${label} ${digits(at)}/${digits(of)}`;
  if (!total) return [`${place}  ${amountOf(done, unit)} ${nameOf(unit)}`];
  const share = Math.min(1, done / total);
  const full = Math.floor(share * CELLS);
  const bar = '▇'.repeat(full) + '▁'.repeat(CELLS - full);
  const left = msLeft === undefined ? '' : `  ${durationOf(msLeft)} left`;
  const counts = `${Math.floor(share * 100)} %  ${amountOf(done, unit)}/${amountOf(total, unit)} ${nameOf(unit)}`;
  return [`${place} ${bar} ${counts}${left}`, `${place} ${counts}${left}`, `${place} ${counts}`];
}

/** The first line that has at most `width` columns; otherwise the end of the last line, which has the counts. */
export function fittingLine(lines: readonly string[], width: number): string {
  const fitting = lines.find((line) => displayWidth(line) <= width);
  if (fitting !== undefined) return fitting;
  let end = '';
  let room = width - 1;
  for (const character of Array.from(lines.at(-1) ?? '').toReversed()) {
    room -= displayWidth(character);
    if (room < 0) break;
    end = character + end;
  }
  return `…${end}`;
}

function amountOf(number: number, unit: string): string {
  return unit === 'bytes' ? (number / 1e6).toFixed(1) : digits(number);
}

function nameOf(unit: string): string {
  return unit === 'bytes' ? 'MB' : unit;
}

/**
 * The period whose pace predicts the remaining time. Short, because matches from the memory come first and are faster.
 */
const WINDOW_MS = 60_000;
const MARK_MS = 1_000;

interface PaceMark {
  readonly time: number;
  readonly done: number;
}

class Pace {
  #marks: PaceMark[] = [];

  note(time: number, done: number): void {
    const last = this.#marks.at(-1);
    // A lower count means that another part of the work has started.
    if (last && done < last.done) this.#marks = [];
    else if (last && time - last.time < MARK_MS) return;
    this.#marks.push({ time, done });
    while ((this.#marks[1]?.time ?? time) < time - WINDOW_MS) this.#marks.shift();
  }

  msLeft(time: number, { done, total }: ProgressStep): number | undefined {
    const [first] = this.#marks;
    if (!first || total === undefined || done <= first.done || time <= first.time) return undefined;
    return ((total - done) * (time - first.time)) / (done - first.done);
  }
}

/**
 * Shows progress: on a terminal as one redrawn line, elsewhere as a line every 10 seconds. Opens nothing before the
 * first step.
 */
export class Progress {
  readonly #open: () => Promise<ProgressView>;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  readonly #pace = new Pace();
  #step: ProgressStep | undefined;
  #view: ProgressView | undefined;
  #showing: Promise<void> | undefined;
  /** The view may open later, and the clock redraws it too. */
  #isHidden = false;

  constructor(open: () => Promise<ProgressView>, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  show(step: ProgressStep): void {
    if (this.#end.signal.aborted) return;
    this.#step = step;
    this.#isHidden = false;
    this.#pace.note(this.#clock.now(), step.done);
    if (this.#view?.isRedrawn) this.#draw(this.#view);
    this.#showing ??= this.#keepShowing();
  }

  /** Clears the line for other output. The next step shows it again. */
  hide(): void {
    this.#isHidden = true;
    this.#view?.close();
  }

  /** Await this before writing anything else. Shows nothing afterwards. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#showing;
  }

  async #keepShowing(): Promise<void> {
    const view = await this.#open();
    this.#view = view;
    const { signal } = this.#end;
    // Draws finished work too, so that short work stays visible for a moment.
    if (view.isRedrawn) this.#draw(view);
    while (!signal.aborted) {
      await this.#clock.wait(view.everyMs, signal).catch(() => undefined);
      if (!signal.aborted) this.#draw(view);
    }
    view.close();
  }

  #draw(view: ProgressView): void {
    const step = view.isRedrawn && this.#isHidden ? undefined : this.#step;
    if (step) view.draw(progressLines(step, step.msLeft ?? this.#pace.msLeft(this.#clock.now(), step)));
  }
}
