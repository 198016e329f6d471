/**
 * The place of a cue on the screen, 1 to 9 as on a numeric keypad: 1 to 3 at the bottom, 4 to 6 in the middle, 7 to 9
 * at the top, from left to right. SubRip uses `{\an8}`; WebVTT uses cue settings. Both default to 2.
 */
export type CueAlignment = number;

export const DEFAULT_ALIGNMENT: CueAlignment = 2;

type LinePosition = 'bottom' | 'middle' | 'top';
type Column = 'left' | 'center' | 'right';

const ROWS: readonly LinePosition[] = ['bottom', 'middle', 'top'];
const COLUMNS: readonly Column[] = ['left', 'center', 'right'];

export function alignmentAt(row: LinePosition, column: Column): CueAlignment {
  return ROWS.indexOf(row) * 3 + COLUMNS.indexOf(column) + 1;
}

/** Rows of the older `{\a6}`, which start at 1, 5 and 9. */
const OLD_ROWS: readonly LinePosition[] = ['bottom', 'top', 'middle'];

/**
 * Reads an override such as `{\an8}`, `{\a6}` or `{\an8\fs20}`.
 *
 * @returns undefined if it sets no alignment; `isAll` if it sets nothing else
 */
export function alignmentOfOverride(
  raw: string,
): { readonly alignment: CueAlignment; readonly isAll: boolean } | undefined {
  const tags = raw.slice(2, -1).split('\\');
  for (const tag of tags) {
    const [, isNew, digits] = /^a(n?)(\d{1,2})\s*$/.exec(tag) ?? [];
    const number = Number(digits);
    const isAll = tags.length === 1;
    if (isNew === 'n' && number >= 1 && number <= 9) return { alignment: number, isAll };
    const alignment = isNew === '' ? oldAlignment(number) : undefined;
    if (alignment !== undefined) return { alignment, isAll };
  }
  return undefined;
}

/** Converts a number in `{\a6}` and SSA styles; undefined if it is invalid. */
export function oldAlignment(number: number): CueAlignment | undefined {
  const [row, column] = [OLD_ROWS[(number - 1) >> 2], COLUMNS[(number - 1) & 3]];
  return row && column ? alignmentAt(row, column) : undefined;
}

export function writeOverride(alignment: CueAlignment): string {
  return alignment === DEFAULT_ALIGNMENT ? '' : `{\\an${alignment}}`;
}

const LINES: Readonly<Record<LinePosition, readonly string[]>> = {
  bottom: [],
  middle: ['line:50%'],
  top: ['line:0'],
};

const POSITIONS: Readonly<Record<Column, readonly string[]>> = {
  left: ['position:0%', 'align:left'],
  center: [],
  right: ['position:100%', 'align:right'],
};

export function placeOf(alignment: CueAlignment): { readonly row: LinePosition; readonly column: Column } {
  const row = ROWS[Math.floor((alignment - 1) / 3)] ?? 'bottom';
  return { row, column: COLUMNS[(alignment - 1) % 3] ?? 'center' };
}

/** The cue settings of an alignment; empty for the default. */
export function writeSettings(alignment: CueAlignment): string {
  const { row, column } = placeOf(alignment);
  return [...LINES[row], ...POSITIONS[column]].join(' ');
}

/** The alignment nearest to cue settings, and whether it expresses the settings completely. */
export function alignmentOfSettings(
  settings: string,
  text: string,
): { readonly alignment: CueAlignment; readonly isExact: boolean } {
  const values = new Map<string, string>();
  for (const setting of settings.split(/[ \t]+/)) {
    const [, name = '', value = ''] = /^([a-z]+):(\S+)$/.exec(setting) ?? [];
    values.set(name, value);
  }
  const row = rowOf(values.get('line') ?? 'auto');
  const column = columnOf(values.get('align') ?? 'center', values.get('position'), text);
  const isKnown = [...values].every(
    ([name, value]) => KNOWN.has(name) || (name === 'size' && value === '100%'),
  );
  return {
    alignment: alignmentAt(row.is, column.is),
    isExact: isKnown && row.isExact && column.isExact,
  };
}

const KNOWN: ReadonlySet<string> = new Set(['line', 'position', 'align']);

interface Nearest<Place> {
  readonly is: Place;
  readonly isExact: boolean;
}

/**
 * A line number counts from the top, or from the bottom if negative; a percentage is a part of the height. A screen has
 * about 15 lines.
 */
function rowOf(line: string): Nearest<LinePosition> {
  const [, digits, percent] = /^(-?\d{1,5}(?:\.\d{1,5})?)(%?)(?:,(?:start|center|end))?$/.exec(line) ?? [];
  if (digits === undefined) return { is: 'bottom', isExact: line === 'auto' };
  const number = Number(digits);
  const share = percent === '%' ? number : ((number < 0 ? 15 + number : number) * 100) / 14;
  const is = share < 100 / 3 ? 'top' : share < 200 / 3 ? 'middle' : 'bottom';
  const isExact = ['0', '0%', '50%', '-1', '100%'].includes(line);
  return { is, isExact };
}

const EXACT_POSITIONS: Readonly<Record<Column, string>> = { left: '0%', center: '50%', right: '100%' };

function columnOf(align: string, position: string | undefined, text: string): Nearest<Column> {
  const [start, end]: readonly Column[] = isRightToLeft(text) ? ['right', 'left'] : ['left', 'right'];
  const names: Readonly<Record<string, Column | undefined>> = {
    start,
    end,
    left: 'left',
    right: 'right',
    center: 'center',
    middle: 'center',
  };
  const is = (Object.hasOwn(names, align) ? names[align] : undefined) ?? 'center';
  const [, place] = /^(\d{1,3}(?:\.\d{1,5})?)%/.exec(position ?? '') ?? [];
  const isExact = Object.hasOwn(names, align) && (position === undefined || position === EXACT_POSITIONS[is]);
  if (is !== 'center' || place === undefined) return { is, isExact };
  const share = Number(place);
  return { is: share < 100 / 3 ? 'left' : share < 200 / 3 ? 'center' : 'right', isExact };
}

/** Like players, uses the direction of the first letter. */
function isRightToLeft(text: string): boolean {
  const [letter = ''] = /\p{L}/u.exec(text.replace(/<[^<>]*>/g, '')) ?? [];
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter);
}
