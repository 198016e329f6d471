/** A parsed timing line. Times in milliseconds. */
export interface Timing {
  readonly start: number;
  readonly end: number;
  /** The text after the times: cue settings (VTT), coordinates (SRT). */
  readonly settings: string;
}

export interface TimingProblem {
  readonly problem: string;
  /** Column of the problem, from 0. */
  readonly column: number;
}

// Both formats are parsed leniently, as real files require: a comma or a point, optional hours and fraction. As in the
// standard's WebVTT parser, no blank is required between times and settings.
const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?`;
const TIMING = new RegExp(`^[ \\t\\ufeff]*(${TIME})[ \\t]*-->[ \\t]*(${TIME})(?![\\d.,:])(.*)$`, 's');
const ARROW = '-->';

/** Whether a line may be the number of a cue whose times are on the next line. */
export function isCueNumber(line: string): boolean {
  return /^[ \t\ufeff]*\d{1,18}[ \t]*$/.test(line);
}

export function isProblem(read: Timing | TimingProblem): read is TimingProblem {
  return 'problem' in read;
}

/**
 * Reads a timing line of SRT or VTT; undefined if the line is not intended as one.
 *
 * @param reservesArrow every line with an arrow is intended as one (VTT); otherwise an arrow may be text, unless times
 * are next to it
 */
export function readArrowTiming(line: string, reservesArrow: boolean): Timing | TimingProblem | undefined {
  const arrow = line.indexOf(ARROW);
  if (arrow < 0) return undefined;
  const match = TIMING.exec(line);
  if (!match) return reservesArrow || isMeantAsTiming(line, arrow) ? malformed(line) : undefined;
  const [, first = '', , , , , second = ''] = match;
  const start = readTime(first, match, 2);
  if (typeof start === 'string') return { problem: start, column: line.indexOf(first) };
  const end = readTime(second, match, 7);
  if (typeof end === 'string') return { problem: end, column: line.indexOf(second, arrow) };
  return { start, end, settings: match[11]?.trim() ?? '' };
}

export function malformed(line: string): TimingProblem {
  return { problem: 'the times of this line cannot be read', column: line.length - line.trimStart().length };
}

function isMeantAsTiming(line: string, arrow: number): boolean {
  const before = line.slice(0, Math.min(arrow, 64));
  return /^[\s\d:.,;-]*$/.test(before) || /^\s*-?\d+:\d/.test(line.slice(arrow + ARROW.length, arrow + 32));
}

/** Milliseconds, or the problem with the time. A fraction is decimal: `,5` is half a second. */
function readTime(time: string, match: RegExpExecArray, from: number): number | string {
  const [hours, minutes, seconds] = [match[from] ?? 0, match[from + 1], match[from + 2]].map(Number);
  if (hours === undefined || minutes === undefined || seconds === undefined) return `${time} is not a time`;
  if (minutes > 59) return `the time ${time} has ${minutes} minutes`;
  if (seconds > 59) return `the time ${time} has ${seconds} seconds`;
  const fraction = match[from + 3]?.padEnd(3, '0') ?? 0;
  return (hours * 3600 + minutes * 60 + seconds) * 1000 + Number(fraction);
}

const CLOCK = /(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2})(?:([,.])(\d{1,3}))?/g;

/**
 * Replaces the times in a text.
 *
 * @param most the number of leading times that belong to the cue
 * @param point the separator for a new fraction
 */
export function retimeClocks(
  raw: string,
  change: (time: number) => number,
  { most = Infinity, point }: { readonly most?: number; readonly point: string },
): string {
  let seen = 0;
  return raw.replaceAll(
    CLOCK,
    (written, hours: string | undefined, ...rest: readonly (string | undefined)[]) => {
      seen++;
      if (seen > most) return written;
      const [minutes = '', seconds = '', sign = point, fraction] = rest;
      const of = (part: string | undefined): number => Number(part ?? 0);
      const thousandths = Number((fraction ?? '').padEnd(3, '0'));
      const time = change((of(hours) * 3600 + of(minutes) * 60 + of(seconds)) * 1000 + thousandths);
      const digits = fraction?.length ?? (Math.round(time) % 1000 === 0 ? 0 : 3);
      return writeLike(time, { hours, minutes, sign, digits });
    },
  );
}

interface ClockStyle {
  /** The hours as written, to preserve their width. */
  readonly hours: string | undefined;
  readonly minutes: string;
  readonly sign: string;
  /** The digits of the fraction. */
  readonly digits: number;
}

function writeLike(time: number, { hours, minutes, sign, digits }: ClockStyle): string {
  const grid = 10 ** (3 - digits);
  const whole = Math.round(time / grid) * grid;
  const pad = (value: number, width: number): string => String(Math.floor(value)).padStart(width, '0');
  const hasHours = hours !== undefined || whole >= 3_600_000;
  const before = hasHours ? `${pad(whole / 3_600_000, hours?.length ?? 2)}:` : '';
  const clock = `${before}${pad((whole / 60_000) % 60, minutes.length)}:${pad((whole / 1000) % 60, 2)}`;
  return digits === 0 ? clock : `${clock}${sign}${pad((whole % 1000) / grid, digits)}`;
}

/** The head of a cue whose last line begins with its two times. */
export function retimeHead(raw: string, change: (time: number) => number, point: string): string {
  const at = Math.max(raw.lastIndexOf('\n'), raw.lastIndexOf('\r')) + 1;
  return raw.slice(0, at) + retimeClocks(raw.slice(at), change, { most: 2, point });
}

interface Times {
  readonly start: number;
  readonly end: number;
}

/** Rounds both times to the unit of a format. A shorter cue still gets a positive duration. */
export function roundTimes({ start, end }: Times, grid: number): Times {
  const near = (time: number): number => Math.round(time / grid) * grid;
  if (end <= start || near(end) > near(start)) return { start: near(start), end: near(end) };
  const begin = Math.floor(start / grid) * grid;
  return { start: begin, end: begin + grid };
}

/**
 * `HH:MM:SS,mmm`
 *
 * @param point the separator before the fraction
 * @param digits of the fraction; the time is truncated, not rounded
 */
export function writeTime(time: number, point: string, digits = 3): string {
  const pad = (value: number, width: number): string => String(Math.floor(value)).padStart(width, '0');
  const clock = [time / 3_600_000, (time / 60_000) % 60, (time / 1000) % 60].map((part) => pad(part, 2));
  return `${clock.join(':')}${point}${pad((time % 1000) / 10 ** (3 - digits), digits)}`;
}

/** `subtitle 3 at 00:00:05.000` */
export function cueName(number: number, start: number): string {
  return `subtitle ${number} at ${writeTime(start, '.')}`;
}
