import { tokenize, type TaggedText } from '../../text/tagged.ts';
import { protectNames, type ProtectedSegment } from './terms.ts';

/** What a comment locks: words, or the whole text. */
type Locked = readonly string[] | 'all';

const NOTHING: Locked = [];
const INSTRUCTION = /\{(?:Locked|Placeholder)(=|\})/g;
const QUOTED = /"([^"]+)"(?:\s*,\s*)?/y;

/**
 * What the developer's comment keeps as it is, in the notation of .NET and VS Code: `{Locked}` the whole text,
 * `{Locked="Contoso","beta"}` and `{Placeholder="{0}"}` the words that they name.
 */
function lockedBy(comment: string | undefined): Locked {
  if (comment === undefined || !/\{(?:Locked|Placeholder)/.test(comment)) return NOTHING;
  const words: string[] = [];
  for (const { index, 0: opening, 1: sign } of comment.matchAll(INSTRUCTION)) {
    if (sign === '}' && opening === '{Locked}') return 'all';
    QUOTED.lastIndex = index + opening.length;
    for (let found = QUOTED.exec(comment); found; found = QUOTED.exec(comment)) words.push(found[1] ?? '');
  }
  return words;
}

interface LockedPlace {
  readonly comment?: string | undefined;
}

/** Makes placeholders of what the comments of texts lock; undefined where they lock nothing. */
export function protectLocked(
  segments: readonly { readonly tagged: TaggedText; readonly context?: LockedPlace | undefined }[],
): ReadonlyMap<TaggedText, ProtectedSegment> | undefined {
  if (!segments.some(({ context }) => lockedBy(context?.comment).length > 0)) return undefined;
  const found = new Map<TaggedText, Locked>();
  for (const { tagged, context } of segments) {
    const locked = lockedBy(context?.comment);
    const known = found.get(tagged) ?? NOTHING;
    // One text may stand in several places with different comments: what one of them locks stays.
    found.set(tagged, known === 'all' || locked === 'all' ? 'all' : [...known, ...locked]);
  }
  return new Map(
    [...found].map(([tagged, locked]) => [tagged, protectNames(tagged, (text) => spansOf(text, locked))]),
  );
}

/** Whether translations keep what a comment locks in their sources. */
export function keepsLocked(
  comment: string | undefined,
  sources: readonly TaggedText[],
  translations: readonly TaggedText[],
): boolean {
  const locked = lockedBy(comment);
  if (locked === 'all') return sources.every((source, i) => source === translations[i]);
  if (locked.length === 0) return true;
  const count = (texts: readonly TaggedText[], word: string): number =>
    texts
      .flatMap((text) => tokenize(text) ?? [])
      .reduce((sum, token) => sum + (token.type === 'words' ? token.text.split(word).length - 1 : 0), 0);
  return locked.every((word) => count(translations, word) >= count(sources, word));
}

/** Where the words stand, without overlaps; at one place the longest counts. */
function spansOf(text: string, locked: Locked): readonly { readonly start: number; readonly end: number }[] {
  if (locked === 'all') return text.trim() === '' ? [] : [{ start: 0, end: text.length }];
  const spans = locked
    .flatMap((word) => occurrencesOf(text, word))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let behind = 0;
  return spans.filter(({ start, end }) => start >= behind && (behind = end) > 0);
}

function occurrencesOf(text: string, word: string): { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    found.push({ start: at, end: at + word.length });
  return found;
}
