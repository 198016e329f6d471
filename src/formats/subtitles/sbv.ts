import { DEFAULT_ALIGNMENT } from './alignment.ts';
import { CueCollector, type BlockNotation } from './cue-collector.ts';
import { documentOfCues, type FindCues } from './cue-list.ts';
import { codedSyntax } from './cue-text.ts';
import { SUBTITLE_NAMES } from './names.ts';
import type { Cue } from './document.ts';
import {
  parenthesize,
  plainTextOf,
  type LossListener,
  type StyledCue,
  type StyledToken,
} from './styled-cue.ts';
import { isProblem, malformed, retimeHead, writeTime, type Timing, type TimingProblem } from './timing.ts';

/** SubViewer as YouTube uses it: a line with both times, lines of text without markup, an empty line. */
export const sbv: BlockNotation & { readonly id: 'sbv' } = {
  ...SUBTITLE_NAMES.sbv,
  recognizes: (text) => TIMING.test(text.replace(/^\ufeff?\s*/, '').split(/[\r\n]/, 1)[0] ?? ''),
  // Some files contain `[br]`, the line break of another program.
  cueText: codedSyntax([String.raw`\[br\]`], /\[br\]/, {
    readCode: (raw) => ({ type: 'code', raw, kind: 'tag' }),
  }),
  timeGrid: () => 1,
  readTiming,
  scan: (text, options = {}) => documentOfCues(text, sbv, findCues, options),
  retime: (raw, part, change) => (part === 'head' ? retimeHead(raw, change, '.') : raw),
  toStyled: ({ cues }) => cues.map(styleCue),
  fromStyled: (cues, lose) => cues.map((cue) => writeCue(cue, lose)).join('\n'),
};

const TIME = String.raw`(\d{1,4}):(\d{2}):(\d{2})[.](\d{1,3})`;
const TIMING = new RegExp(`^[ \\t\\ufeff]*${TIME}[ \\t]*,[ \\t]*${TIME}[ \\t]*$`);
const MEANT = /^[ \t\ufeff]*\d{1,4}:\d{1,2}:\d{1,2}[.]\d{1,6}[ \t]*,/;

function readTiming(line: string): Timing | TimingProblem | undefined {
  const match = TIMING.exec(line);
  if (!match) return MEANT.test(line) ? malformed(line) : undefined;
  const timeAt = (at: number): number => {
    const [hours = 0, minutes = 0, seconds = 0] = match.slice(at, at + 3).map(Number);
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number(match[at + 3]?.padEnd(3, '0'));
  };
  return { start: timeAt(1), end: timeAt(5), settings: '' };
}

const findCues: FindCues = (text, take) => {
  const found = new CueCollector(text, sbv, take);
  let at = 0;
  while (at < found.lines.count) {
    if (found.lines.textOf(at).replace('\ufeff', '').trim() === '') {
      at++;
      continue;
    }
    const timing = found.timingAt(at);
    if (timing && !isProblem(timing)) at = found.addCue(undefined, at, timing);
    else {
      const problem = timing ?? { problem: 'this text is not part of a subtitle', column: 0 };
      at = found.addBroken(at, at, problem);
    }
  }
  return found.around;
};

function styleCue({ start, end, text }: Cue): StyledCue {
  const tokens = text.split(/\n|\[br\]/).flatMap((line, i): readonly StyledToken[] => {
    const words: StyledToken = { type: 'words', text: line };
    return i === 0 ? [words] : [{ type: 'break' }, words];
  });
  return { start, end, alignment: DEFAULT_ALIGNMENT, tokens };
}

/** Joins a line that would be read as times to the previous one. */
function withoutTimings(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (readTiming(line) === undefined) lines.push(line);
    else lines.push(`${lines.pop() ?? ''}[br]${line}`);
  }
  return lines.join('\n');
}

function writeCue(cue: StyledCue, lose: LossListener): string {
  const words = parenthesize(plainTextOf(cue, '\n', lose), /\[(?=br\])/g, 'brackets', lose);
  const text = withoutTimings(words);
  const clock = (time: number): string => writeTime(time, '.').replace(/^0(?=\d:)/, '');
  return `${clock(cue.start)},${clock(cue.end)}\n${text === '' ? '' : `${text}\n`}`;
}
