import { keepsText } from '../../engines/copy.ts';
import { type CueTextSyntax, type CueToken, pairCueTags, wordsOf } from '../../formats/subtitles/cue-text.ts';
import { problemOfValue } from '../../pipeline/prepared-unit.ts';
import { translateSegments } from '../../pipeline/segments.ts';
import { NO_ANSWER, type SegmentContext } from '../../pipeline/unit.ts';
import type { TaggedText } from '../../text/tagged.ts';
import { type Passage, type Segment, segmentOf } from './passage.ts';
import { type Atom, atomsOf, cutByWidth, startsOf } from './split-by-width.ts';
import type { Turn } from './utterance.ts';

/** The new text of each turn, or why it has none. */
export interface TurnTexts {
  readonly texts: ReadonlyMap<Turn, string>;
  readonly problems: ReadonlyMap<Turn, string>;
}

interface PassageText {
  readonly passage: Passage;
  readonly segment: Segment;
}

/**
 * Translates passages: as a whole; those whose answer does not fit turn by turn; those that still do not in the runs
 * between their placeholders.
 *
 * @throws DragomanError `engine_unavailable`.
 */
export async function translatePassages(
  passages: readonly Passage[],
  context: SegmentContext,
  layout: CueLayout,
): Promise<TurnTexts> {
  const texts = new Map<Turn, string>();
  const problems = new Map<Turn, string>();
  const settle = ({ passage }: PassageText, result: Fit): void => {
    passage.forEach((turn, i) => {
      if ('problem' in result) problems.set(turn, result.problem);
      else {
        texts.set(turn, result.texts[i] ?? turn.raw);
        problems.delete(turn);
      }
    });
  };
  const attempt = async (
    works: readonly PassageText[],
    split = false,
  ): Promise<readonly { readonly work: PassageText; readonly engineFailed: boolean }[]> => {
    if (works.length === 0 || context.signal.aborted) return [];
    const segments = works.map(({ segment: { tagged } }) => ({ tagged }));
    const outcomes = await translateSegments(segments, context, { split });
    return works.flatMap((work) => {
      const outcome = outcomes.get(work.segment.tagged) ?? NO_ANSWER;
      const failed = 'failure' in outcome;
      const result = failed
        ? { problem: outcome.failure }
        : fit(work.passage, work.segment, outcome.translation, layout);
      settle(work, result);
      return 'problem' in result ? [{ work, engineFailed: failed }] : [];
    });
  };
  // Cut and wrapped again, a text would not stay as it is.
  if (passages.length > 0 && (await keepsText(context.engine, context.source, context.target))) {
    context.onKept?.(context.source, context.target);
    return { texts, problems };
  }
  const misfits = await attempt(passages.map(workOf));
  const long = misfits.filter(({ work }) => work.passage.length > 1);
  const alone = long.flatMap(({ work }) => work.passage.map((turn) => workOf([turn])));
  const left = [...misfits.filter(({ work }) => work.passage.length === 1), ...(await attempt(alone))];
  // An answer that never came will not come for its parts either.
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
  /** A turn has as many lines as before, or it keeps its source. */
  readonly keepsLines: boolean;
  /** Lines that a turn may grow to; it never loses those it has. */
  readonly maxLinesOf: (turn: Turn) => number;
}

/** How the texts of cues are written, and in which language. */
export interface CueLanguage {
  readonly cueText: CueTextSyntax;
  /** Canonical. */
  readonly target: string;
}

/** The texts of a passage's turns, in order, or why the answer cannot be brought into them. */
type Fit = { readonly texts: readonly string[] } | { readonly problem: string };

/** Distributes an answer over the turns of its passage by length, and writes it as lines. */
function fit(passage: Passage, segment: Segment, answer: TaggedText, layout: CueLayout): Fit {
  if (answer === segment.tagged) return { texts: passage.map((turn) => turn.raw) };
  const atoms = atomsOf(answer, segment, layout.cueText);
  if (!atoms) return { problem: 'the answer is not well-formed' };
  const parts = passage.length === 1 ? [atoms] : distribute(passage, atoms);
  if (!parts || parts.some((part) => part.every((atom) => atom.width === 0))) {
    return { problem: `the answer cannot be divided over ${passage.length} cues or lines` };
  }
  const texts: string[] = [];
  for (const [i, turn] of passage.entries()) {
    const limits = { lines: turn.lines, maxLines: layout.maxLinesOf(turn), maxLine: layout.maxLine };
    const text = turn.lead + wrap(parts[i] ?? [], limits) + turn.trail;
    if (layout.keepsLines && text.split('\n').length !== turn.raw.split('\n').length)
      return { problem: `the answer cannot be divided over ${turn.lines} lines` };
    const problem = soundnessProblem(turn.raw, text, layout);
    if (problem !== undefined) return { problem };
    texts.push(text);
  }
  return { texts };
}

