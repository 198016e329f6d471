import type { SubtitleDocument, SubtitleNotation } from '../../formats/subtitles/document.ts';
import type { Passage } from '../../formats/subtitles/passage.ts';
import { rawOf, type Utterance, utterancesOf } from '../../formats/subtitles/utterance.ts';
import { RecentSegments } from '../../pipeline/segments.ts';
import type { Failure, SegmentContext, TranslatedUnit } from '../../pipeline/unit.ts';
import { CuePassages, type WantsCue } from './cue-passages.ts';
import { translatePassages, type UtteranceTexts } from './translate-passages.ts';

export interface SubtitleOptions {
  /** Translates every cue separately, even if a sentence continues over several. */
  readonly perCue?: boolean | undefined;
  /** Maximum graphemes per line. Default: 42, or the width of the source's widest line if that is greater. */
  readonly maxLine?: number | undefined;
  /** Maximum lines of a cue whose text needs more than its source. Default 2. */
  readonly maxLines?: number | undefined;
  /** Puts the source text below the translation. */
  readonly bilingual?: boolean | undefined;
  /** Puts right-to-left marks around the lines if the target is written from right to left. */
  readonly rtlMarks?: boolean | undefined;
}

interface FileContext extends SegmentContext {
  readonly options?: SubtitleOptions | undefined;
}

/**
 * The number of passages in memory at once, with their segments and outcomes. A typical film has a third of this
 * number.
 */
const CHUNK_SIZE = 4_096;

/**
 * The texts of a file during translation: utterances are created when their passage is due, and dropped with their cue.
 */
export class FileTranslation {
  /** The new text of every translated cue, by slot. A cue is translated as a whole or not at all. */
  readonly values = new Map<number, TranslatedUnit>();
  readonly problems = new Map<number, Failure>();
  readonly #document: SubtitleDocument;
  readonly #context: FileContext;
  readonly #passages: CuePassages;
  readonly #texts = new Map<Utterance, TranslatedUnit>();
  readonly #reasons = new Map<Utterance, Failure>();
  /** Why no more requests are sent to the engine. */
  #over: Failure | undefined;
  #isKept = false;
  /** The number of finished cues, and the highest number reported. */
  #done = 0;
  #reported = 0;

  /** @param wants Default: all cues. */
  constructor(document: SubtitleDocument, context: FileContext, wants: WantsCue | undefined) {
    this.#document = document;
    this.#passages = new CuePassages(document, { wants, perCue: context.options?.perCue });
    const isLong = document.cues.length > CHUNK_SIZE;
    this.#context = isLong ? { ...context, journal: new RecentSegments(context.journal) } : context;
  }

  /** @throws DragomanError `engine_unavailable` */
  async translate(): Promise<void> {
    const { length } = this.#document.cues;
    let chunk: Passage[] = [];
    for (const passage of this.#passages.each()) {
      if (chunk.length === CHUNK_SIZE) {
        // All passages with utterances of earlier cues are in the chunk.
        await this.#translateChunk(chunk, passage[0]?.cue ?? length);
        chunk = [];
      }
      chunk.push(passage);
    }
    await this.#translateChunk(chunk, length);
  }

  /** @param end all cues before this one are finished afterwards */
  async #translateChunk(passages: readonly Passage[], end: number): Promise<void> {
    if (this.#over === undefined) {
      const { texts, problems } = await this.#ask(passages, end);
      for (const [utterance, text] of texts) this.#texts.set(utterance, text);
      for (const [utterance, problem] of problems) this.#reasons.set(utterance, problem);
      if (texts.size === 0 && problems.size > 0) [this.#over] = problems.values();
    } else for (const utterance of passages.flat()) this.#reasons.set(utterance, this.#over);
    const { utterances: open } = this.#passages;
    for (const [cue, utterances] of open) {
      if (cue >= end) continue;
      this.#compose(cue, utterances);
      open.delete(cue);
      for (const utterance of utterances) this.#texts.delete(utterance);
    }
    this.#done = end;
  }

