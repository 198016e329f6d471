import { pairTags } from '../../text/tag.ts';
import { wordsOf, type CueTextSyntax, type CueToken } from './cue-text.ts';
import { markLines, type LineMarks } from './line-marks.ts';
import { widthOf } from './width.ts';

/**
 * The words of one speaker in one cue, or an independent line: lines in other colours or styles belong to others. Text
 * around the words (tags around all of them, `{\an8}`, `♪`, a dialogue dash) is not sent to an engine and stays in
 * place.
 */
export interface Utterance {
  /** Index of the cue in the document. */
  readonly cue: number;
  /** The text as written in the cue, without the preceding line break. */
  readonly raw: string;
  readonly lead: string;
  readonly inner: readonly CueToken[];
  readonly trail: string;
  /** Number of lines of the inner part. */
  readonly lines: number;
  readonly words: string;
  readonly isTranslatable: boolean;
  /** The formatting of its lines: colours and styles that apply to all their words. */
  readonly marks: string;
  /** Whether the line repeats the closing marks of the previous one: together they may be one sentence. */
  readonly continues: boolean;
}

const LETTER = /\p{L}/u;
const DASH = /^\s*[-–—‐―]+\s*/;
/** `ANN: Here.`, `[ANN] Here.` and `(ANN) Here.`: subtitles write the names of speakers in capital letters. */
const CAPITALS = String.raw`\p{Lu}[\p{Lu}\d .#'’-]{1,40}`;
const NAME = new RegExp(String.raw`^\s*(?:${CAPITALS}:(?!\S)|\[${CAPITALS}\]|\(${CAPITALS}\))`, 'u');

/** The utterances of a cue's text; their raw texts joined by line breaks are the text. */
export function utterancesOf(
  text: string,
  cue: number,
  { readTokens, isBare }: CueTextSyntax,
): readonly Utterance[] {
  const tokens = readTokens(text);
  const marked = isBare(text) ? [] : markLines(tokens);
  const lines: CueToken[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'break') lines.push([]);
    else lines.at(-1)?.push(token);
  }
  const utterances: { readonly tokens: CueToken[]; readonly line: number; readonly continues: boolean }[] =
    [];
  lines.forEach((line, i) => {
    const current = utterances.at(-1);
    const before = lines[i - 1];
    const isNew = !current || !before || opensUtterance(line) || standsAlone(before);
    const change = changeOfMarks(marked[i - 1], marked[i]);
    if (isNew || change !== 'none')
      utterances.push({ tokens: [...line], line: i, continues: !isNew && change === 'again' });
    else current.tokens.push({ type: 'break', raw: '\n' }, ...line);
  });
  return utterances.map((utterance) =>
    makeUtterance(utterance.tokens, cue, {
      marks: marked[utterance.line]?.marks ?? '',
      continues: utterance.continues,
    }),
  );
}

/**
 * Whether a line is formatted differently from the previous one, as for another speaker, or repeats its opening marks.
 * A tag around parts of both keeps them together.
 */
function changeOfMarks(
  before: LineMarks | undefined,
  line: LineMarks | undefined,
): 'none' | 'other' | 'again' {
  if (!before || !line || line.isTied) return 'none';
  if (before.marks !== line.marks) return 'other';
  return line.marks !== '' && line.opens ? 'again' : 'none';
}

/** Whether a new speaker begins: a dash, `>>`, a name, or a voice tag. */
function opensUtterance(line: readonly CueToken[]): boolean {
  for (const token of line) {
    if (token.type === 'words') {
      if (token.raw.trim() === '') continue;
      return DASH.test(token.raw) || NAME.test(token.raw) || token.raw.trimStart().startsWith('>>');
    }
    if (token.type === 'open' && token.name === 'v') return true;
    if (token.type === 'code' && token.kind === 'note') return true;
    if (token.type === 'code' && token.kind === 'link') return false;
  }
  return false;
}

/** Whether an utterance begins a sentence: with a dash, name, note, voice, position, or the `F:` of lyrics. */
export function beginsSentence({ lead, words }: Utterance): boolean {
  const marks = lead.replaceAll(/<(?!v\b)[^<>]*>/g, '');
  return /[-–—‐―♩♪♫♬{]|>>|<v|[FMD]:/.test(marks) || NAME.test(words);
}

/** `MAN:` and `[door slams]` stay on separate lines. */
function standsAlone(line: readonly CueToken[]): boolean {
  const words = wordsOf(line).trim();
  return (
    words.length <= 200 && (/^[\p{Lu}\d .#'’-]+:$/u.test(words) || /^(?:\[[^\]]*\]|\([^)]*\))$/.test(words))
  );
}

function makeUtterance(
  tokens: readonly CueToken[],
  cue: number,
  { marks, continues }: Pick<Utterance, 'marks' | 'continues'>,
): Utterance {
  const { from, to } = shell(tokens);
  const inner = tokens.slice(from, to);
  let lead = rawOf(tokens.slice(0, from));
  let trail = rawOf(tokens.slice(to));
  const first = inner[0];
  if (first?.type === 'words') {
    const outside = (DASH.exec(first.raw) ?? /^\s*(?:>>\s*)?/.exec(first.raw))?.[0] ?? '';
    lead += outside;
    inner[0] = { type: 'words', raw: first.raw.slice(outside.length) };
  }
  const last = inner.at(-1);
  if (last?.type === 'words') {
    const kept = last.raw.trimEnd();
    trail = last.raw.slice(kept.length) + trail;
    inner[inner.length - 1] = { type: 'words', raw: kept };
  }
  const words = wordsOf(inner);
  return {
    cue,
    raw: rawOf(tokens),
    lead,
    inner,
    trail,
    lines: inner.filter((token) => token.type === 'break').length + 1,
    words,
    isTranslatable: inner.some((token) => token.type === 'words' && LETTER.test(token.raw)),
    marks,
    continues,
  };
}

/** The range of tokens inside everything that surrounds all the words. */
function shell(tokens: readonly CueToken[]): { readonly from: number; readonly to: number } {
  const pairs = pairTags(tokens);
  let from = 0;
  let to = tokens.length;
  const isLoose = (at: number): boolean => {
    const token = tokens[at];
    if (!token) return false;
    if (token.type === 'words') return token.raw.trim() === '';
    if (token.type === 'code') return token.kind !== 'link';
    return token.type === 'break' || !pairs.has(at);
  };
  while (from < to) {
    if (isLoose(from)) from++;
    else if (isLoose(to - 1)) to--;
    else if (tokens[from]?.type === 'open' && pairs.get(from) === to - 1) {
      from++;
      to--;
    } else break;
  }
  return { from, to };
}

export function rawOf(tokens: readonly CueToken[]): string {
  return tokens.map((token) => token.raw).join('');
}

/** The number of graphemes in the widest line, but at least `least`. */
export function widestLine({ inner }: Utterance, least: number): number {
  let widest = least;
  let line = '';
  // Counting graphemes is slow, so lines with too few code units are skipped.
  const end = (): void => {
    if (line.length > widest) widest = Math.max(widest, widthOf(line));
    line = '';
  };
  for (const token of inner) {
    if (token.type === 'words') line += token.raw;
    if (token.type === 'break') end();
  }
  end();
  return widest;
}
