import { pairCueTags, type CueTextSyntax, type CueToken } from '../../formats/subtitles/cue-text.ts';
import type { Turn } from './utterance.ts';

/**
 * Judges the text of a turn as if a stranger had written it: words of an answer can look like a tag or like a note.
 * Undefined when it has the codes of its source, timestamps in their order, and as many closed pairs.
 */
export function soundnessProblem(
  turn: Turn,
  text: string,
  { isBare, readTokens }: CueTextSyntax,
): string | undefined {
  if (isBare(text) && isBare(turn.raw)) return emptyLineProblem(turn, text);
  const source = readTokens(turn.raw);
  const found = readTokens(text);
  const counts = new Map<string, number>();
  for (const raw of codesOf(source)) counts.set(raw, (counts.get(raw) ?? 0) + 1);
  for (const raw of codesOf(found)) {
    const left = counts.get(raw) ?? 0;
    if (left === 0) return `the answer has ${raw}, which the source does not have`;
    counts.set(raw, left - 1);
  }
  for (const [raw, left] of counts) if (left > 0) return `the answer lost ${raw}`;
  if (timestampsOf(source).join() !== timestampsOf(found).join())
    return 'the answer changed the order of the timestamps';
  if (pairCueTags(found).size !== pairCueTags(source).size)
    return 'the answer does not nest the tags as the source does';
  return emptyLineProblem(turn, text);
}

function emptyLineProblem(turn: Turn, text: string): string | undefined {
  const hasEmpty = (lines: string): boolean => lines.split('\n').some((line) => line.trim() === '');
  return hasEmpty(text) && !hasEmpty(turn.raw) ? 'the answer has an empty line' : undefined;
}

function codesOf(tokens: readonly CueToken[]): readonly string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'words' || token.type === 'break') return [];
    return isEscape(token) ? [] : [token.raw];
  });
}

/** The escapes in which words are written are words. */
function isEscape(token: CueToken): boolean {
  return token.type === 'code' && token.kind === 'entity' && /^&(?:amp|lt|gt);$/.test(token.raw);
}

function timestampsOf(tokens: readonly CueToken[]): readonly string[] {
  return tokens.flatMap((token) => (token.type === 'code' && token.kind === 'timestamp' ? [token.raw] : []));
}
