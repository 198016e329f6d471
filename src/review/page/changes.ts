/** A run of words that both texts share, or that only one has. */
export interface Change {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The maximum number of words that are compared per text; a longer text is shown as replaced. */
const MAX_WORDS = 600;

/** Compares two texts word by word, using the longest common subsequence. */
export function compareWords(before: string, after: string): readonly Change[] {
  const from = wordsOf(before);
  const to = wordsOf(after);
  if (from.length > MAX_WORDS || to.length > MAX_WORDS)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  // lengths[i][j] is the length of the longest common subsequence of the words from i and from j on.
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = from.length - 1; i >= 0; i--) {
    const row = lengths[i];
    if (!row) continue;
    for (let j = to.length - 1; j >= 0; j--)
      row[j] =
        from[i] === to[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  }
  const changes: Change[] = [];
  const add = (kind: Change['kind'], text: string | undefined): void => {
    const last = changes.at(-1);
    if (last?.kind === kind) changes[changes.length - 1] = { kind, text: last.text + (text ?? '') };
    else changes.push({ kind, text: text ?? '' });
  };
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      add('same', from[i++]);
      j++;
    } else if (i < from.length && (j === to.length || lengthAt(i + 1, j) >= lengthAt(i, j + 1)))
      add('removed', from[i++]);
    else add('added', to[j++]);
  }
  return changes;
}

/** Splits a text into words, spaces and punctuation. In scripts without spaces, each character is a word. */
function wordsOf(text: string): readonly string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\p{L}\p{M}\p{N}_]|$)|\s+|[^]/gu,
    ) ?? []
  );
}
