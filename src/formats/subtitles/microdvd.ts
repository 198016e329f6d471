import { DEFAULT_ALIGNMENT } from './alignment.ts';
import { documentOfCues, type FindCues, type TextWriting } from './cue-list.ts';
import { codedSyntax } from './cue-text.ts';
import { SUBTITLE_NAMES } from './names.ts';
import type { Cue, CueProblem, SubtitleBlock, SubtitleDocument, SubtitleNotation } from './document.ts';
import { Lines } from './lines.ts';
import {
  dropStyles,
  loseAround,
  STYLE_NAMES,
  OPEN_END,
  parenthesize,
  reverseColor,
  TEXT_STYLES,
  TokenWriter,
  type LossListener,
  type StyledCue,
  type StyledToken,
  type CueStyle,
} from './styled-cue.ts';
import { roundTimes } from './timing.ts';

/** `{begin}{end}text|more text`, with times in frames; `{y:i}` and other codes at the beginning of a line. */
export const microdvd: SubtitleNotation & { readonly id: 'microdvd' } = {
  ...SUBTITLE_NAMES.microdvd,
  recognizes: (text) => /^\ufeff?\s*\{\d{1,9}\}\{\d{0,9}\}/.test(text),
  cueText: codedSyntax([String.raw`\{[A-Za-z]:[^{}\n]{0,200}\}`], /\{/, {
    readCode: (raw) => ({ type: 'code', raw, kind: 'override' }),
  }),
  timeGrid: (document) => Math.ceil(1000 / (document ? rateOf(document) : NEW_RATE)),
  scan(text, options = {}) {
    const named = readRate(/^[^\r\n]*/.exec(text)?.[0] ?? '');
    const perSecond = named ?? options.fps ?? USUAL_RATE;
    const isAssumed = named === undefined && options.fps === undefined;
    return {
      ...documentOfCues(text, microdvd, findLines(perSecond), options),
      frames: { perSecond, isAssumed },
    };
  },
  retime(raw, part, change, document) {
    const rate = rateOf(document);
    if (part === 'text') return raw;
    return raw.replaceAll(/\d+/g, (frame) =>
      String(Math.round((change((Number(frame) / rate) * 1000) * rate) / 1000)),
    );
  },
  toStyled(document, lose) {
    for (const { kind } of document.blocks) if (kind === 'unknown') lose('lines without frames');
    const cues = document.cues.filter(({ text }) => text.trim() !== '');
    return cues.map((cue, i) => styleCue(cue, cues[i + 1], lose)).toSorted((a, b) => a.start - b.start);
  },
  fromStyled(cues, lose) {
    const lines = cues.map((cue) => {
      const { start, end } = roundTimes(cue, 1000 / NEW_RATE);
      return `{${frameOf(start)}}{${frameOf(end)}}${writeText(cue, lose)}\n`;
    });
    return `{1}{1}${NEW_RATE.toFixed(3)}\n${lines.join('')}`;
  },
};

/** Frames per second, for files that do not specify them. */
const USUAL_RATE = 23.976;
/** Frames per second in new files: a high rate makes times more exact. */
const NEW_RATE = 100;

/** Twelve digits can express the longest time of every other format. */
const LINE = /^[ \t\ufeff]*\{(\d{1,12})\}\{(\d{0,12})\}/;
const RATE = /^[ \t\ufeff]*\{[01]\}\{[01]\}(\d{1,3}(?:[.,]\d{1,6})?)[ \t]*$/;

const MAY_BE_RATE = /\{[01]\}\{[01]\}$/;

const findLines =
  (rate: number): FindCues =>
  (text, take) => {
    const lines = new Lines(text);
    const blocks: SubtitleBlock[] = [];
    const problems: CueProblem[] = [];
    for (let at = 0; at < lines.count; at++) {
      const line = lines.textOf(at);
      const whole = { start: lines.startOf(at), end: lines.endOf(at) };
      const match = LINE.exec(line);
      if (at === 0 && RATE.test(line)) blocks.push({ kind: 'header', span: whole });
      else if (!match) {
        if (line.trim() === '') continue;
        problems.push({ offset: whole.start, message: 'this line has no frames such as {10}{50}' });
        blocks.push({ kind: 'unknown', span: whole });
      } else {
        const [head, from = '', to = ''] = match;
        const start = Math.round((Number(from) / rate) * 1000);
        const span = { start: whole.start + head.length, end: whole.end };
        const raw = text.slice(span.start, span.end);
        take({
          head: { start: whole.start, end: span.start },
          start,
          end: to === '' ? start : Math.round((Number(to) / rate) * 1000),
          text: raw.replaceAll('|', '\n'),
          writing: at === 0 && MAY_BE_RATE.test(head) ? FIRST_WRITING : WRITING,
          span: raw.replaceAll('|', '').trim() === '' ? undefined : span,
        });
      }
    }
    return { blocks, problems };
  };

/** The frame rate, if a file's first line declares it. */
function readRate(line: string): number | undefined {
  const rate = Number(RATE.exec(line)?.[1]?.replace(',', '.'));
  return rate >= 1 ? rate : undefined;
}

function rateOf({ frames }: SubtitleDocument): number {
  return frames?.perSecond ?? USUAL_RATE;
}

function frameOf(time: number): number {
  return Math.round((time * NEW_RATE) / 1000);
}

/** A bar ends a line and cannot be escaped. */
const WRITING: TextWriting = {
  encode: (value) => value.replaceAll('\n', '|'),
  decode: (raw) => raw.replaceAll('|', '\n'),
};

/** A lone number would be read as the file's frame rate. */
const FIRST_WRITING: TextWriting = {
  ...WRITING,
  decode: (raw) => (RATE.test(`{1}{1}${raw}`) ? undefined : WRITING.decode(raw)),
};

function styleCue({ start, end, text }: Cue, next: Cue | undefined, lose: LossListener): StyledCue {
  const written = new TokenWriter();
  let lasting: ReadonlySet<CueStyle> = new Set();
  let lastingColor: string | undefined;
  for (const [i, line] of text.split('\n').entries()) {
    let styles = new Set(lasting);
    let color = lastingColor;
    if (i > 0) {
      written.switchTo({ styles, color });
      written.add({ type: 'break' });
    }
    for (const token of microdvd.cueText.readTokens(line)) {
      if (token.type !== 'code' || token.kind !== 'override') {
        written.switchTo({ styles, color });
        written.add({ type: 'words', text: token.raw });
        continue;
      }
      const [, name = '', value = ''] = /^\{([A-Za-z]):(.*)\}$/.exec(token.raw) ?? [];
      if (name === 'y' || name === 'Y') {
        styles = new Set([...styles, ...TEXT_STYLES.filter((style) => value.toLowerCase().includes(style))]);
      } else if (/^[cC]$/.test(name) && /^\$[\da-fA-F]{6}$/.test(value)) {
        color = `#${reverseColor(value.slice(1)).toLowerCase()}`;
      } else lose('positions and effects in braces');
      // A capital code applies to all later lines.
      if (name === 'Y') lasting = styles;
      if (name === 'C') lastingColor = color;
    }
  }
  const until = end > start ? end : Math.min(next?.start ?? Infinity, start + OPEN_END);
  return { start, end: until, alignment: DEFAULT_ALIGNMENT, tokens: written.end() };
}

/** Styles apply to entire lines: a style at the start of a line applies until its end. */
function writeText(cue: StyledCue, lose: LossListener): string {
  loseAround(cue, ['id', 'alignment', 'speaker'], lose);
  const tokens = dropStyles(cue.tokens, { time: STYLE_NAMES.time }, lose);
  const open: StyledToken[] = [];
  const lines = splitLines(tokens).map((line) => {
    const first = line.findIndex(({ type }) => type === 'words');
    for (const token of line.slice(0, Math.max(0, first))) applyStyle(open, token);
    const codes = codesOf(open);
    for (const token of line.slice(Math.max(0, first))) {
      if (token.type === 'open') lose(STYLE_NAMES[token.style]);
      applyStyle(open, token);
    }
    const words = line.flatMap((token) => (token.type === 'words' ? [token.text] : [])).join('');
    return words.trim() === '' ? '' : codes + writeWords(words, lose);
  });
  return lines.filter((line) => line !== '').join('|');
}

/** A bar would end the line, and a brace may begin a code. Neither has an escape. */
function writeWords(words: string, lose: LossListener): string {
  for (const _ of words.matchAll(/\|/g)) lose('bars');
  return parenthesize(words.replaceAll('|', '/'), /\{(?=[A-Za-z]:)/g, 'braces', lose);
}

function splitLines(tokens: readonly StyledToken[]): readonly (readonly StyledToken[])[] {
  const lines: StyledToken[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'break') lines.push([]);
    else lines.at(-1)?.push(token);
  }
  return lines;
}

function applyStyle(open: StyledToken[], token: StyledToken): void {
  if (token.type === 'open') open.push(token);
  if (token.type !== 'close') return;
  const at = open.findLastIndex((other) => other.type === 'open' && other.style === token.style);
  if (at >= 0) open.splice(at, 1);
}

function codesOf(open: readonly StyledToken[]): string {
  const styles = TEXT_STYLES.filter((style) =>
    open.some((token) => token.type === 'open' && token.style === style),
  );
  const color = open.findLast((token) => token.type === 'open' && token.style === 'color');
  const written =
    color?.type === 'open' && color.style === 'color' ? `{c:$${reverseColor(color.color.slice(1))}}` : '';
  return `${styles.length === 0 ? '' : `{y:${styles.join(',')}}`}${written}`;
}
