import { keepsText } from '../../engines/copy.ts';
import { type CueTextSyntax, type CueToken, wordsOf } from '../../formats/subtitles/cue-text.ts';
import { problemOfValue } from '../../pipeline/prepared-unit.ts';
import { translateSegments } from '../../pipeline/segments.ts';
import { type Failure, NO_ANSWER, type SegmentContext, type TranslatedUnit } from '../../pipeline/unit.ts';
import { pairTags } from '../../text/tag.ts';
import type { TaggedText } from '../../text/tagged.ts';
import { type Passage, type Segment, segmentOf } from '../../formats/subtitles/passage.ts';
import { type UnbreakableRun, unbreakableRunsOf, splitByWidth, startsOf } from './split-by-width.ts';
import type { Utterance } from '../../formats/subtitles/utterance.ts';

/** The new text of each utterance, or why it has no new text. */
export interface UtteranceTexts {
  readonly texts: ReadonlyMap<Utterance, TranslatedUnit>;
  readonly problems: ReadonlyMap<Utterance, Failure>;
}

interface PassageText {
  readonly passage: Passage;
  readonly segment: Segment;
}

interface Misfit {
  readonly work: PassageText;
  readonly engineFailed: boolean;
}

/**
 * Translates each passage as a whole; if an answer does not fit, utterance by utterance; if it still does not, in the
 * runs between placeholders.
 *
 * @throws DragomanError `engine_unavailable`
 */
export async function translatePassages(
  passages: readonly Passage[],
  context: SegmentContext,
  layout: CueLayout,
): Promise<UtteranceTexts> {
  const texts = new Map<Utterance, TranslatedUnit>();
  const problems = new Map<Utterance, Failure>();
  const settle = ({ passage }: PassageText, result: Fit | Failure, engine?: string): void => {
    passage.forEach((utterance, i) => {
      if ('failure' in result) problems.set(utterance, result);
      else if ('problem' in result) problems.set(utterance, { failure: result.problem, kind: 'unverified' });
      else {
        texts.set(utterance, { value: result.texts[i] ?? utterance.raw, engine });
        problems.delete(utterance);
      }
    });
  };
  const attempt = async (works: readonly PassageText[], split = false): Promise<readonly Misfit[]> => {
    if (works.length === 0 || context.signal.aborted) return [];
    const segments = works.map(({ segment: { tagged } }) => ({ tagged }));
    const outcomes = await translateSegments(segments, context, split);
    return works.flatMap((work): readonly Misfit[] => {
      const outcome = outcomes.get(work.segment.tagged) ?? NO_ANSWER;
      if ('failure' in outcome) {
        settle(work, outcome);
        return [{ work, engineFailed: true }];
      }
      const result = fit(work.passage, work.segment, outcome.translation, layout);
      settle(work, result, outcome.engine);
      return 'problem' in result ? [{ work, engineFailed: false }] : [];
    });
  };
  // Splitting and wrapping would change an unchanged text.
  if (passages.length > 0 && (await keepsText(context.engine, context.source, context.target))) {
    context.onKept?.(context.source, context.target);
    return { texts, problems };
  }
  const misfits = await attempt(passages.map(workOf));
  const long = misfits.filter(({ work }) => work.passage.length > 1);
  const alone = long.flatMap(({ work }) => work.passage.map((utterance) => workOf([utterance])));
  const left = [...misfits.filter(({ work }) => work.passage.length === 1), ...(await attempt(alone))];
  // The parts would get no answer either.
  await attempt(
    left.filter(({ engineFailed }) => !engineFailed).map(({ work }) => work),
    true,
  );
  return { texts, problems };
}

function workOf(passage: Passage): PassageText {
  return { passage, segment: segmentOf(passage) };
}

interface CueLayout extends CueLanguage {
  readonly maxLine: number;
  /** Whether a text that cannot keep its number of lines keeps its source. */
  readonly keepsLines: boolean;
  /** The number of lines to which a text may grow; existing lines are kept. */
  readonly maxLinesOf: (utterance: Utterance) => number;
}

/** The notation and language of cue texts. */
export interface CueLanguage {
  readonly cueText: CueTextSyntax;
  /** Canonical. */
  readonly target: string;
}

