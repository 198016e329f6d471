import { type TaggedText, type Token, decodeWords, encodeWords } from '../../text/tagged.ts';
import type { EngineOutcome } from '../engine.ts';
import {
  hasLetters,
  isBalanced,
  sameNesting,
  translateByLines,
  translateRuns,
  trimLine,
  type TranslatedLine,
} from '../lines.ts';
import { toElements, type MarkupElement } from './elements.ts';
import type { ModelAnswer } from './model-pool.ts';
import type { ModelText } from './worker/messages.ts';

/** Models collapse repeated spaces, so the texts between them are translated separately, like lines. */
const SEPARATOR = /((?: *(?:\r\n|[\n\r\t\v\f\u0085\u2028\u2029]) *)+| {2,})/;

/** Translates with each model in turn, line by line. */
export function translateText(route: readonly AskModel[], tagged: TaggedText): Promise<EngineOutcome> {
  const lost = 'the translation model lost a placeholder';
  return translateByLines(route, tagged, translateLine, { lost, separator: SEPARATOR });
}

/** Sends a text to the model of one direction. */
export type AskModel = (text: ModelText) => Promise<ModelAnswer>;

/**
 * Translates one line. Encodes the placeholders in each suitable way, the best first, until an answer has all of them
 * in plausible places; otherwise each run of words between them is translated separately, where nothing can be lost.
 * Keeps the space at the edges.
 */
export async function translateLine(ask: AskModel, line: readonly Token[]): Promise<TranslatedLine> {
  if (!hasLetters(line)) return { tokens: line };
  const { lead, core, trail } = trimLine(line);
  const { before, inner, after } = peel(core);
  const hasTags = inner.some(({ type }) => type !== 'words');
  const whole = hasTags && isBalanced(inner) ? await translateWhole(ask, inner) : undefined;
  const outcome = whole ?? (await translateRuns(inner, (run) => translateWords(ask, run)));
  return 'failure' in outcome
    ? outcome
    : { tokens: [...lead, ...before, ...outcome.tokens, ...after, ...trail] };
}

/** Undefined if every answer was damaged; the failure if the model gave no answer. */
async function translateWhole(ask: AskModel, inner: readonly Token[]): Promise<TranslatedLine | undefined> {
  const elements = toElements(inner);
  for (const style of stylesFor(elements)) {
    const encoded = encodeElements(elements, style);
    if (!encoded) continue;
    const reply = await ask(encoded.text);
    if ('failure' in reply) return reply;
    const tokens = encoded.decode(reply.answer);
    if (tokens && isPlausible(inner, tokens)) return { tokens };
  }
  return undefined;
}

/**
 * A number in the place of an opaque part completes the sentence, so numbers are tried first. If one would touch a
 * letter or digit, tags are better.
 */
function stylesFor(elements: readonly MarkupElement[]): readonly EncodingStyle[] {
  if (!elements.some(({ type }) => type === 'opaque')) return ['aligned'];
  const touches = elements.some((element, i) => {
    if (element.type !== 'opaque') return false;
    const [left, right] = [elements[i - 1], elements[i + 1]];
    return (
      (left?.type === 'words' && /[\p{L}\p{M}\p{N}]$/u.test(left.text)) ||
      (right?.type === 'words' && /^[\p{L}\p{M}\p{N}]/u.test(right.text))
    );
  });
  return touches ? ['aligned', 'copied'] : ['copied', 'aligned'];
}

/** Whether every tag is inside the same pair as before, and no pair lost all its words to others. */
export function isPlausible(source: readonly Token[], answer: readonly Token[]): boolean {
  if (!hasLetters(answer) || !sameNesting(source, answer)) return false;
  const worded = wordedPairs(answer);
  return [...wordedPairs(source)].every((id) => worded.has(id));
}

function wordedPairs(tokens: readonly Token[]): Set<number> {
  const worded = new Set<number>();
  const open: number[] = [];
  for (const token of tokens) {
    if (token.type === 'open') open.push(token.id);
    else if (token.type === 'close') open.pop();
    else if (hasLetters([token])) for (const id of open) worded.add(id);
  }
  return worded;
}

/** Removes the pairs around the whole line. */
function peel(core: readonly Token[]): Record<'before' | 'inner' | 'after', readonly Token[]> {
  let depth = 0;
  for (;;) {
    const first = core[depth];
    const last = core[core.length - 1 - depth];
    if (first?.type !== 'open' || last?.type !== 'close' || first.id !== last.id) break;
    depth++;
  }
  const end = core.length - depth;
  return { before: core.slice(0, depth), inner: core.slice(depth, end), after: core.slice(end) };
}

async function translateWords(ask: AskModel, run: readonly Token[]): Promise<TranslatedLine> {
  const text = run.map((part) => (part.type === 'words' ? part.text : '')).join('');
  const reply = await ask({ text, html: false });
  if ('failure' in reply) return reply;
  const words = reply.answer.trim();
  if (words === '') return { failure: 'the translation model returned no words' };
  return { tokens: [{ type: 'words', text: words }] };
}

/**
 * How opaque parts are sent. `copied`: as numbers among the words. `aligned`: as tags, which the model does not see;
 * they follow their neighbours according to its attention. Pairs around words are always tags.
 */
export type EncodingStyle = 'copied' | 'aligned';

/** A text as sent to a model, and how to decode the answer. */
interface EncodedText {
  readonly text: ModelText;
  /** The tokens of an answer; undefined if it is damaged: a lost or repeated part, an unknown tag. */
  decode(answer: string): Token[] | undefined;
}

