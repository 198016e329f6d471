import { pairCueTags, type CueToken } from '../../formats/subtitles/cue-text.ts';
import { writeTagged, type TaggedText, type Token } from '../../text/tagged.ts';
import type { Passage } from './sentences.ts';
import { isSpaceless } from './spaceless.ts';

/** What stands for one id of a segment. */
export interface SegmentPiece {
  readonly open: string;
  /** The other end of a pair. */
  readonly close: string;
  /** Place of the turn in its passage: the piece has to stay there. */
  readonly turn: number;
  readonly isTimestamp: boolean;
}

/** A passage as an engine gets it: one line, with numbered placeholders. */
export interface Segment {
  readonly tagged: TaggedText;
  readonly pieces: ReadonlyMap<number, SegmentPiece>;
}

export function segmentOf(passage: Passage): Segment {
  const tokens: Token[] = [];
  const pieces = new Map<number, SegmentPiece>();
  let last = '';
  const words = (text: string): void => {
    if (text === '') return;
    tokens.push({ type: 'words', text });
    last = text;
  };
  passage.forEach(({ inner }, turn) => {
    const pairs = pairCueTags(inner);
    const ids = new Map<number, number>();
    if (turn > 0) words(jointOf(last, nextWords(inner, 0)));
    inner.forEach((token, at) => {
      if (token.type === 'words') return words(token.raw);
      if (token.type === 'break') return words(jointOf(last, nextWords(inner, at + 1)));
      const partner = pairs.get(at);
      if (token.type === 'close' && partner !== undefined) {
        if (partner !== at - 1) tokens.push({ type: 'close', id: ids.get(partner) ?? 0 });
        return undefined;
      }
      const id = pieces.size + 1;
      ids.set(at, id);
      const close = partner === undefined ? '' : (inner[partner]?.raw ?? '');
      if (isVisible(token)) last = OBJECT;
      const isTimestamp = token.type === 'code' && token.kind === 'timestamp';
      pieces.set(id, { open: token.raw, close, turn, isTimestamp });
      // A pair around nothing is one placeholder.
      const isPair = partner !== undefined && partner !== at + 1;
      tokens.push({ type: isPair ? 'open' : 'placeholder', id });
      return undefined;
    });
  });
  return { tagged: writeTagged(tokens), pieces };
}

/** Stands for a placeholder that people see. */
const OBJECT = '\ufffc';

function isVisible(token: CueToken): boolean {
  return token.type === 'code' && token.kind !== 'timestamp' && token.kind !== 'override';
}

function nextWords(inner: Passage[number]['inner'], from: number): string {
  for (let at = from; at < inner.length; at++) {
    const token = inner[at];
    if (token?.type === 'words' && token.raw !== '') return token.raw;
    if (token && isVisible(token)) return OBJECT;
  }
  return '';
}

/** What a line end is worth within a sentence: a space, or nothing in scripts that are written without. */
function jointOf(before: string, after: string): string {
  if (/\s$/.test(before) || /^\s/.test(after)) return '';
  return isSpaceless(before.at(-1) ?? '') && isSpaceless(after.charAt(0)) ? '' : ' ';
}
