import { positionsIn } from '../../base/span.ts';
import { findHurried, widthOf } from '../../formats/subtitles/width.ts';
import { wordsOf } from '../../formats/subtitles/cue-text.ts';
import type { Cue, SubtitleDocument } from '../../formats/subtitles/document.ts';
import { cueName } from '../../formats/subtitles/timing.ts';
import { RULES, type Finding, type LintRule } from './finding.ts';

/** The limits within which subtitles are readable. */
export interface SubtitleLimits {
  /** Canonical; default: the language that the file declares. */
  readonly locale?: string | undefined;
  /** Characters per second; default: 21. */
  readonly maxCps?: number | undefined;
  /** Characters per line; default: 42. */
  readonly maxLine?: number | undefined;
  /** Lines per subtitle; default: 2. */
  readonly maxLines?: number | undefined;
}

/** Usual limits of broadcasters, in milliseconds: five sixths of a second, and two frames of a film. */
const MIN_DURATION = 833;
const MIN_GAP = 83;

/** Findings about timing and readability of a subtitle file, in file order. */
export function lintSubtitles(
  document: SubtitleDocument,
  file: string,
  limits: SubtitleLimits = {},
): readonly Finding[] {
  const { cues, problems, text } = document;
  const { locale = document.locale } = limits;
  const positionOf = positionsIn(text);
  const found: { readonly offset: number; readonly rule: LintRule; readonly message: string }[] =
    problems.map(({ offset, message }) => ({ offset, rule: 'cue-unreadable', message }));
  const report = (rule: LintRule, i: number, what: string): void => {
    const { start = 0, head } = cues[i] ?? {};
    found.push({ offset: head?.start ?? 0, rule, message: `${cueName(i + 1, start)} ${what}` });
  };
  if (document.notation.hasEnds !== false) lintTimes(document, limits.maxCps ?? 21, report);
  lintLines(document, limits, report);
  return found
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, rule, message }) => ({
      rule,
      severity: RULES[rule].severity,
      file,
      ...positionOf(offset),
      locale,
      message,
    }));
}

type Report = (rule: LintRule, index: number, what: string) => void;

function lintTimes(document: SubtitleDocument, maxCps: number, report: Report): void {
  /** The last cue at each screen position: only cues at the same position are compared. */
  const before = new Map<string, { readonly cue: Cue; readonly number: number }>();
  for (const [i, cue] of document.cues.entries()) {
    const { start, end, text } = cue;
    if (text.trim() === '') continue;
    if (end < start) {
      report('cue-ends-early', i, 'ends before it begins');
      continue;
    }
    if (end - start < MIN_DURATION)
      report('cue-short', i, `is shown for ${end - start} ms, less than ${MIN_DURATION} ms`);
    const place = `${cue.speaker ?? ''}\0${cue.settings}`;
    const last = before.get(place);
    if (last) {
      const gap = start - last.cue.end;
      if (gap < 0 && last.cue.start <= start)
        report('cue-overlap', i, `begins ${-gap} ms before subtitle ${last.number} ends`);
      else if (gap < 0) report('cue-overlap', i, `begins before subtitle ${last.number}, which precedes it`);
      else if (gap > 0 && gap < MIN_GAP)
        report('cue-gap', i, `begins ${gap} ms after subtitle ${last.number} ends, less than ${MIN_GAP} ms`);
    }
    before.set(place, { cue, number: i + 1 });
  }
  for (const { number, rate } of findHurried(document, maxCps))
    report('cue-fast', number - 1, `has ${rate} characters per second, more than ${maxCps}`);
}

function lintLines(
  { cues, notation }: SubtitleDocument,
  { maxLine = 42, maxLines = 2 }: SubtitleLimits,
  report: Report,
): void {
  for (const [i, { text }] of cues.entries()) {
    const lines = text.split('\n').map((line) => widthOf(wordsOf(notation.cueText.readTokens(line)).trim()));
    const widest = Math.max(...lines);
    if (widest > maxLine) report('cue-wide', i, `has a line of ${widest} characters, more than ${maxLine}`);
    if (lines.length > maxLines) report('cue-lines', i, `has ${lines.length} lines, more than ${maxLines}`);
  }
}
