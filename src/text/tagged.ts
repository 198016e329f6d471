/**
 * Tagged text: the notation in which engines get and answer segments.
 *
 * Words stand as they are, with `&`, `<`, `>` written `&amp;`, `&lt;`, `&gt;`. A placeholder is `<x id="N"/>`, inline
 * markup around words is `<x id="N">…</x>`. Ids count from 1 and are unique within a text. Nothing else is syntax.
 */
export type TaggedText = string;

/** One token of a tagged text; `words` are decoded. */
export type Token =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'placeholder'; readonly id: number }
  | { readonly type: 'open'; readonly id: number }
  | { readonly type: 'close'; readonly id: number };

const OPENING = '<x id="';
const CLOSING = '</x>';

/** Undefined when the text is not well-formed tagged text: a stray `<`, a pair that does not close, an id seen twice. */
export function tokenize(tagged: TaggedText): Token[] | undefined {
  const tokens: Token[] = [];
  const open: number[] = [];
  const seen: number[] = [];
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
    const tag = readOpening(tagged, angle);
    if (!tag) return undefined;
    seen.push(tag.id);
    tokens.push({ type: tag.type, id: tag.id });
    if (tag.type === 'open') open.push(tag.id);
    at = tag.end;
  }
  return open.length > 0 || hasTwice(seen) ? undefined : tokens;
}

interface OpeningTag {
  readonly type: 'placeholder' | 'open';
  readonly id: number;
  readonly end: number;
}

/** `<x id="1"/>` or `<x id="1">`. */
function readOpening(tagged: string, start: number): OpeningTag | undefined {
  if (!tagged.startsWith(OPENING, start)) return undefined;
  const digits = start + OPENING.length;
  let at = digits;
  while (isDigit(tagged.charCodeAt(at))) at++;
  if (at === digits) return undefined;
  const id = Number(tagged.slice(digits, at));
  if (tagged.startsWith('"/>', at)) return { type: 'placeholder', id, end: at + 3 };
  return tagged.startsWith('">', at) ? { type: 'open', id, end: at + 2 } : undefined;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function hasTwice(ids: readonly number[]): boolean {
  return ids.length > 1 && new Set(ids).size < ids.length;
}

/** Words that stand side by side become one run of words. */
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
  // Most words have nothing to encode, and a replacement costs several times as much as a look.
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, (c) => ENCODED[c] ?? c) : text;
}

/** Decodes the three escapes once; any other `&` stands for itself, as engines like to leave it bare. */
export function decodeWords(tagged: TaggedText): string {
  if (!tagged.includes('&')) return tagged;
  return tagged.replace(/&(amp|lt|gt);/g, (whole, name: string) => DECODED[name] ?? whole);
}
