import { DEFAULT_ALIGNMENT, writeOverride } from './alignment.ts';
import { CueCollector, type BlockNotation } from './cue-collector.ts';
import { documentOfCues, type FindCues } from './cue-list.ts';
import { readCueText, taggedSyntax } from './cue-text.ts';
import { SUBTITLE_NAMES } from './names.ts';
import type { Cue } from './document.ts';
import {
  dropStyles,
  loseAround,
  STYLE_NAMES,
  readColor,
  writeTokens,
  parenthesize,
  type LossListener,
  type StyledCue,
  type StyledToken,
} from './styled-cue.ts';
import { CODE_BRACE, decodeEntity, readTaggedText, type TagReading } from './tagged-text.ts';
import { isProblem, readArrowTiming, retimeHead, writeTime } from './timing.ts';

/**
 * SubRip. Numbers may be missing, repeated or out of order, times may use a point, cues may be empty, and an empty line
 * between two cues may be missing. Text outside cues, and cues with unreadable or overflowing times (more than 59
 * minutes or seconds), are problems of the document and stay unchanged. A file without any cue, or with more
 * problems than cues, is refused.
 */
export const srt: BlockNotation & { readonly id: 'srt' } = {
  ...SUBTITLE_NAMES.srt,
  // The fallback if no other format recognizes the text.
  recognizes: () => true,
  cueText: taggedSyntax((words) => words),
  timeGrid: () => 1,
  readTiming: (line) => readArrowTiming(line, false),
  scan: (text, options = {}) => documentOfCues(text, srt, findCues, options),
  retime: (raw, part, change) => (part === 'head' ? retimeHead(raw, change, ',') : raw),
  toStyled: (document, lose) => document.cues.map((cue) => styleCue(cue, lose)),
  fromStyled: (cues, lose) => cues.map((cue, i) => writeCue(cue, i, lose)).join('\n'),
};

const findCues: FindCues = (text, take) => {
  const found = new CueCollector(text, srt, take);
  let at = 0;
  while (at < found.lines.count) {
    if (found.lines.textOf(at).replace('\ufeff', '').trim() === '') at++;
    else at = readBlock(found, at);
  }
  return found.around;
};

function readBlock(found: CueCollector, at: number): number {
  const isNumber = found.isNumber(at);
  const line = isNumber ? at + 1 : at;
  const timing = found.timingAt(line);
  if (timing && isProblem(timing)) return found.addBroken(at, line, timing);
  if (timing) return found.addCue(isNumber ? at : undefined, line, timing);
  const problem = isNumber
    ? 'a timing line is missing after this number'
    : 'this text is not part of a subtitle';
  return found.addBroken(at, at, { problem, column: 0 });
}

function styleCue({ id, start, end, settings, text }: Cue, lose: LossListener): StyledCue {
  if (settings !== '') lose('coordinates');
  const readTag: TagReading['readTag'] = (raw, name) => readFont(raw, name, lose);
  const { tokens, alignment = DEFAULT_ALIGNMENT } = readTaggedText(text, { readTag, lose });
  return { id: id?.trim(), start, end, alignment, tokens };
}

/** `<font color="#ff0000">`; other attributes have no equivalent in other formats. */
function readFont(raw: string, name: string, lose: LossListener): StyledToken | undefined {
  if (name !== 'font') return undefined;
  const [, quoted, bare] = /\scolor\s*=\s*(?:["']([^"'<>]{1,40})["']|([^\s"'<>]{1,40}))/i.exec(raw) ?? [];
  const color = readColor(quoted ?? bare ?? '');
  if (color !== undefined && /\s(?:face|size)\s*=/i.test(raw)) lose('font faces and sizes');
  return color === undefined ? undefined : { type: 'open', style: 'color', color };
}

function writeCue(cue: StyledCue, index: number, lose: LossListener): string {
  loseAround(cue, ['id', 'speaker'], lose);
  const times = `${writeTime(cue.start, ',')} --> ${writeTime(cue.end, ',')}`;
  const tokens = dropStyles(cue.tokens, { time: STYLE_NAMES.time }, lose);
  const text = withoutTimings(writeTokens(tokens, (token) => writeToken(token, lose)));
  return `${index + 1}\n${times}\n${text === '' ? '' : `${writeOverride(cue.alignment)}${text}\n`}`;
}

function writeToken(token: StyledToken, lose: LossListener): string {
  switch (token.type) {
    case 'words':
      return parenthesize(writeWords(token.text), CODE_BRACE, 'braces', lose);
    case 'break':
      return '\n';
    case 'time':
      return '';
    case 'close':
      return token.style === 'color' ? '</font>' : `</${token.style}>`;
    case 'open':
    default:
      return token.style === 'color' ? `<font color="${token.color}">` : `<${token.style}>`;
  }
}

/** SubRip has no escapes: words that look like codes are written as entities, which players decode. */
function writeWords(words: string): string {
  const isRead = (token: ReturnType<typeof readCueText>[number]): boolean =>
    token.type === 'open' ||
    token.type === 'close' ||
    (token.type === 'code' &&
      (token.kind === 'tag' ||
        token.kind === 'timestamp' ||
        (token.kind === 'entity' && decodeEntity(token.raw) !== token.raw)));
  if (!readCueText(words).some(isRead)) return words;
  return words
    .replaceAll(/&(?=[#A-Za-z])/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Removes the arrow from lines that SubRip would read as times after a tag inside them was dropped. */
function withoutTimings(text: string): string {
  return text
    .split('\n')
    .map((line) => (srt.readTiming(line) === undefined ? line : line.replaceAll('-->', '--&gt;')))
    .join('\n');
}
