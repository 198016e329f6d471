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

const TAG = /<x id="(\d+)"\/>|<x id="(\d+)">|<\/x>/g;

/** Undefined when the text is not well-formed tagged text: a stray `<`, a pair that does not close, an id seen twice. */
export function tokenize(tagged: TaggedText): Token[] | undefined {
  const tokens: Token[] = [];
  const open: number[] = [];
  const seen = new Set<number>();
  let at = 0;
  const words = (end: number): boolean => {
    if (end === at) return true;
    const raw = tagged.slice(at, end);
    if (/[<>]/.test(raw)) return false;
    tokens.push({ type: 'words', text: decodeWords(raw) });
    return true;
  };
  for (const match of tagged.matchAll(TAG)) {
    if (!words(match.index)) return undefined;
    at = match.index + match[0].length;
    const id = Number(match[1] ?? match[2]);
    if (match[0] === '</x>') {
      const opened = open.pop();
      if (opened === undefined) return undefined;
      tokens.push({ type: 'close', id: opened });
      continue;
    }
    if (seen.has(id)) return undefined;
    seen.add(id);
    if (match[1] !== undefined) tokens.push({ type: 'placeholder', id });
    else {
      open.push(id);
      tokens.push({ type: 'open', id });
    }
  }
  if (!words(tagged.length) || open.length > 0) return undefined;
  return tokens;
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
  return tagged.replace(/&(amp|lt|gt);/g, (whole, name: string) => DECODED[name] ?? whole);
}