/** The texts of a passage in order, or why the answer does not fit. */
type Fit = { readonly texts: readonly string[] } | { readonly problem: string };

/** Distributes an answer over the utterances of its passage by length, and breaks it into lines. */
function fit(passage: Passage, segment: Segment, answer: TaggedText, layout: CueLayout): Fit {
  if (answer === segment.tagged) return { texts: passage.map((utterance) => utterance.raw) };
  const runs = unbreakableRunsOf(answer, segment, layout.cueText);
  if (!runs) return { problem: 'the answer is not well-formed' };
  const parts = passage.length === 1 ? [runs] : distribute(passage, runs);
  if (!parts || parts.some((part) => part.every((run) => run.width === 0))) {
    return { problem: `the answer cannot be divided among ${passage.length} cues or lines` };
  }
  const texts: string[] = [];
  for (const [i, utterance] of passage.entries()) {
    const limits = {
      lines: utterance.lines,
      maxLines: layout.maxLinesOf(utterance),
      maxLine: layout.maxLine,
    };
    const text = utterance.lead + wrap(parts[i] ?? [], limits) + utterance.trail;
    if (layout.keepsLines && text.split('\n').length !== utterance.raw.split('\n').length)
      return { problem: `the answer cannot be divided among ${utterance.lines} lines` };
    const problem = verificationProblem(utterance.raw, text, layout);
    if (problem !== undefined) return { problem };
    texts.push(text);
  }
  return { texts };
}

/**
 * Splits a text so that each cue keeps its own placeholders and no pair is divided; among such splits, takes the one
 * closest to the source's proportions.
 */
function distribute(
  passage: Passage,
  runs: readonly UnbreakableRun[],
): readonly (readonly UnbreakableRun[])[] | undefined {
  const earliest = passage.map(() => 0);
  const latest = passage.map(() => runs.length);
  for (const [i, { first, last }] of runs.entries()) {
    // Everything up to `last` must end after this unit, and everything from `first` on must begin before it.
    if (last !== undefined) earliest[last + 1] = i + 1;
    if (first !== undefined) latest[first] = Math.min(latest[first] ?? i, i);
  }
  for (let utterance = 1; utterance < passage.length; utterance++)
    earliest[utterance] = Math.max(earliest[utterance] ?? 0, earliest[utterance - 1] ?? 0);
  for (let utterance = passage.length - 2; utterance >= 0; utterance--)
    latest[utterance] = Math.min(latest[utterance] ?? 0, latest[utterance + 1] ?? runs.length);
  return splitByWidth(runs, {
    shares: passage.map((utterance) => Math.max(1, utterance.words.length)),
    mayCut: (index, utterance) =>
      runs[index]?.depth === 0 &&
      index >= (earliest[utterance] ?? 0) &&
      index <= (latest[utterance] ?? runs.length),
  });
}

/**
 * Verifies the text of an utterance or cue by parsing it: words of an answer can look like a tag or a note. Undefined
 * if it has the codes of its source, timestamps in order, the same number of closed pairs, and the same placeholders.
 */
export function verificationProblem(
  raw: string,
  text: string,
  { cueText: { isBare, readTokens }, target }: CueLanguage,
): string | undefined {
  if (isBare(text) && isBare(raw)) return emptyLineProblem(raw, text) ?? problemOfWords(raw, text, target);
  const source = readTokens(raw);
  const found = readTokens(text);
  const counts = new Map<string, number>();
  for (const code of codesOf(source)) counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const code of codesOf(found)) {
    const left = counts.get(code) ?? 0;
    if (left === 0) return `the answer has ${code}, which the source does not have`;
    counts.set(code, left - 1);
  }
  for (const [code, left] of counts) if (left > 0) return `the answer lost ${code}`;
  if (timestampsOf(source).join() !== timestampsOf(found).join())
    return 'the answer changed the order of the timestamps';
  if (pairTags(found).size !== pairTags(source).size)
    return 'the answer does not nest the tags as the source does';
  return emptyLineProblem(raw, text) ?? problemOfWords(wordsOf(source), wordsOf(found), target);
}

/** Players display `\b` among the words literally, so the comparison does not treat it as an escape. */
function problemOfWords(source: string, found: string, locale: string): string | undefined {
  const shown = (words: string): string => words.replaceAll('\\', ' ');
  return problemOfValue([shown(source)], shown(found), { syntax: 'plain', locale });
}

