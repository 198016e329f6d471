import { DEFAULT_ALIGNMENT, type Alignment } from './alignment.ts';

/** What a conversion leaves out: a kind of thing, once for all its occurrences. */
export type Loss = (what: string) => void;

/** A subtitle in the terms of all formats: what a conversion carries from one to another. */
export interface StyledCue {
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  /** An identifier that is more than a number. */
  readonly id?: string | undefined;
  readonly alignment: Alignment;
  /** Who speaks, where the format has a place for it outside of the text. */
  readonly speaker?: string | undefined;
  readonly tokens: readonly StyledToken[];
}

/** How long a cue without an end stays, where no other follows sooner; milliseconds. */
export const OPEN_END = 5000;

export type StyledToken =
  /** As people see it: decoded. */
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'break' }
  /** Tags may be open at the end, and closed without being open: players allow it. */
  | { readonly type: 'open' | 'close'; readonly style: CueStyle }
  | { readonly type: 'open'; readonly style: 'color'; readonly color: string }
  | { readonly type: 'close'; readonly style: 'color' }
  /** The words behind it appear, or are sung, at this time; milliseconds. */
  | { readonly type: 'time'; readonly at: number };

/** Bold, italic, underlined. */
export type CueStyle = 'b' | 'i' | 'u';

export function isTextStyle(name: string): name is CueStyle {
  return name === 'b' || name === 'i' || name === 'u';
}

/**
 * The tokens as text. Lines that hold nothing, since what stood in them was left out, go: in most formats an empty line
 * ends a cue.
 *
 * @param write what a token becomes; words that follow each other are one token
 */
export function writeTokens(tokens: readonly StyledToken[], write: (token: StyledToken) => string): string {
  return joinWords(tokens)
    .map(write)
    .join('')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** Words with a parenthesis for each `opening` of what would be read as a code, which no escape prevents. */
export function parenthesize(words: string, opening: RegExp, what: string, lose: Loss): string {
  return words.replaceAll(opening, () => {
    lose(what);
    return '(';
  });
}

/** Words that follow each other as one token. */
export function joinWords(tokens: readonly StyledToken[]): readonly StyledToken[] {
  const joined: StyledToken[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token.type === 'words' && last?.type === 'words')
      joined[joined.length - 1] = { type: 'words', text: last.text + token.text };
    else joined.push(token);
  }
  return joined;
}

/** A cue's text in a format without markup, its lines separated by `lineEnd`. What is left out is reported. */
export function plainTextOf({ tokens, ...cue }: StyledCue, lineEnd: string, lose: Loss): string {
  loseAround(cue, ['id', 'alignment', 'speaker'], lose);
  const words = dropStyles(tokens, MARKUP, lose);
  const text = writeTokens(words, (token) => (token.type === 'words' ? token.text : '\n'));
  return text.replaceAll('\n', lineEnd);
}

/** What styles are called where a format has no place for them. */
export const MARKUP: Readonly<Record<CueStyle | 'color' | 'time', string>> = {
  b: 'bold, italic and underlined texts',
  i: 'bold, italic and underlined texts',
  u: 'bold, italic and underlined texts',
  color: 'colours',
  time: 'timestamps within texts',
};

/** Reports what a cue says beside its text and a format has no place for. */
export function loseAround(
  { id, alignment, speaker }: Omit<StyledCue, 'tokens'>,
  parts: readonly ('id' | 'alignment' | 'speaker')[],
  lose: Loss,
): void {
  if (parts.includes('id') && id !== undefined && !/^\d*$/.test(id)) lose('cue identifiers');
  if (parts.includes('alignment') && alignment !== DEFAULT_ALIGNMENT) lose('positions');
  if (parts.includes('speaker') && speaker !== undefined) lose('names of speakers');
}

