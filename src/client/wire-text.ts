import { tokenize, writeTagged, type TaggedText, type Token } from '../text/tagged.ts';

/**
 * A segment as plain text for a service. Words are unescaped; a placeholder is `{1}` and inline markup `<g1>…</g1>`,
 * which services usually protect. Numbers that occur in the words in braces or tags are skipped, so that the answer is
 * unambiguous.
 */
export interface WireText {
  readonly text: string;
  /** Whether there is anything to translate. */
  readonly hasWords: boolean;
  /** The answer as tagged text, which the caller must reconcile with the segment. */
  read(answer: string): TaggedText;
}

const LT = String.raw`(?:<|＜|&lt;)`;
const GT = String.raw`(?:>|＞|&gt;)`;
const SPACE = String.raw`[\s\u00a0]{0,3}`;
const DIGITS = '([0-9０-９]{1,6})';

/** Both notations, as sent or as services damage them: spaces, upper case, full-width characters, HTML escapes. */
const LOOSE = `[{｛]${SPACE}${DIGITS}${SPACE}[}｝]|${LT}${SPACE}([/／]?)${SPACE}[gGｇＧ]${SPACE}${DIGITS}${SPACE}${GT}`;

/** Undefined if it is not valid tagged text. */
export function toWire(tagged: TaggedText): WireText | undefined {
  const tokens = tokenize(tagged);
  if (!tokens) return undefined;
  const words = tokens.map((token) => (token.type === 'words' ? token.text : '')).join('\n');
  const hasWords = /\p{L}/u.test(words);
  if (tokens.every((token) => token.type === 'words')) {
    return { text: words, hasWords, read: (answer) => writeTagged([{ type: 'words', text: answer }]) };
  }
  const offset = freeNumbers(words, tokens);
  const text = tokens.map((token) => writeToken(token, offset)).join('');
  return { text, hasWords, read: (answer) => readAnswer(answer, tokens, offset) };
}

function writeToken(token: Token, offset: number): string {
  if (token.type === 'words') return token.text;
  const number = token.id + offset;
  if (token.type === 'placeholder') return `{${number}}`;
  return token.type === 'open' ? `<g${number}>` : `</g${number}>`;
}

/** The offset to add to the ids, so that they differ from all numbers in the words. */
function freeNumbers(words: string, tokens: readonly Token[]): number {
  const taken = [...words.matchAll(new RegExp(LOOSE, 'g'))].map((match) => numberIn(match));
  if (taken.length === 0) return 0;
  const highest = tokens.reduce(
    (most, token) => (token.type === 'words' ? most : Math.max(most, token.id)),
    0,
  );
  const isFree = (offset: number): boolean =>
    !taken.some((number) => number > offset && number <= offset + highest);
  let offset = 0;
  while (!isFree(offset)) offset += highest;
  return offset;
}

function numberIn(match: RegExpExecArray): number {
  return Number((match[1] ?? match[3] ?? '').normalize('NFKC'));
}

/** The tokens of an answer. A tag with an unknown number counts as words. */
function readAnswer(answer: string, sent: readonly Token[], offset: number): TaggedText {
  const placeholders = new Set<number>();
  const pairs = new Set<number>();
  for (const token of sent) {
    if (token.type === 'placeholder') placeholders.add(token.id);
    else if (token.type === 'open') pairs.add(token.id);
  }
  const tokens: Token[] = [];
  const open: number[] = [];
  let at = 0;
  const words = (end: number): void => {
    if (end > at) tokens.push({ type: 'words', text: answer.slice(at, end) });
  };
  for (const match of answer.matchAll(new RegExp(LOOSE, 'g'))) {
    const id = numberIn(match) - offset;
    const isPlaceholder = match[1] !== undefined;
    if (!(isPlaceholder ? placeholders : pairs).has(id)) continue;
    words(match.index);
    at = match.index + match[0].length;
    if (isPlaceholder) tokens.push({ type: 'placeholder', id });
    else if (match[2] === '') {
      open.push(id);
      tokens.push({ type: 'open', id });
    } else if (open.at(-1) === id) {
      open.pop();
      tokens.push({ type: 'close', id });
    }
    // An end tag that does not match the innermost pair is dropped: ends in tagged text have no number, so crossed
    // pairs would go unnoticed. The pair then stays open, and the answer is rejected.
  }
  words(answer.length);
  return writeTagged(tokens);
}