  #ask(passages: readonly Passage[], end: number): Promise<UtteranceTexts> {
    const { options = {}, onKept, onProgress } = this.#context;
    const maxLines = options.maxLines ?? 2;
    const context: FileContext = {
      ...this.#context,
      onKept: (source, target) => {
        if (!this.#isKept) onKept?.(source, target);
        this.#isKept = true;
      },
      // The engine reports segments, but users are interested in cues.
      onProgress: (done, total) => {
        // Retries start counting again: reported progress must not decrease.
        const cues = this.#done + Math.round(((end - this.#done) * done) / Math.max(1, total));
        this.#reported = Math.max(this.#reported, cues);
        onProgress?.(this.#reported, this.#document.cues.length);
      },
    };
    const { cueText, keepsLines = false } = this.#document.notation;
    const known = new Map<number, number | undefined>();
    // Cached: a cue may have thousands of utterances, each of which needs this number.
    const linesOf = (cue: number): number | undefined => {
      if (!known.has(cue))
        known.set(
          cue,
          this.#passages.utterances.get(cue)?.reduce((sum, one) => sum + one.lines, 0),
        );
      return known.get(cue);
    };
    return translatePassages(passages, context, {
      cueText,
      target: context.target,
      keepsLines,
      maxLine: keepsLines ? Infinity : (options.maxLine ?? this.#passages.widest),
      maxLinesOf: ({ cue, lines }) => maxLines - ((linesOf(cue) ?? lines) - lines),
    });
  }

  #compose(index: number, utterances: readonly Utterance[]): void {
    if (!utterances.some((utterance) => utterance.isTranslatable)) return;
    const problem = utterances
      .map((utterance) => this.#reasons.get(utterance))
      .find((reason) => reason !== undefined);
    const words = utterances.map((utterance) => {
      const text = this.#texts.get(utterance)?.value;
      return text?.slice(utterance.lead.length, text.length - utterance.trail.length);
    });
    const { notation, cues } = this.#document;
    const { target, options = {} } = this.#context;
    const engines = new Set(utterances.flatMap((utterance) => this.#texts.get(utterance)?.engine ?? []));
    const engine = engines.size > 0 ? [...engines].join('+') : undefined;
    for (const at of this.#passages.wantedLayers(index)) {
      const cue = cues[at];
      if (cue?.slot === undefined) continue;
      if (problem !== undefined) {
        this.problems.set(cue.slot, problem);
        continue;
      }
      const own = at === index ? utterances : utterancesOf(cue.text, at, notation.cueText);
      const text = own.map((utterance, i) =>
        words[i] === undefined ? utterance.raw : utterance.lead + words[i] + utterance.trail,
      );
      const value = composeCue(cue.text, text.join('\n'), { target, options, notation });
      this.values.set(cue.slot, { value, engine });
    }
  }
}

interface Composition {
  /** Canonical. */
  readonly target: string;
  readonly options: SubtitleOptions;
  readonly notation: SubtitleNotation;
}

const RTL_MARK = '\u200f';
const RTL_SCRIPTS = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Samr', 'Mand']);

/** The final text of a cue: the translation, with direction marks and the source below it if requested. */
export function composeCue(
  source: string,
  translation: string,
  { target, options: { bilingual = false, rtlMarks = false }, notation }: Composition,
): string {
  if (translation === source) return source;
  const marked = rtlMarks && isRightToLeft(target) ? markLines(translation) : translation;
  return bilingual ? `${marked}\n${withoutEffects(source, notation)}` : marked;
}

function isRightToLeft(language: string): boolean {
  return RTL_SCRIPTS.has(new Intl.Locale(language).maximize().script ?? '');
}

/** Puts the marks after the codes at the start of a line, where players expect the codes. */
function markLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const codes = /^(?:\{[^{}]*\}|<[^<>]*>)*/.exec(line)?.[0] ?? '';
      return `${codes}${RTL_MARK}${line.slice(codes.length)}${RTL_MARK}`;
    })
    .join('\n');
}

/** Positions and times apply to the whole cue: the copy must not set them again. */
function withoutEffects(source: string, { cueText }: SubtitleNotation): string {
  return rawOf(
    cueText
      .readTokens(source)
      .filter((token) => token.type !== 'code' || (token.kind !== 'override' && token.kind !== 'timestamp')),
  );
}
