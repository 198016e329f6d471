import { DEFAULT_ALIGNMENT, type CueAlignment } from './alignment.ts';

/** Reports content that a conversion drops; each kind once. */
export type LossListener = (what: string) => void;

/** A subtitle in the common model of all conversions. */
export interface StyledCue {
  /** Times in milliseconds. */
  readonly start: number;
  readonly end: number;
  /** The identifier, unless it is just a number. */
  readonly id?: string | undefined;
  readonly alignment: CueAlignment;
  /** The speaker, if the format stores it outside the text. */
  readonly speaker?: string | undefined;
  readonly tokens: readonly StyledToken[];
}

/** Milliseconds that a cue without an end stays on screen, unless another follows sooner. */
export const OPEN_END = 5000;

export type StyledToken =
  /** Decoded, as displayed. */
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'break' }
  /** As in players, a tag may remain unclosed at the end, or be closed without having been opened. */
  | { readonly type: 'open' | 'close'; readonly style: CueStyle }
  | { readonly type: 'open'; readonly style: 'color'; readonly color: string }
  | { readonly type: 'close'; readonly style: 'color' }
  /** The words after this token appear, or are sung, at this time, in milliseconds. */
  | { readonly type: 'time'; readonly at: number };

/** Bold, italic, underlined. */
export type CueStyle = 'b' | 'i' | 'u';

export function isTextStyle(name: string): name is CueStyle {
  return name === 'b' || name === 'i' || name === 'u';
}

/**
 * Writes the tokens as text. Lines left empty by dropped content are removed, because an empty line ends a cue in most
 * formats.
 *
 * @param write encodes a token; consecutive words form one token
 */
export function writeTokens(tokens: readonly StyledToken[], write: (token: StyledToken) => string): string {
  return joinWords(tokens)
    .map(write)
    .join('')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** Replaces each `opening` that would be read as a code with a parenthesis, because it cannot be escaped. */
export function parenthesize(words: string, opening: RegExp, what: string, lose: LossListener): string {
  return words.replaceAll(opening, () => {
    lose(what);
    return '(';
  });
}

/** Merges consecutive words into one token. */
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

/** A cue's text for a format without markup, its lines separated by `lineEnd`. Dropped content is reported. */
export function plainTextOf({ tokens, ...cue }: StyledCue, lineEnd: string, lose: LossListener): string {
  loseAround(cue, ['id', 'alignment', 'speaker'], lose);
  const words = dropStyles(tokens, STYLE_NAMES, lose);
  const text = writeTokens(words, (token) => (token.type === 'words' ? token.text : '\n'));
  return text.replaceAll('\n', lineEnd);
}

/** Names of styles in reports about dropped content. */
export const STYLE_NAMES: Readonly<Record<CueStyle | 'color' | 'time', string>> = {
  b: 'bold, italic and underlined text',
  i: 'bold, italic and underlined text',
  u: 'bold, italic and underlined text',
  color: 'colours',
  time: 'timestamps within text',
};

/** Reports properties of a cue, other than its text, that a format does not support. */
export function loseAround(
  { id, alignment, speaker }: Omit<StyledCue, 'tokens'>,
  parts: readonly ('id' | 'alignment' | 'speaker')[],
  lose: LossListener,
): void {
  if (parts.includes('id') && id !== undefined && !/^\d*$/.test(id)) lose('cue identifiers');
  if (parts.includes('alignment') && alignment !== DEFAULT_ALIGNMENT) lose('positions');
  if (parts.includes('speaker') && speaker !== undefined) lose('speaker names');
}

/** Reports styles that a format does not support. Returns the tokens without them. */
export function dropStyles(
  tokens: readonly StyledToken[],
  names: Readonly<Partial<Record<CueStyle | 'color' | 'time', string>>>,
  lose: LossListener,
): readonly StyledToken[] {
  return tokens.filter((token) => {
    if (token.type === 'words' || token.type === 'break') return true;
    const name = names[token.type === 'time' ? 'time' : token.style];
    if (name === undefined) return true;
    if (token.type !== 'close') lose(name);
    return false;
  });
}

/** The colours for which WebVTT has classes, and other CSS names common in subtitles. */
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

/** Converts a colour of HTML or CSS to lower-case `#rrggbb`; undefined if unknown. */
export function readColor(written: string): string | undefined {
  const color = written.trim().toLowerCase();
  if (Object.hasOwn(COLORS, color)) return COLORS[color];
  const [, digits] = /^#?([\da-f]{6})(?:[\da-f]{2})?$/.exec(color) ?? [];
  if (digits !== undefined) return `#${digits}`;
  return /^#[\da-f]{3}$/.test(color) ? color.replaceAll(/[\da-f]/g, '$&$&') : undefined;
}

/** Swaps red and blue in six digits: ASS and MicroDVD write blue first. */
export function reverseColor(digits: string): string {
  return digits.slice(4, 6) + digits.slice(2, 4) + digits.slice(0, 2);
}

/** The style of a run, for formats that switch styles on and off instead of nesting them. */
export interface RunStyle {
  readonly styles: ReadonlySet<CueStyle>;
  readonly color: string | undefined;
}

interface OpenStyle {
  readonly style: CueStyle | 'color';
  readonly color?: string | undefined;
}

/** Writes tokens as styles are switched on and off: styles are closed in order, and at the end. */
export class TokenWriter {
  readonly tokens: StyledToken[] = [];
  readonly #open: OpenStyle[] = [];

  add(token: Extract<StyledToken, { readonly type: 'words' | 'break' | 'time' }>): void {
    this.tokens.push(token);
  }

  /** Closes all styles except these. */
  close({ styles, color }: RunStyle): void {
    const isWanted = (open: OpenStyle): boolean =>
      open.style === 'color' ? open.color === color : styles.has(open.style);
    const firstToClose = this.#open.findIndex((open) => !isWanted(open));
    const closed = firstToClose < 0 ? [] : this.#open.splice(firstToClose);
    for (const { style } of closed.toReversed()) this.tokens.push({ type: 'close', style });
  }

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
