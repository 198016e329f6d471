import { countCodePoints } from '../base/code-points.ts';
import { cutText } from './cut-text.ts';
import type { Split } from './reconcile.ts';
import { type TaggedText, tokenize } from './tagged.ts';

/**
 * Cuts a long segment into runs of at most `limit` code points: at sentence ends where there are any, never within a
 * placeholder, and within a pair only where the pair itself is too long. Each run is a tagged text of its own, whose ids
 * count from 1. Undefined for a segment that is short enough, or not well-formed.
 */
export function cutSegment(tagged: TaggedText, limit: number): Split | undefined {
  if (tagged.length <= limit || countCodePoints(tagged, limit) <= limit || !tokenize(tagged))
    return undefined;
  const runs: TaggedText[] = [];
  const pieces: (string | CutRun)[] = [];
  for (const { text, inside } of stretchesOf(tagged, limit)) {
    if (!inside) {
      pieces.push(text);
      continue;
    }
    for (const part of cutText(text, limit, inside)) {
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
  const join: Split['join'] = (translations) => {
    if (translations.length !== runs.length)
      throw new RangeError(`${translations.length} translations for ${runs.length} runs`);
    return pieces
      .map((piece) =>
        typeof piece === 'string'
          ? piece
          : piece.lead + restoreIds(translations[piece.run] ?? '', piece.ids) + piece.trail,
      )
      .join('');
  };
  return { runs, join };
}

interface CutRun {
  readonly run: number;
  /** Of the placeholders, in the order of their ids in the run. */
  readonly ids: readonly string[];
  readonly lead: string;
  readonly trail: string;
}

/** A part of a segment: a tag that stays between runs, or text to cut, with the offsets at which it must not be cut. */
interface Stretch {
  readonly text: string;
  readonly inside?: Uint8Array;
}

const SYNTAX = /<x id="\d+"\/>|<x id="\d+">|<\/x>|&(?:amp|lt|gt);/g;

interface Tag {
  readonly start: number;
  readonly end: number;
  /** Where the element ends: for a placeholder and an escape, with itself. */
  close: number;
}

function* stretchesOf(tagged: TaggedText, limit: number): Generator<Stretch> {
  const inside = new Uint8Array(tagged.length + 1);
  let from = 0;
  let covered = 0;
  for (const { start, end, close } of tagsOf(tagged)) {
    if (start < covered) continue;
    // A cut right before or after it is one between it and the words.
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

/** The tags of a segment in their order; the end of a pair that is too long is one as well. */
function tagsOf(tagged: TaggedText): readonly Tag[] {
  const tags: Tag[] = [];
  const open: Tag[] = [];
  for (const { 0: text, index: start } of tagged.matchAll(SYNTAX)) {
    const end = start + text.length;
    const tag: Tag = { start, end, close: end };
    if (text === '</x>') {
      const opened = open.pop();
      if (opened) opened.close = end;
      // Of a pair that is too long, this stays between runs as its beginning does; that of a short one is covered.
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