/** Reports styles that a format has no place for. Returns the tokens without them. */
export function dropStyles(
  tokens: readonly StyledToken[],
  names: Readonly<Partial<Record<CueStyle | 'color' | 'time', string>>>,
  lose: Loss,
): readonly StyledToken[] {
  return tokens.filter((token) => {
    if (token.type === 'words' || token.type === 'break') return true;
    const name = names[token.type === 'time' ? 'time' : token.style];
    if (name === undefined) return true;
    if (token.type !== 'close') lose(name);
    return false;
  });
}

/** The colours that WebVTT has classes for, and the other names of CSS that subtitles use. */
const COLORS: Readonly<Record<string, string>> = {
  white: '#ffffff',
  lime: '#00ff00',
  cyan: '#00ffff',
  aqua: '#00ffff',
  red: '#ff0000',
  yellow: '#ffff00',
  magenta: '#ff00ff',
  fuchsia: '#ff00ff',
  blue: '#0000ff',
  black: '#000000',
  green: '#008000',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  orange: '#ffa500',
  purple: '#800080',
  maroon: '#800000',
  navy: '#000080',
  teal: '#008080',
  olive: '#808000',
  pink: '#ffc0cb',
};

/** `#rrggbb` in lower case of a colour as HTML and CSS write it; undefined for one that is not known. */
export function readColor(written: string): string | undefined {
  const color = written.trim().toLowerCase();
  if (Object.hasOwn(COLORS, color)) return COLORS[color];
  const [, digits] = /^#?([\da-f]{6})(?:[\da-f]{2})?$/.exec(color) ?? [];
  if (digits !== undefined) return `#${digits}`;
  return /^#[\da-f]{3}$/.test(color) ? color.replaceAll(/[\da-f]/g, '$&$&') : undefined;
}

/** Six digits between red first, as everywhere else, and blue first, as ASS and MicroDVD have them. */
export function reverseColor(digits: string): string {
  return digits.slice(4, 6) + digits.slice(2, 4) + digits.slice(0, 2);
}

/** The name of a colour among those given. */
export function nameOfColor(color: string, names: readonly string[]): string | undefined {
  return names.find((name) => COLORS[name] === color);
}

/** The style of a run of words: what formats that switch styles on and off, rather than nest them, know of it. */
export interface RunStyle {
  readonly styles: ReadonlySet<CueStyle>;
  readonly color: string | undefined;
}

interface OpenStyle {
  readonly style: CueStyle | 'color';
  readonly color?: string | undefined;
}

/** Writes tokens while styles are switched on and off: what is opened is closed in its order, and at the end. */
export class TokenWriter {
  readonly tokens: StyledToken[] = [];
  readonly #open: OpenStyle[] = [];

  add(token: Extract<StyledToken, { readonly type: 'words' | 'break' | 'time' }>): void {
    this.tokens.push(token);
  }

  /** What follows has no other style than these. */
  close({ styles, color }: RunStyle): void {
    const isWanted = (open: OpenStyle): boolean =>
      open.style === 'color' ? open.color === color : styles.has(open.style);
    const firstToClose = this.#open.findIndex((open) => !isWanted(open));
    const closed = firstToClose < 0 ? [] : this.#open.splice(firstToClose);
    for (const { style } of closed.toReversed()) this.tokens.push({ type: 'close', style });
  }

  /** What follows has this style. */
  switchTo(wanted: RunStyle): void {
    const { styles, color } = wanted;
    this.close(wanted);
    for (const style of TEXT_STYLES) {
      if (!styles.has(style) || this.#open.some((open) => open.style === style)) continue;
      this.#open.push({ style });
      this.tokens.push({ type: 'open', style });
    }
    if (color === undefined || this.#open.some((open) => open.style === 'color')) return;
    this.#open.push({ style: 'color', color });
    this.tokens.push({ type: 'open', style: 'color', color });
  }

  end(): readonly StyledToken[] {
    this.switchTo({ styles: new Set(), color: undefined });
    return this.tokens;
  }
}

export const TEXT_STYLES: readonly CueStyle[] = ['b', 'i', 'u'];
