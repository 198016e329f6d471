import { countCodePoints } from '../base/code-points.ts';
import { splitAtSentences } from './sentence-split.ts';
import { joinRuns, type RunPlace, type Split } from './reconcile.ts';
import { type TaggedText, tokenize } from './tagged.ts';

/**
 * Splits a long segment into runs of at most `limit` code points: at sentence ends if possible, never within a
 * placeholder, and within a pair only if the pair is too long. Each run is a separate tagged text with ids from 1.
 * Undefined for a segment that is short enough or malformed.
 */
export function splitLongSegment(tagged: TaggedText, limit: number): Split | undefined {
  if (tagged.length <= limit || countCodePoints(tagged, limit) <= limit || !tokenize(tagged))
    return undefined;
  const runs: TaggedText[] = [];
  const pieces: (string | CutRun)[] = [];
  for (const { text, inside } of stretchesOf(tagged, limit)) {
    if (!inside) {
      pieces.push(text);
      continue;
    }
    for (const part of splitAtSentences(text, limit, inside)) {
      const words = part.trim();
      if (!hasLetters(words)) {
        pieces.push(part);
        continue;
      }
      const { renumbered, ids } = renumber(words);
      const at = part.indexOf(words);
      const run = runs.push(renumbered) - 1;
      pieces.push({ run, ids, lead: part.slice(0, at), trail: part.slice(at + words.length) });
    }
  }
  const join: Split['join'] = (translations) =>
    joinRuns(pieces, translations, ({ run, ids }) => restoreIds(translations[run] ?? '', ids));
  return { runs, join };
}

interface CutRun extends RunPlace {
  /** The original ids of the placeholders, by id in the run. */
  readonly ids: readonly string[];
}

/**
 * A part of a segment: a tag, which is kept between runs, or text to split, with the offsets where it must not be
 * split.
 */
interface Stretch {
  readonly text: string;
  readonly inside?: Uint8Array;
}

const SYNTAX = /<x id="\d+"\/>|<x id="\d+">|<\/x>|&(?:amp|lt|gt);/g;

interface Tag {
  readonly start: number;
  readonly end: number;
  /** The offset where the element closes: for a placeholder or escape, its own end. */
  close: number;
}

function* stretchesOf(tagged: TaggedText, limit: number): Generator<Stretch> {
  const inside = new Uint8Array(tagged.length + 1);
  let from = 0;
  let covered = 0;
  for (const { start, end, close } of tagsOf(tagged)) {
    if (start < covered) continue;
    // Splitting directly before or after a placeholder separates it from the words.
    if (close - start <= limit) {
      inside.fill(1, start + 1, close);
      covered = close;
      continue;
    }
    yield { text: tagged.slice(from, start), inside: inside.subarray(from, start + 1) };
    yield { text: tagged.slice(start, end) };
    from = end;
  }
  yield { text: tagged.slice(from), inside: inside.subarray(from) };
}

/** The tags of a segment in order, including the ends of pairs that are too long. */
function tagsOf(tagged: TaggedText): readonly Tag[] {
  const tags: Tag[] = [];
  const open: Tag[] = [];
  for (const { 0: text, index: start } of tagged.matchAll(SYNTAX)) {
    const end = start + text.length;
    const tag: Tag = { start, end, close: end };
    if (text === '</x>') {
      const opened = open.pop();
      if (opened) opened.close = end;
      // The end of a pair that is too long is kept between runs, like its beginning; a short pair includes its end.
      tag.close = Infinity;
    } else if (text.endsWith('">')) open.push(tag);
    tags.push(tag);
  }
  return tags;
}

function hasLetters(tagged: TaggedText): boolean {
  return tokenize(tagged)?.some((token) => token.type === 'words' && /\p{L}/u.test(token.text)) ?? false;
}

const ID = /(?<=<x id=")\d+(?=")/g;

function renumber(tagged: TaggedText): { readonly renumbered: TaggedText; readonly ids: readonly string[] } {
  const ids: string[] = [];
  const renumbered = tagged.includes('<') ? tagged.replace(ID, (id) => String(ids.push(id))) : tagged;
  return { renumbered, ids };
}

function restoreIds(translation: TaggedText, ids: readonly string[]): TaggedText {
  return ids.length === 0 ? translation : translation.replace(ID, (id) => ids[Number(id) - 1] ?? id);
}