/** A cue gets its own placeholders and no pair is torn: within that, the cut nearest to the source's proportions. */
function distribute(passage: Passage, atoms: readonly Atom[]): readonly (readonly Atom[])[] | undefined {
  const earliest = passage.map(() => 0);
  const latest = passage.map(() => atoms.length);
  for (const [i, { first, last }] of atoms.entries()) {
    // Everything up to the turn `last` has to be cut off behind this atom, everything from `first` on before it.
    if (last !== undefined) earliest[last + 1] = i + 1;
    if (first !== undefined) latest[first] = Math.min(latest[first] ?? i, i);
  }
  for (let turn = 1; turn < passage.length; turn++)
    earliest[turn] = Math.max(earliest[turn] ?? 0, earliest[turn - 1] ?? 0);
  for (let turn = passage.length - 2; turn >= 0; turn--)
    latest[turn] = Math.min(latest[turn] ?? 0, latest[turn + 1] ?? atoms.length);
  return cutByWidth(atoms, {
    shares: passage.map((turn) => Math.max(1, turn.words.length)),
    mayCut: (index, turn) =>
      atoms[index]?.depth === 0 && index >= (earliest[turn] ?? 0) && index <= (latest[turn] ?? atoms.length),
  });
}

/**
 * Judges the text of a turn or cue as if a stranger had written it: words of an answer can look like a tag or like a
 * note. Undefined when it has the codes of its source, timestamps in their order, as many closed pairs, and what programs
 * put values into.
 */
export function soundnessProblem(
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
  if (pairCueTags(found).size !== pairCueTags(source).size)
    return 'the answer does not nest the tags as the source does';
  return emptyLineProblem(raw, text) ?? problemOfWords(wordsOf(source), wordsOf(found), target);
}

/** A player shows `\b` among the words as it stands, so it is not compared as an escape. */
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

/** The escapes in which words are written are words. */
function isEscape(token: CueToken): boolean {
  return token.type === 'code' && token.kind === 'entity' && /^&(?:amp|lt|gt);$/.test(token.raw);
}

function timestampsOf(tokens: readonly CueToken[]): readonly string[] {
  return tokens.flatMap((token) => (token.type === 'code' && token.kind === 'timestamp' ? [token.raw] : []));
}

interface LineLimits {
  /** Lines that the source has here. */
  readonly lines: number;
  /** Lines that a text too long for its lines may have. */
  readonly maxLines: number;
  /** Graphemes. */
  readonly maxLine: number;
}

/**
 * Writes atoms as lines: as many as the source has, of about the same width; more when a line would be too long and
 * more are allowed; fewer only where there are not that many words.
 */
function wrap(atoms: readonly Atom[], { lines, maxLines, maxLine }: LineLimits): string {
  const most = Math.max(lines, maxLines);
  let chosen = wrapInto(atoms, lines);
  for (let count = lines + 1; count <= most && widest(chosen) > maxLine; count++) {
    const next = wrapInto(atoms, count);
    if (next.length <= chosen.length) break;
    chosen = next;
  }
  return chosen.map(writeLine).join('\n');
}

function wrapInto(atoms: readonly Atom[], count: number): readonly (readonly Atom[])[] {
  const placesOf = (allows: typeof mayBreak): number =>
    atoms.reduce((sum, _, i) => sum + (i > 0 && allows(atoms, i) ? 1 : 0), 1);
  const mayCut = placesOf(mayBreakBesideTags) >= count ? mayBreakBesideTags : mayBreak;
  const lines = Math.min(count, placesOf(mayCut));
  const cuts = cutByWidth(atoms, {
    shares: Array.from({ length: lines }, () => 1),
    mayCut: (index) => mayCut(atoms, index),
  });
  // The nearest place for one line end can leave none for the next.
  return cuts ?? (lines > 1 ? wrapGreedily(atoms, lines, mayCut) : [atoms]);
}

/** The first places there are: for texts with barely as many words as lines. */
function wrapGreedily(
  atoms: readonly Atom[],
  lines: number,
  mayCut: typeof mayBreak,
): readonly (readonly Atom[])[] {
  const cuts = [0];
  for (let i = 1; i < atoms.length && cuts.length < lines; i++) if (mayCut(atoms, i)) cuts.push(i);
  return cuts.map((cut, i) => atoms.slice(cut, cuts[i + 1] ?? atoms.length));
}

/** Line ends stand beside tags as long as there is a place beside them. */
function mayBreakBesideTags(atoms: readonly Atom[], index: number): boolean {
  return atoms[index]?.depth === 0 && mayBreak(atoms, index);
}

/** A line that began with a dash would be another speaker's; one that began with punctuation is bad style. */
function mayBreak(atoms: readonly Atom[], index: number): boolean {
  const words = atoms[index]?.words ?? '';
  return (
    words !== '' && !/^(?:[-–—‐―]|>>|[!?:;»%.,…)\]]+$)/u.test(words) && (atoms[index - 1]?.words ?? '') !== ''
  );
}

function widest(lines: readonly (readonly Atom[])[]): number {
  return lines.reduce(
    (most, line) => Math.max(most, (startsOf(line).at(-1) ?? 0) - (line[0]?.spaced ? 1 : 0)),
    0,
  );
}

function writeLine(line: readonly Atom[]): string {
  return line.map((atom, i) => (i > 0 && atom.spaced ? ` ${atom.raw}` : atom.raw)).join('');
}
