import type { CueToken } from './cue-text.ts';
import type { Cue, SubtitleDocument } from './document.ts';
import { pairTags } from '../../text/tag.ts';
import { type TaggedText, type Token, writeTagged } from '../../text/tagged.ts';
import { isSpaceless } from './width.ts';
import { beginsSentence, type Utterance, utterancesOf } from './utterance.ts';

/** Consecutive utterances that are translated as one text; usually a single one. */
export type Passage = readonly Utterance[];

/** Longer passages are split: without punctuation, ends of sentences cannot be found. */
const MAX_CUES = 6;
const MAX_CHARACTERS = 1000;
/** Maximum pause within a sentence, in milliseconds. */
const MAX_PAUSE = 3000;
/** A capital letter may begin a new sentence: the sentence only continues if the next cue follows within this time. */
const MAX_PAUSE_BEFORE_CAPITAL = 500;

const END = /[.!?…‥。！？؟۔।:;)\]」』]["'”’»)\]]*$/u;
const COMMA = /[,،、，]$/u;
const LOWER = /^["'“‘«„(]*\p{Ll}/u;

interface PassageOptions {
  readonly perCue: boolean;
  /** Whether a missing full stop is significant in this file: see {@link isPunctuated}. */
  readonly punctuated: boolean;
}

/** Finds sentences that continue over several cues, reading one utterance ahead. */
export function* findPassages(
  utterances: Iterable<Utterance>,
  cues: readonly Cue[],
  { perCue, punctuated }: PassageOptions,
): Generator<Passage> {
  let current: Utterance[] = [];
  let before: Utterance | undefined;
  let length = 0;
  for (const utterance of utterances) {
    if (utterance.isTranslatable) {
      const joins =
        !perCue &&
        before !== undefined &&
        before === current.at(-1) &&
        current.length < MAX_CUES &&
        length + utterance.words.length <= MAX_CHARACTERS &&
        runsOn(before, utterance, cues, punctuated);
      if (!joins) {
        if (current.length > 0) yield current;
        current = [];
        length = 0;
      }
      current.push(utterance);
      length += utterance.words.length;
    }
    before = utterance;
  }
  if (current.length > 0) yield current;
}

/** Whether sentences in the file end in punctuation. */
export function isPunctuated(utterances: Iterable<Utterance>): boolean {
  let spoken = 0;
  let ended = 0;
  for (const utterance of utterances) {
    if (!utterance.isTranslatable) continue;
    spoken++;
    if (END.test(utterance.words.trimEnd())) ended++;
  }
  return ended * 2 >= spoken;
}

/**
 * The sentences that run over several cues, by the number of each of their cues: when one cue changes, the translations
 * of the others no longer fit.
 */
export function findSentences({
  cues,
  notation,
}: Pick<SubtitleDocument, 'cues' | 'notation'>): ReadonlyMap<number, string> {
  const eachUtterance = function* (): Generator<Utterance> {
    for (const [i, { text, slot }] of cues.entries())
      if (slot !== undefined) yield* utterancesOf(text, i, notation.cueText);
  };
  const punctuated = isPunctuated(eachUtterance());
  const sentences = new Map<number, string>();
  for (const passage of findPassages(eachUtterance(), cues, { perCue: false, punctuated })) {
    const numbers = new Set(passage.map(({ cue }) => cue + 1));
    if (numbers.size < 2) continue;
    const sentence = passage.map(({ words }) => words.trim()).join(' ');
    for (const number of numbers)
      sentences.set(
        number,
        [...(sentences.get(number) ?? '').split('\n').filter(Boolean), sentence].join('\n'),
      );
  }
  return sentences;
}

function runsOn(before: Utterance, next: Utterance, cues: readonly Cue[], punctuated: boolean): boolean {
  const [first, second] = [cues[before.cue], cues[next.cue]];
  if (!first || !second) return false;
  if (before.cue === next.cue ? !next.continues : second.start <= first.start) return false;
  if (first.speaker !== second.speaker || before.marks !== next.marks) return false;
  if (beginsSentence(next) || /[♩♪♫♬]/.test(before.trail)) return false;
  const [ending, beginning] = [before.words.trimEnd(), next.words.trimStart()];
  if (END.test(ending) || isShouted(before.words) !== isShouted(next.words)) return false;
  const pause = before.cue === next.cue ? 0 : second.start - first.end;
  if (COMMA.test(ending) || LOWER.test(beginning)) return pause <= MAX_PAUSE;
  return punctuated && pause <= MAX_PAUSE_BEFORE_CAPITAL;
}

/** Whether words are a title in capitals: `LONDON, 1944`. */
function isShouted(words: string): boolean {
  return /\p{Lu}\P{L}*\p{Lu}/u.test(words) && !/[\p{Ll}\p{Lo}]/u.test(words);
}

/** The content that one id of a segment represents. */
interface SegmentPiece {
  readonly open: string;
  /** The other end of a pair. */
  readonly close: string;
  /** The index of the piece's utterance in its passage. */
  readonly utterance: number;
  readonly isTimestamp: boolean;
}

/** A passage as sent to an engine: one line, with numbered placeholders. */
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
  passage.forEach(({ inner }, utterance) => {
    const pairs = pairTags(inner);
    const ids = new Map<number, number>();
    if (utterance > 0) words(jointOf(last, nextWords(inner, 0)));
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
      pieces.set(id, { open: token.raw, close, utterance, isTimestamp });
      // An empty pair is one placeholder.
      const isPair = partner !== undefined && partner !== at + 1;
      tokens.push({ type: isPair ? 'open' : 'placeholder', id });
      return undefined;
    });
  });
  return { tagged: writeTagged(tokens), pieces };
}

/** Represents a visible placeholder. */
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

/** The separator for a line end within a sentence: a space, or nothing in scripts without spaces. */
function jointOf(before: string, after: string): string {
  if (/\s$/.test(before) || /^\s/.test(after)) return '';
  return isSpaceless(before.at(-1) ?? '') && isSpaceless(after.charAt(0)) ? '' : ' ';
}
