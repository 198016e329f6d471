/**
 * Tagged text: the notation of segments for engines.
 *
 * Words are plain, with `&`, `<`, `>` written `&amp;`, `&lt;`, `&gt;`. A placeholder is `<x id="N"/>`, and inline
 * markup around words is `<x id="N">…</x>`. Ids count from 1 and are unique within a text. Nothing else is syntax.
 */
export type TaggedText = string;

/** A token of a tagged text; `words` are decoded. */
export type Token =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'placeholder'; readonly id: number }
  | { readonly type: 'open'; readonly id: number }
  | { readonly type: 'close'; readonly id: number };

const OPENING = '<x id="';
const CLOSING = '</x>';

/** Undefined if the text is malformed: a stray `<`, an unclosed pair, a repeated id. */
export function tokenize(tagged: TaggedText): Token[] | undefined {
  if (!tagged.includes('<')) {
    if (tagged.includes('>')) return undefined;
    return tagged === '' ? [] : [{ type: 'words', text: decodeWords(tagged) }];
  }
  const tokens: Token[] = [];
  const open: number[] = [];
  let at = 0;
  while (at < tagged.length) {
    const angle = tagged.indexOf('<', at);
    const end = angle < 0 ? tagged.length : angle;
    if (end > at) {
      const raw = tagged.slice(at, end);
      if (raw.includes('>')) return undefined;
      tokens.push({ type: 'words', text: decodeWords(raw) });
    }
    if (angle < 0) break;
    if (tagged.startsWith(CLOSING, angle)) {
      const opened = open.pop();
      if (opened === undefined) return undefined;
      tokens.push({ type: 'close', id: opened });
      at = angle + CLOSING.length;
      continue;
    }
    const token = readOpening(tagged, angle);
    if (!token) return undefined;
    tokens.push(token);
    if (token.type === 'open') open.push(token.id);
    at = tagged.indexOf('>', angle) + 1;
  }
  return open.length > 0 || hasTwice(tokens) ? undefined : tokens;
}

type OpeningToken = Extract<Token, { readonly type: 'placeholder' | 'open' }>;

/** `<x id="1"/>` or `<x id="1">`. */
function readOpening(tagged: string, start: number): OpeningToken | undefined {
  if (!tagged.startsWith(OPENING, start)) return undefined;
  const digits = start + OPENING.length;
  let at = digits;
  while (isDigit(tagged.charCodeAt(at))) at++;
  if (at === digits) return undefined;
  const id = Number(tagged.slice(digits, at));
  if (tagged.startsWith('"/>', at)) return { type: 'placeholder', id };
  return tagged.startsWith('">', at) ? { type: 'open', id } : undefined;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function hasTwice(tokens: readonly Token[]): boolean {
  let first: number | undefined;
  let seen: Set<number> | undefined;
  for (const token of tokens) {
    if (token.type === 'words' || token.type === 'close') continue;
    if (first === undefined) {
      first = token.id;
      continue;
    }
    // Most texts have only one placeholder.
    seen ??= new Set([first]);
    if (seen.has(token.id)) return true;
    seen.add(token.id);
  }
  return false;
}

/** Merges adjacent words. */
export function mergeWords(tokens: readonly Token[]): Token[] {
  const merged: Token[] = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    if (token.type === 'words' && last?.type === 'words') {
      merged[merged.length - 1] = { type: 'words', text: last.text + token.text };
    } else merged.push(token);
  }
  return merged;
}

export function writeTagged(tokens: readonly Token[]): TaggedText {
  let tagged = '';
  for (const token of tokens) {
    switch (token.type) {
      case 'words':
        tagged += encodeWords(token.text);
        break;
      case 'placeholder':
        tagged += `<x id="${token.id}"/>`;
        break;
      case 'open':
        tagged += `<x id="${token.id}">`;
        break;
      case 'close':
        tagged += '</x>';
        break;
    }
  }
  return tagged;
}

const ENCODED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const DECODED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

export function encodeWords(text: string): TaggedText {
  // Most words need no encoding, and a replacement costs several times as much as a test.
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, (c) => ENCODED[c] ?? c) : text;
}

/** Decodes the three escapes once; any other `&` is literal, because engines often leave it bare. */
export function decodeWords(tagged: TaggedText): string {
  if (!tagged.includes('&')) return tagged;
  return tagged.replace(/&(amp|lt|gt);/g, (whole, name: string) => DECODED[name] ?? whole);
}
