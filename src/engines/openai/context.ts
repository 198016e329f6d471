import type { TaggedText } from '../../text/tagged.ts';
import type { SegmentHint } from '../engine.ts';

const TAG = /<[^>]*>|&[a-z]+;/g;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Of scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** From so many words on a text says by itself what it means. */
const ENOUGH_WORDS = 4;

/**
 * What of a hint is worth its tokens. Comments and similar translations always are; keys and the texts around it where
 * the text is too short to be clear, and of those around it the ones that are not asked for with it anyway.
 *
 * @param asked the texts of the same request
 */
export function contextFor(
  text: TaggedText,
  hint: SegmentHint | undefined,
  asked: ReadonlySet<TaggedText>,
): SegmentHint | undefined {
  if (!hint) return undefined;
  const { keys, comments, similar } = hint;
  const isShort = countWords(text) < ENOUGH_WORDS;
  const neighbours = isShort ? hint.neighbours?.filter((other) => !asked.has(other)) : undefined;
  const context = {
    ...(isShort && keys && { keys }),
    ...(comments && { comments }),
    ...(neighbours && neighbours.length > 0 && { neighbours }),
    ...(similar && { similar }),
  };
  return Object.keys(context).length === 0 ? undefined : context;
}

/** Two characters of a script without spaces count as a word. */
function countWords(text: TaggedText): number {
  const words = text.replace(TAG, ' ');
  return (words.match(WORD)?.length ?? 0) + (words.match(UNSPACED)?.length ?? 0) / 2;
}
