import type { Cue, SubtitleDocument } from '../../formats/subtitles/document.ts';
import { findPassages, isPunctuated, type Passage } from '../../formats/subtitles/passage.ts';
import { rawOf, type Utterance, utterancesOf, widestLine } from '../../formats/subtitles/utterance.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Whether a cue, by its index, must be translated. */
export type WantsCue = (index: number) => boolean;

interface PassageOptions {
  /** Default: all. */
  readonly wants?: WantsCue | undefined;
  readonly perCue?: boolean | undefined;
}

/** Graphemes of a line that viewers can read at once, according to broadcasters' guidelines. */
const USUAL_LINE = 42;

/**
 * The passages of a file that have wanted cues. Sentences are found among all cues, so that other cues separate them;
 * utterances are created when their passage is due.
 */
export class CuePassages {
  /** The utterances of the cues so far, by index. The caller deletes finished ones. */
  readonly utterances = new Map<number, readonly Utterance[]>();
  readonly #wants: WantsCue;
  readonly #layers = new Map<number, number[]>();
  readonly #document: SubtitleDocument;
  readonly #perCue: boolean;
  /** Cues that may be layers of each other: only their texts need keys. */
  readonly #simultaneous: ReadonlySet<number>;
  #widest = USUAL_LINE;

  constructor(document: SubtitleDocument, { wants = () => true, perCue = false }: PassageOptions) {
    this.#document = document;
    this.#perCue = perCue;
    this.#simultaneous = document.notation.hasLayers === true ? simultaneousCues(document.cues) : new Set();
    this.#wants = wants;
  }

  /** The width of the file's widest line, which translations may also use. Known with the first passage. */
  get widest(): number {
    return this.#widest;
  }

  /** The wanted cues among a cue and its repetitions at the same time, which get the same translation. */
  wantedLayers(index: number): readonly number[] {
    return [index, ...(this.#layers.get(index) ?? [])].filter(this.#wants);
  }

  *each(): Generator<Passage> {
    const { cues } = this.#document;
    const punctuated = isPunctuated(this.#measure());
    const utterances = this.#eachUtterance((index, own) => this.utterances.set(index, own));
    for (const passage of findPassages(utterances, cues, { perCue: this.#perCue, punctuated }))
      yield* this.#wantedParts(passage);
  }

  /** Unwanted cues divide a passage, because their words do not change. */
  *#wantedParts(passage: Passage): Generator<Passage> {
    let part: Utterance[] = [];
    for (const utterance of passage) {
      if (this.wantedLayers(utterance.cue).length > 0) part.push(utterance);
      else if (part.length > 0) {
        yield part;
        part = [];
      }
    }
    if (part.length > 0) yield part;
  }

  /** Finds layers and the widest line. */
  *#measure(): Generator<Utterance> {
    for (const utterance of this.#eachUtterance(undefined, (first, i) => addTo(this.#layers, first, i))) {
      this.#widest = widestLine(utterance, this.#widest);
      yield utterance;
    }
  }

  *#eachUtterance(
    onCue?: (index: number, utterances: readonly Utterance[]) => void,
    onLayer?: (first: number, index: number) => void,
  ): Generator<Utterance> {
    const firsts = new Map<string, number>();
    for (const [i, cue] of this.#document.cues.entries()) {
      if (cue.slot === undefined) continue;
      const utterances = utterancesOf(cue.text, i, this.#document.notation.cueText);
      if (this.#simultaneous.has(i)) {
        const layer = JSON.stringify([cue.start, cue.end, ...utterances.map(({ inner }) => rawOf(inner))]);
        const first = firsts.get(layer);
        if (first !== undefined) {
          onLayer?.(first, i);
          continue;
        }
        firsts.set(layer, i);
      }
      onCue?.(i, utterances);
      yield* utterances;
    }
  }
}

/** Cues with the same times as another. */
function simultaneousCues(cues: readonly Cue[]): ReadonlySet<number> {
  const compare = (a: number, b: number): number => {
    const [one, other] = [cues[a], cues[b]];
    return one && other ? one.start - other.start || one.end - other.end : 0;
  };
  const order = Uint32Array.from(cues.keys()).sort(compare);
  const found = new Set<number>();
  for (let i = 1; i < order.length; i++) {
    const [before = 0, at = 0] = [order[i - 1], order[i]];
    if (compare(before, at) === 0) found.add(before).add(at);
  }
  return found;
}
