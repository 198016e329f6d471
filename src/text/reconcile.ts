import { decodeWords, encodeWords, type TaggedText, type Token, tokenize, writeTagged } from './tagged.ts';

type Reconciled =
  | {
      readonly ok: true;
      readonly tagged: TaggedText;
      /** Whether the answer was damaged, apart from white space at its ends. */
      readonly repaired: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks an engine's answer against its source: the same placeholders, intact pairs, correct nesting, and words where
 * the source has words. Damage with only one possible meaning is repaired. Leading and trailing white space becomes the
 * source's.
 */
export function reconcile(source: TaggedText, answer: TaggedText): Reconciled {
  const isSame = source.trim() !== '' && hasSameTags(source, answer);
  const expected = isSame && !source.includes('<') ? NO_TOKENS : tokenize(source);
  if (!expected) return { ok: false, reason: 'the source is not well-formed tagged text' };
  if (isSame) return { ok: true, tagged: leadOf(source) + answer.trim() + trailOf(source), repaired: false };
  const asIs = tokenize(answer);
  const reason = asIs ? differenceOf(expected, asIs) : 'the answer is not well-formed';
  if (asIs && reason === undefined) {
    const tokens = unescapeQuotes(expected, asIs);
    return { ok: true, tagged: writeTagged(withEndsOf(expected, tokens)), repaired: tokens !== asIs };
  }
  const repaired = repair(expected, answer);
  if (repaired && differenceOf(expected, repaired) === undefined) {
    const tokens = unescapeQuotes(expected, repaired);
    return { ok: true, tagged: writeTagged(withEndsOf(expected, tokens)), repaired: true };
  }
  return {
    ok: false,
    reason: (repaired && differenceOf(expected, repaired)) ?? reason ?? 'the answer is damaged',
  };
}

const NO_TOKENS: readonly Token[] = [];

/**
 * Whether an answer has words without escapes, and exactly the tags of its source in order: true for most, which then
 * need no parsing.
 */
function hasSameTags(source: TaggedText, answer: TaggedText): boolean {
  if (source.includes('&') || answer.includes('&')) return false;
  let hasWords = false;
  let at = 0;
  let behind = 0;
  for (;;) {
    const tag = source.indexOf('<', at);
    const found = answer.indexOf('<', behind);
    if (source.slice(at, tag < 0 ? undefined : tag).includes('>')) return false;
    const words = answer.slice(behind, found < 0 ? undefined : found);
    if (words.includes('>')) return false;
    hasWords ||= words.trim() !== '';
    if (tag < 0 || found < 0) return hasWords && tag === found;
    at = source.indexOf('>', tag) + 1;
    if (at === 0 || !answer.startsWith(source.slice(tag, at), found)) return false;
    behind = found + at - tag;
  }
}

function leadOf(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}

function trailOf(text: string): string {
  return text.slice(text.trimEnd().length);
}

/** Undefined if nothing is wrong. */
function differenceOf(expected: readonly Token[], found: readonly Token[]): string | undefined {
  if (wordsOf(expected).trim() !== '' && wordsOf(found).trim() === '') return 'the answer has no words';
  const missing = shapesOf(expected);
  for (const shape of shapesOf(found)) {
    if (!missing.delete(shape)) return `the answer has a ${shape} that the source does not have`;
  }
  const [first] = missing;
  return first === undefined ? undefined : `the answer lost ${first}`;
}

/** Ids are unique in a text, so a set suffices. */
function shapesOf(tokens: readonly Token[]): Set<string> {
  const shapes = new Set<string>();
  for (const token of tokens) {
    if (token.type === 'placeholder') shapes.add(`placeholder ${token.id}`);
    else if (token.type === 'open') shapes.add(`pair ${token.id}`);
  }
  return shapes;
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.type === 'words' ? token.text : '')).join('');
}