/** Undefined if too few numbers are free for the opaque parts. */
export function encodeElements(
  elements: readonly MarkupElement[],
  style: EncodingStyle,
): EncodedText | undefined {
  const opaques = elements.flatMap((element) => (element.type === 'opaque' ? [element.tokens] : []));
  const words = elements.map((element) => (element.type === 'words' ? element.text : ' ')).join('');
  const standIns = style === 'copied' ? chooseFreeNumbers(words, opaques.length) : [];
  if (!standIns) return undefined;
  const html = elements.some(({ type }) => type === 'open' || (type === 'opaque' && style === 'aligned'));
  let opaque = 0;
  const write = (element: MarkupElement): string => {
    if (element.type === 'words') return html ? encodeWords(element.text) : element.text;
    if (element.type === 'open') return `<b id="${element.id}">`;
    if (element.type === 'close') return '</b>';
    const i = opaque++;
    return style === 'copied' ? String(standIns[i]) : `<img id="${i}">`;
  };
  return {
    text: { text: elements.map(write).join(''), html },
    decode(answer) {
      const pieces = html ? readMarkup(answer) : [{ words: answer }];
      return pieces && restore(pieces, opaques, standIns);
    },
  };
}

type MarkupPart =
  { readonly words: string } | { readonly opaque: number } | { readonly open: number } | 'close';

/** Parses the markup of an answer; undefined if it contains unknown tags. */
function readMarkup(answer: string): MarkupPart[] | undefined {
  const pieces: MarkupPart[] = [];
  let at = 0;
  const addWords = (end: number): boolean => {
    const raw = answer.slice(at, end);
    if (raw !== '') pieces.push({ words: decodeWords(raw) });
    return !/[<>]/.test(raw);
  };
  for (const match of answer.matchAll(/<(?:(b|img) id="(\d+)"|\/b)>/g)) {
    if (!addWords(match.index)) return undefined;
    at = match.index + match[0].length;
    const id = Number(match[2]);
    pieces.push(match[1] === undefined ? 'close' : match[1] === 'b' ? { open: id } : { opaque: id });
  }
  return addWords(answer.length) ? pieces : undefined;
}

function restore(
  pieces: readonly MarkupPart[],
  opaques: readonly (readonly Token[])[],
  standIns: readonly number[],
): Token[] | undefined {
  const tokens: Token[] = [];
  const missing = new Set(opaques.keys());
  const open: number[] = [];
  const addOpaque = (i: number): boolean => {
    tokens.push(...(opaques[i] ?? []));
    return missing.delete(i);
  };
  for (const piece of pieces) {
    if (piece === 'close') {
      const id = open.pop();
      if (id === undefined) return undefined;
      tokens.push({ type: 'close', id });
    } else if ('open' in piece) {
      open.push(piece.open);
      tokens.push({ type: 'open', id: piece.open });
    } else if ('opaque' in piece) {
      if (!addOpaque(piece.opaque)) return undefined;
    } else {
      for (const part of findStandIns(piece.words, standIns)) {
        if (typeof part === 'string') tokens.push({ type: 'words', text: part });
        else if (!addOpaque(part)) return undefined;
      }
    }
  }
  return missing.size === 0 && open.length === 0 ? joinParts(tokens) : undefined;
}

/** Merges parts of a pair that are separated only by space. */
function joinParts(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const space = last?.type === 'words' && last.text.trim() === '' ? 1 : 0;
    const before = joined.at(-1 - space);
    if (token.type === 'open' && before?.type === 'close' && before.id === token.id) {
      joined.splice(joined.length - 1 - space, 1);
    } else joined.push(token);
  }
  return joined;
}

/**
 * Numbers that represent opaque parts in the text for a model. Models copy numbers of this size unchanged in every
 * script, and build a sentence around them as around the real value. Their last digits select the general plural form, even in
 * languages with several. None has a special meaning.
 */
const NUMBERS = [
  437, 629, 538, 846, 759, 928, 647, 856, 739, 548, 967, 826, 458, 679, 587, 946, 768, 835, 526, 649, 957,
  478, 589, 736,
];

/** Distinct numbers that do not occur among the words; undefined if too few are free. */
export function chooseFreeNumbers(words: string, count: number): number[] | undefined {
  const taken = new Set(words.match(/\p{Nd}+/gu));
  const free = NUMBERS.filter((number) => !taken.has(String(number)));
  return free.length < count ? undefined : free.slice(0, count);
}

/** A piece of an answer: words, or the index of a number. */
type NumberedPart = string | number;

/** Splits an answer at the numbers, in any digits. */
function findStandIns(answer: string, standIns: readonly number[]): NumberedPart[] {
  const pieces: NumberedPart[] = [];
  let at = 0;
  for (const match of answer.matchAll(/\p{Nd}+/gu)) {
    const index = standIns.indexOf(Number(toAscii(match[0])));
    if (index === -1) continue;
    pieces.push(answer.slice(at, match.index), index);
    at = match.index + match[0].length;
  }
  pieces.push(answer.slice(at));
  return pieces.filter((piece) => piece !== '');
}

/** Converts Arabic, Persian or Indian digits to 0 to 9. The ten digits of a script are consecutive. */
function toAscii(digits: string): string {
  if (/^[0-9]+$/.test(digits)) return digits;
  return Array.from(digits, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(code - zero);
  }).join('');
}
