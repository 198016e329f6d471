import { DEFAULT_ALIGNMENT } from './alignment.ts';
import { documentOfCues, type FindCues, type TextWriting } from './cue-list.ts';
import { codedSyntax, TAG, tokenOf } from './cue-text.ts';
import { SUBTITLE_NAMES } from './names.ts';
import type { SubtitleBlock, SubtitleNotation } from './document.ts';
import { Lines } from './lines.ts';
import {
  dropStyles,
  loseAround,
  STYLE_NAMES,
  OPEN_END,
  parenthesize,
  writeTokens,
  type LossListener,
  type StyledCue,
  type StyledToken,
} from './styled-cue.ts';
import { roundTimes } from './timing.ts';

/**
 * Lyrics: each line begins with the times at which it is sung, and may contain a time for each word. Lines such as
 * `[ti:…]` and lines without a time stay unchanged.
 */
export const lrc: SubtitleNotation & { readonly id: 'lrc' } = {
  ...SUBTITLE_NAMES.lrc,
  recognizes: (text) => /^\ufeff?\s*\[(?:\d{1,3}:\d{2}|(?:ar|ti|al|by|offset|length|re|ve):)/i.test(text),
  cueText: codedSyntax(
    // The notation has no tags; players either display or interpret those of HTML, so they are not words.
    [TAG, String.raw`<\d{1,6}:\d{1,2}(?:[.:]\d{1,3})?>`, String.raw`(?<![^\n])[FMD]: ?`],
    /<[\dA-Za-z/]|^[FMD]:/,
    { readCode: (raw) => (raw.startsWith('<') ? tokenOf(raw) : { type: 'code', raw, kind: 'override' }) },
  ),
  keepsLines: true,
  timeGrid: () => 10,
  hasEnds: false,
  scan: (text, options = {}) => documentOfCues(text, lrc, findLines, options),
  retime: (raw, part, change) =>
    raw.replaceAll(part === 'head' ? TIME : /<\d{1,6}:\d{1,2}(?:[.:]\d{1,3})?>/g, (time) => {
      const [first = 0] = timesOf(time);
      return `${time.slice(0, 1)}${clock(change(first))}${time.slice(-1)}`;
    }),
  toStyled({ blocks, cues, text }, lose) {
    let sooner = 0;
    for (const { kind, span } of blocks) {
      const [, offset] = /^\s*\[offset:\s*([+-]?\d{1,7})\s*\]/i.exec(text.slice(span.start, span.end)) ?? [];
      if (offset !== undefined) sooner = Number(offset);
      else lose(kind === 'header' ? 'song tags' : 'lines without a time');
    }
    return styleLines(cues, sooner);
  },
  fromStyled(cues, lose) {
    return cues.map((cue, i) => writeLine(cue, cues[i + 1], lose)).join('');
  },
};

const TIMES = /^(?:[ \t\ufeff]*\[\d{1,6}:\d{1,2}(?:[.:]\d{1,3})?\])+/;
const TIME = /[[<](\d{1,6}):(\d{1,2})(?:[.:](\d{1,3}))?[\]>]/g;

const findLines: FindCues = (text, take) => {
  const lines = new Lines(text);
  const blocks: SubtitleBlock[] = [];
  for (let at = 0; at < lines.count; at++) {
    const line = lines.textOf(at);
    const start = lines.startOf(at);
    const [times] = TIMES.exec(line) ?? [];
    if (times === undefined) {
      const kind = /^[ \t\ufeff]*\[[A-Za-z#][^\]]*\]?/.test(line) ? 'header' : 'unknown';
      if (line.trim() !== '') blocks.push({ kind, span: { start, end: lines.endOf(at) } });
      continue;
    }
    const blank = /^[ \t]*/.exec(line.slice(times.length))?.[0].length ?? 0;
    const value = line.slice(times.length + blank).trimEnd();
    const from = start + times.length + blank;
    const head = { start, end: from };
    const span = /\S/.test(value) ? { start: from, end: from + value.length } : undefined;
    // A line that is sung several times is one text, which belongs to the first of its cues.
    for (const [i, time] of timesOf(times).entries())
      take({
        head,
        start: time,
        end: time,
        text: value,
        span: i === 0 ? span : undefined,
        writing: WRITING,
      });
  }
  return { blocks, problems: [] };
};

/** Times in milliseconds. The fraction is decimal. */
function timesOf(written: string): readonly number[] {
  return [...written.matchAll(TIME)].map(
    ([, minutes, seconds, fraction = '']) =>
      (Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0')),
  );
}

/** A text must not begin with a time, which would be read as such; blanks at its ends belong to the line. */
const WRITING: TextWriting = {
  encode: (value) => value,
  decode: (raw) => (TIMES.test(raw) || raw.includes('\n') ? undefined : raw.trim()),
};

/**
 * A line ends at the next line's time or at an empty line.
 *
 * @param sooner how many milliseconds before their times players show the lines
 */
function styleLines(
  cues: readonly { readonly start: number; readonly text: string }[],
  sooner: number,
): readonly StyledCue[] {
  const shownAt = (time: number): number => Math.max(0, time - sooner);
  const sorted = cues
    .map(({ start, text }) => ({ start: shownAt(start), text }))
    .toSorted((a, b) => a.start - b.start);
  return sorted.flatMap(({ start, text }, i): readonly StyledCue[] => {
    if (text.trim() === '') return [];
    const next = sorted.slice(i + 1, i + 50).find((other) => other.start > start);
    const tokens = lrc.cueText.readTokens(text).map((token): StyledToken => {
      if (token.type === 'code' && token.kind === 'timestamp')
        return { type: 'time', at: shownAt(timesOf(token.raw)[0] ?? start) };
      return { type: 'words', text: token.raw };
    });
    return [{ start, end: next?.start ?? start + OPEN_END, alignment: DEFAULT_ALIGNMENT, tokens }];
  });
}

function writeLine(cue: StyledCue, next: StyledCue | undefined, lose: LossListener): string {
  loseAround(cue, ['id', 'alignment', 'speaker'], lose);
  const { b, i, u, color } = STYLE_NAMES;
  const text = writeTokens(dropStyles(cue.tokens, { b, i, u, color }, lose), (token) =>
    token.type === 'words'
      ? parenthesize(token.text, /<(?=\d{1,6}:\d|\/?[A-Za-z])/g, 'brackets', lose)
      : token.type === 'time'
        ? `<${clock(token.at)}>`
        : '\n',
  ).replaceAll('\n', ' ');
  // If a text ends before the next begins, an empty line marks its end.
  const isShort = cue.end < (next?.start ?? cue.end + 1);
  const { start, end } = roundTimes(cue, 10);
  // A reader would ignore a line with only a singer's mark, but reads the mark as words if a word's time precedes it.
  const sign = /^\s*[FMD]:\s*$/.test(text) ? `<${clock(start)}>` : '';
  const words = parenthesize(text, /^\s*\[(?=\d)/g, 'brackets', lose);
  return `[${clock(start)}]${sign}${words}\n${isShort ? `[${clock(end)}]\n` : ''}`;
}

/** `mm:ss.xx` */
function clock(time: number): string {
  const hundredths = Math.round(time / 10);
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${pad(hundredths / 6000)}:${pad((hundredths / 100) % 60)}.${pad(hundredths % 100)}`;
}
