import { decodeWords, type Token } from './tagged.ts';

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
 * The only tokens that a damaged answer can have meant, or undefined. Not tried when the source's own words look like
 * a tag, because words and damage would look the same.
 */
export function repair(expected: readonly Token[], answer: string): Token[] | undefined {
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

/** `<x id="1"></x>` and `<x id="1">` mean the placeholder where the source has no pair with that number. */
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

/** Gives every end tag the number of the tag that it closes. */
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