const ESCAPED_QUOTES = /&(?:quot|apos|#34|#39|#x27|#x22);/gi;

/** Engines for HTML answer `l&#39;eau`; if the source has no such entity, it can only mean the character. */
function unescapeQuotes(expected: readonly Token[], found: Token[]): Token[] {
  if (!wordsOf(found).includes('&') || wordsOf(expected).includes('&')) return found;
  let changed = false;
  const tokens = found.map((token): Token => {
    if (token.type !== 'words') return token;
    const text = token.text.replace(ESCAPED_QUOTES, (entity) => (/quot|34|22/i.test(entity) ? '"' : "'"));
    changed ||= text !== token.text;
    return { type: 'words', text };
  });
  return changed ? tokens : found;
}

function withEndsOf(expected: readonly Token[], found: readonly Token[]): readonly Token[] {
  const tokens = [...found];
  const first = tokens[0];
  if (first?.type === 'words') tokens[0] = { type: 'words', text: first.text.trimStart() };
  const last = tokens.at(-1);
  if (last?.type === 'words') tokens[tokens.length - 1] = { type: 'words', text: last.text.trimEnd() };
  const start = expected[0];
  const end = expected.at(-1);
  if (start?.type === 'words') tokens.unshift({ type: 'words', text: leadOf(start.text) });
  if (end?.type === 'words') tokens.push({ type: 'words', text: trailOf(end.text) });
  return tokens;
}

/** A text split into runs that are translated separately. */
export interface Split {
  /** The texts with letters, without surrounding white space, in reading order. */
  readonly runs: readonly TaggedText[];
  /**
   * Joins translated runs; everything between them stays in place.
   *
   * @throws RangeError without exactly one translation per run
   */
  join(translations: readonly TaggedText[]): TaggedText;
}

/** Splits a text at its placeholders, for engines that damage them. */
export function splitRuns(tagged: TaggedText): Split {
  const tokens = tokenize(tagged) ?? [];
  const runs: TaggedText[] = [];
  const pieces = tokens.map((token): TaggedText | RunPlace => {
    if (token.type !== 'words' || !/\p{L}/u.test(token.text)) return writeTagged([token]);
    const words = token.text.trim();
    const at = token.text.indexOf(words);
    const run = runs.push(encodeWords(words)) - 1;
    return { run, lead: token.text.slice(0, at), trail: token.text.slice(at + words.length) };
  });
  const join: Split['join'] = (translations) =>
    joinRuns(pieces, translations, ({ run }) => translations[run] ?? '');
  return { runs, join };
}

/** A run's place in its text. */
export interface RunPlace {
  readonly run: number;
  readonly lead: string;
  readonly trail: string;
}

/** See {@link Split.join}. */
export function joinRuns<Place extends RunPlace>(
  pieces: readonly (string | Place)[],
  translations: readonly TaggedText[],
  write: (place: Place) => TaggedText,
): TaggedText {
  const runs = pieces.filter((piece) => typeof piece !== 'string').length;
  if (translations.length !== runs)
    throw new RangeError(`${translations.length} translations for ${runs} runs`);
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : piece.lead + write(piece) + piece.trail))
    .join('');
}

const LT = String.raw`(?:<|＜|&(?:amp;)?lt;)`;
const GT = String.raw`(?:>|＞|&(?:amp;)?gt;)`;
const QUOTE = String.raw`(?:["'“”„«»‘’＂＇]|&(?:amp;)?(?:quot|apos|#34|#39);)`;
const SPACE = String.raw`[\s\u00a0]{0,3}`;
const SLASH = '[/／]';

/** A tag as engines damage it: spaces, other quotes, upper case, full-width characters, HTML escapes. */
const LOOSE = [
  `${LT}${SPACE}[xXｘＸ][\\s\\u00a0]{1,3}[iIｉＩ][dDｄＤ]${SPACE}[=＝]${SPACE}${QUOTE}?${SPACE}([0-9０-９]{1,6})${SPACE}${QUOTE}?${SPACE}(${SLASH})?${SPACE}${GT}`,
  `${LT}${SPACE}(${SLASH})${SPACE}[xXｘＸ]${SPACE}${GT}`,
].join('|');

type Loose = Token | { readonly type: 'end' };

/**
 * The only tokens that a damaged answer can mean, or undefined. Not tried if the source's own words look like a tag,
 * because words and damage would be indistinguishable.
 */
function repair(expected: readonly Token[], answer: string): Token[] | undefined {
  const loose = new RegExp(LOOSE, 'g');
  if (expected.some((token) => token.type === 'words' && loose.test(token.text))) return undefined;
  const pairs = new Set<number>();
  for (const token of expected) if (token.type === 'open') pairs.add(token.id);
  return nest(joinEmptyPairs(readLoose(answer), pairs));
}

function readLoose(answer: string): Loose[] {
  const tokens: Loose[] = [];
  let at = 0;
  const words = (end: number): void => {
    if (end > at) tokens.push({ type: 'words', text: decodeWords(answer.slice(at, end)) });
  };
  for (const match of answer.matchAll(new RegExp(LOOSE, 'g'))) {
    words(match.index);
    at = match.index + match[0].length;
    if (match[3] !== undefined) {
      tokens.push({ type: 'end' });
      continue;
    }
    const id = Number((match[1] ?? '').normalize('NFKC'));
    tokens.push(match[2] === undefined ? { type: 'open', id } : { type: 'placeholder', id });
  }
  words(answer.length);
  return tokens;
}

/** `<x id="1"></x>` and `<x id="1">` mean the placeholder if the source has no pair with that number. */
function joinEmptyPairs(tokens: readonly Loose[], pairs: ReadonlySet<number>): Loose[] {
  const joined: Loose[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token) break;
    if (token.type !== 'open' || pairs.has(token.id)) {
      joined.push(token);
      continue;
    }
    joined.push({ type: 'placeholder', id: token.id });
    const next = tokens[i + 1];
    if (next?.type === 'end') i++;
    else if (next?.type === 'words' && next.text.trim() === '' && tokens[i + 2]?.type === 'end') {
      joined.push(next);
      i += 2;
    }
  }
  return joined;
}

/** Gives every end tag the number of its start tag. */
function nest(tokens: readonly Loose[]): Token[] | undefined {
  const nested: Token[] = [];
  const open: number[] = [];
  const seen = new Set<number>();
  for (const token of tokens) {
    if (token.type === 'open' || token.type === 'placeholder') {
      if (seen.has(token.id)) return undefined;
      seen.add(token.id);
    }
    if (token.type === 'open') open.push(token.id);
    if (token.type !== 'end') {
      nested.push(token);
      continue;
    }
    const id = open.pop();
    if (id === undefined) return undefined;
    nested.push({ type: 'close', id });
  }
  return open.length === 0 ? nested : undefined;
}
