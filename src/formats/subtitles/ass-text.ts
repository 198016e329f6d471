import { alignmentOfOverride, DEFAULT_ALIGNMENT, writeOverride, type CueAlignment } from './alignment.ts';
import { codedSyntax, type CueTextSyntax, type CueToken } from './cue-text.ts';
import {
  joinWords,
  readColor,
  reverseColor,
  TokenWriter,
  type LossListener,
  type RunStyle,
  type StyledCue,
  type StyledToken,
  type CueStyle,
} from './styled-cue.ts';

const BLOCK = String.raw`\{[^{}\n]*\}`;

const codes = codedSyntax([BLOCK, String.raw`\\[nh]`], /[{\\]/, {
  readCode: (raw) => ({ type: 'code', raw, kind: raw.startsWith('{') ? 'override' : 'tag' }),
});

/** Texts with blocks of override tags; drawings between `\p1` and `\p0` are also codes. */
export const assText: CueTextSyntax = {
  ...codes,
  readTokens(text) {
    const tokens = codes.readTokens(text);
    return text.includes('\\p') ? markDrawings(tokens) : tokens;
  },
};

function markDrawings(tokens: readonly CueToken[]): readonly CueToken[] {
  let isDrawing = false;
  return tokens.map((token) => {
    if (token.type === 'code' && token.kind === 'override') {
      const mode = [...token.raw.matchAll(/\\p(\d{1,3})/g)].at(-1)?.[1];
      if (mode !== undefined) isDrawing = Number(mode) > 0;
    }
    return isDrawing && token.type === 'words' ? { type: 'code', raw: token.raw, kind: 'tag' } : token;
  });
}

/** Whether a text is timed syllable by syllable, in which case its words cannot be replaced. */
export function isSung(text: string): boolean {
  return /\{[^{}]*\\[kK][fot]?\d/.test(text);
}

/** `\N`, which ends a line, becomes LF, except inside a block. */
export function decodeAssText(raw: string): string {
  return raw.includes('\\N')
    ? raw.replaceAll(/\{[^{}]*\}|\\N/g, (found) => (found === '\\N' ? '\n' : found))
    : raw;
}

export function encodeAssText(value: string): string {
  return value.replaceAll('\n', '\\N');
}

/** The style of a run, which override blocks change. */
interface OverrideState {
  styles: Set<CueStyle>;
  color: string | undefined;
}

export interface StyledText {
  readonly tokens: readonly StyledToken[];
  readonly alignment: CueAlignment;
}

/** Converts a text to the common model of all formats. */
export function styleAssText(
  { text, start }: { readonly text: string; readonly start: number },
  base: (RunStyle & { readonly alignment: CueAlignment }) | undefined,
  lose: LossListener,
): StyledText {
  const initial = (): OverrideState => ({ styles: new Set(base?.styles), color: base?.color });
  const written = new TokenWriter();
  let state = initial();
  let alignment: CueAlignment | undefined;
  let sung = start;
  for (const token of assText.readTokens(text)) {
    if (token.type === 'break') {
      written.close(state);
      written.add({ type: 'break' });
    } else if (token.type === 'code' && token.kind === 'override') {
      alignment ??= alignmentOfOverride(token.raw)?.alignment;
      for (const tag of tagsOf(token.raw)) {
        const duration = /^[kK][fo]?(\d{1,6})$/.exec(tag)?.[1];
        if (duration !== undefined) {
          written.add({ type: 'time', at: sung });
          sung += Number(duration) * 10;
        } else if (tag === 'r') state = initial();
        else if (!applyTag(state, tag, base)) lose('positions and effects in braces');
      }
      if (!token.raw.includes('\\') && token.raw !== '{}') lose('comments in braces');
    } else if (token.type === 'code' && token.kind === 'tag') {
      // A drawing, or a blank that never or only in some modes breaks the line.
      if (token.raw === '\\h' || token.raw === '\\n')
        written.add({ type: 'words', text: token.raw === '\\h' ? '\u00a0' : ' ' });
      else lose('drawings');
    } else {
      written.switchTo(state);
      written.add({ type: 'words', text: token.raw });
    }
  }
  return { tokens: written.end(), alignment: alignment ?? base?.alignment ?? DEFAULT_ALIGNMENT };
}

/** The tags of a block, without their backslashes; parenthesized text belongs to its tag. */
function tagsOf(block: string): readonly string[] {
  const tags: string[] = [];
  let depth = 0;
  for (const part of block.slice(1, -1).split('\\').slice(1)) {
    if (depth > 0) tags[tags.length - 1] += `\\${part}`;
    else tags.push(part.trim());
    depth += part.split('(').length - part.split(')').length;
  }
  return tags;
}

/** Whether other formats can express a tag. */
function applyTag(state: OverrideState, tag: string, base: RunStyle | undefined): boolean {
  const [, name, number] = /^([biu])(\d{0,4})$/.exec(tag) ?? [];
  if (name === 'b' || name === 'i' || name === 'u') {
    const isOn = number === '' ? base?.styles.has(name) === true : Number(number) > 0;
    if (isOn) state.styles.add(name);
    else state.styles.delete(name);
    return true;
  }
  const [, color] = /^1?c(?:&?H?([\da-fA-F]{1,8})&?)?$/.exec(tag) ?? [];
  if (/^1?c/.test(tag) && !tag.startsWith('clip')) {
    const digits = color?.padStart(6, '0').slice(-6);
    state.color = digits === undefined ? base?.color : readColor(reverseColor(digits));
    return true;
  }
  return /^an?\d/.test(tag);
}

/** The text of an event. */
export function writeAssText({ alignment, tokens, start, end }: StyledCue, lose: LossListener): string {
  const times = tokens.flatMap((token) => (token.type === 'time' ? [token.at] : []));
  const syllable = (from: number, to: number): string => `{\\k${Math.max(0, Math.round((to - from) / 10))}}`;
  let sung = 0;
  const text = joinWords(tokens)
    .map((token) => {
      switch (token.type) {
        case 'words':
          return escapeWords(token.text, lose);
        case 'break':
          return '\\N';
        case 'time':
          return syllable(token.at, times[++sung] ?? end);
        case 'close':
          return token.style === 'color' ? '{\\c}' : `{\\${token.style}0}`;
        case 'open':
        default:
          return token.style === 'color'
            ? `{\\c&H${reverseColor(token.color.slice(1)).toUpperCase()}&}`
            : `{\\${token.style}1}`;
      }
    })
    .join('');
  const [first] = times;
  const wait = first !== undefined && first > start ? syllable(start, first) : '';
  return writeOverride(alignment) + wait + text;
}

/** No escape for a brace works in all players. A backslash cannot be escaped: an empty block is written after it. */
function escapeWords(words: string, lose: LossListener): string {
  if (!/[{}\\\n]/.test(words)) return words;
  if (words.includes('{')) lose('braces');
  return words
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .replaceAll(/\\(?=[Nnh])/g, '\\{}');
}
