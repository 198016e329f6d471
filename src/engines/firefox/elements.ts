import type { Token } from '../../text/tagged.ts';
import { closeOf, hasLetters } from '../lines.ts';

/**
 * A part of a text for a model: words, a tag of a pair with words in it, or an opaque part: placeholders, pairs
 * without words and the punctuation between them, which stay together unchanged.
 */
export type MarkupElement =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'opaque'; readonly tokens: readonly Token[] }
  | { readonly type: 'open'; readonly id: number }
  | { readonly type: 'close'; readonly id: number };

/** Splits a balanced text into elements. Adjacent codes without words between them form one opaque part: `{0} / {1}`. */
export function toElements(tokens: readonly Token[]): MarkupElement[] {
  const elements: MarkupElement[] = [];
  for (let i = 0; i < tokens.length;) {
    const token = tokens[i];
    if (!token) break;
    const end = token.type === 'open' ? closeOf(tokens, i) : i;
    const inside = tokens.slice(i, end + 1);
    if (token.type === 'open' && hasLetters(inside)) {
      elements.push(token, ...toElements(tokens.slice(i + 1, end)), { type: 'close', id: token.id });
    } else if (token.type === 'words') elements.push(token);
    else elements.push({ type: 'opaque', tokens: inside });
    i = end + 1;
  }
  return joinAtoms(elements);
}

function joinAtoms(elements: readonly MarkupElement[]): MarkupElement[] {
  const joined: MarkupElement[] = [];
  for (const element of elements) {
    const last = joined.at(-1);
    const before = joined.at(-2);
    if (element.type !== 'opaque') joined.push(element);
    else if (last?.type === 'opaque') {
      joined.splice(-1, 1, { type: 'opaque', tokens: [...last.tokens, ...element.tokens] });
    } else if (before?.type === 'opaque' && last?.type === 'words' && !hasLetters([last])) {
      joined.splice(-2, 2, { type: 'opaque', tokens: [...before.tokens, last, ...element.tokens] });
    } else joined.push(element);
  }
  return joined;
}
