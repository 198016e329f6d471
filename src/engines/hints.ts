import type { RequiredTerm, SegmentHint, SimilarTranslation } from './engine.ts';

const MOST_KEYS = 3;
const MOST_COMMENTS = 3;
const MOST_NEIGHBOURS = 4;
const MOST_SIMILAR = 3;
/** In UTF-16 code units. Longer parts add little information about a segment, and cost as much as many segments. */
const LONGEST_KEY = 200;
const LONGEST_COMMENT = 500;
const LONGEST_NEIGHBOUR = 200;
const LONGEST_SIMILAR = 600;

/**
 * Shortens a hint: each part on one line, without control characters. Undefined if nothing is left. Tagged texts are
 * kept whole or dropped.
 */
export function boundHint(hint: SegmentHint | undefined): SegmentHint | undefined {
  if (!hint) return undefined;
  const keys = excerptsOf(hint.keys, MOST_KEYS, LONGEST_KEY);
  const comments = boundComments(hint.comments);
  const neighbours = excerptsOf(hint.neighbours, MOST_NEIGHBOURS, LONGEST_NEIGHBOUR);
  const similar = hint.similar?.filter(isFit).slice(0, MOST_SIMILAR) ?? [];
  const bounded = {
    ...(keys.length > 0 && { keys }),
    ...(comments.length > 0 && { comments }),
    ...(hint.limit && { limit: hint.limit }),
    ...(neighbours.length > 0 && { neighbours }),
    ...(similar.length > 0 && { similar }),
  };
  return Object.keys(bounded).length === 0 ? undefined : bounded;
}

/** The comments of {@link boundHint}, for engines that use nothing else. */
export function boundComments(comments: readonly string[] | undefined): readonly string[] {
  return excerptsOf(comments, MOST_COMMENTS, LONGEST_COMMENT);
}

function excerptsOf(texts: readonly string[] = [], most: number, longest: number): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) {
    if (found.size === most) break;
    const excerpt = excerptOf(text, longest);
    if (excerpt !== '') found.add(excerpt);
  }
  return [...found];
}

const CONTROLS = /[^\P{Cc}\t\n\r]/u;

function isFit({ source, translation }: SimilarTranslation): boolean {
  return [source, translation].every(
    (text) => text.length <= LONGEST_SIMILAR && text.isWellFormed() && !CONTROLS.test(text),
  );
}

const ELLIPSIS = '…';

/** The beginning of a text, on one line. */
function excerptOf(text: string, longest: number): string {
  // Avoids processing megabytes of text.
  const line = text
    .slice(0, longest * 4)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .toWellFormed()
    .trim();
  if (line.length <= longest && text.length <= longest * 4) return line;
  const cut = line.slice(0, longest - ELLIPSIS.length);
  // Does not split a surrogate pair.
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}${ELLIPSIS}`;
}

const LONGEST_NOTE = 200;

/** A term with a shortened note. */
export function boundTerm({ term, translation, note }: RequiredTerm): RequiredTerm {
  const short = note === undefined ? '' : excerptOf(note, LONGEST_NOTE);
  return { term, translation, ...(short !== '' && { note: short }) };
}
