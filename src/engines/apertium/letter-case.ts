import type { Token } from '../../text/tagged.ts';

/**
 * Takes back the capital that some directions give to every first word: their rules take a record for a sentence, but
 * a segment may begin in the middle of one. A word that the source has like this keeps its capital.
 */
export function restoreCase(source: readonly Token[], answer: readonly Token[]): readonly Token[] {
  const original = firstWord(source);
  const word = firstWord(answer);
  if (!original || !word || !/^\p{Ll}/u.test(original.text) || !/^\p{Lu}(?!\p{Lu})/u.test(word.text))
    return answer;
  if (source.some((token) => token.type === 'words' && token.text.includes(word.text))) return answer;
  const token = answer[word.token];
  if (token?.type !== 'words') return answer;
  const at = token.text.indexOf(word.text);
  const [capital = ''] = word.text;
  const text = token.text.slice(0, at) + capital.toLowerCase() + token.text.slice(at + capital.length);
  return answer.with(word.token, { type: 'words', text });
}

/** The first stretch of letters, and which token it is in. */
function firstWord(tokens: readonly Token[]): { readonly token: number; readonly text: string } | undefined {
  for (const [i, token] of tokens.entries()) {
    const text = token.type === 'words' ? /\p{L}[\p{L}\p{M}\p{N}_]*/u.exec(token.text)?.[0] : undefined;
    if (text !== undefined) return { token: i, text };
  }
  return undefined;
}