function emptyLineProblem(raw: string, text: string): string | undefined {
  const hasEmpty = (lines: string): boolean => lines.split('\n').some((line) => line.trim() === '');
  return hasEmpty(text) && !hasEmpty(raw) ? 'the answer has an empty line' : undefined;
}

function codesOf(tokens: readonly CueToken[]): readonly string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'words' || token.type === 'break') return [];
    return isEscape(token) ? [] : [token.raw];
  });
}

/** Escapes of words count as words. */
function isEscape(token: CueToken): boolean {
  return token.type === 'code' && token.kind === 'entity' && /^&(?:amp|lt|gt);$/.test(token.raw);
}

function timestampsOf(tokens: readonly CueToken[]): readonly string[] {
  return tokens.flatMap((token) => (token.type === 'code' && token.kind === 'timestamp' ? [token.raw] : []));
}

interface LineLimits {
  /** The number of lines in the source. */
  readonly lines: number;
  /** The maximum number of lines of a text that is too long for its own lines. */
  readonly maxLines: number;
  /** Graphemes. */
  readonly maxLine: number;
}

/**
 * Breaks a text into as many lines as the source has, of similar width; more if a line would be too long and more are
 * allowed; fewer only if the text has too few words.
 */
function wrap(runs: readonly UnbreakableRun[], { lines, maxLines, maxLine }: LineLimits): string {
  const most = Math.max(lines, maxLines);
  let chosen = wrapInto(runs, lines);
  for (let count = lines + 1; count <= most && widest(chosen) > maxLine; count++) {
    const next = wrapInto(runs, count);
    if (next.length <= chosen.length) break;
    chosen = next;
  }
  return chosen.map(writeLine).join('\n');
}

function wrapInto(runs: readonly UnbreakableRun[], count: number): readonly (readonly UnbreakableRun[])[] {
  const placesOf = (allows: typeof mayBreak): number =>
    runs.reduce((sum, _, i) => sum + (i > 0 && allows(runs, i) ? 1 : 0), 1);
  const mayCut = placesOf(mayBreakBesideTags) >= count ? mayBreakBesideTags : mayBreak;
  const lines = Math.min(count, placesOf(mayCut));
  const cuts = splitByWidth(runs, {
    shares: Array.from({ length: lines }, () => 1),
    mayCut: (index) => mayCut(runs, index),
  });
  // The best place for one line end may leave none for the next.
  return cuts ?? (lines > 1 ? wrapGreedily(runs, lines, mayCut) : [runs]);
}

/** Breaks at the first possible places, for texts with barely as many words as lines. */
function wrapGreedily(
  runs: readonly UnbreakableRun[],
  lines: number,
  mayCut: typeof mayBreak,
): readonly (readonly UnbreakableRun[])[] {
  const cuts = [0];
  for (let i = 1; i < runs.length && cuts.length < lines; i++) if (mayCut(runs, i)) cuts.push(i);
  return cuts.map((cut, i) => runs.slice(cut, cuts[i + 1] ?? runs.length));
}

/** Line ends are placed next to tags if possible. */
function mayBreakBesideTags(runs: readonly UnbreakableRun[], index: number): boolean {
  return runs[index]?.depth === 0 && mayBreak(runs, index);
}

/** A line that begins with a dash would belong to another speaker; one that begins with punctuation is bad style. */
function mayBreak(runs: readonly UnbreakableRun[], index: number): boolean {
  const words = runs[index]?.words ?? '';
  return (
    words !== '' && !/^(?:[-–—‐―]|>>|[!?:;»%.,…)\]]+$)/u.test(words) && (runs[index - 1]?.words ?? '') !== ''
  );
}

function widest(lines: readonly (readonly UnbreakableRun[])[]): number {
  return lines.reduce(
    (most, line) => Math.max(most, (startsOf(line).at(-1) ?? 0) - (line[0]?.spaced ? 1 : 0)),
    0,
  );
}

function writeLine(line: readonly UnbreakableRun[]): string {
  return line.map((run, i) => (i > 0 && run.spaced ? ` ${run.raw}` : run.raw)).join('');
}
