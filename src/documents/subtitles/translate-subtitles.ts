import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { positionsIn, splice } from '../../base/span.ts';
import { render, type Rendering, type Scanner } from '../../formats/render.ts';
import { wordsOf } from '../../formats/subtitles/cue-text.ts';
import type { Cue, SubtitleDocument, SubtitleNotation } from '../../formats/subtitles/document.ts';
import { readSubtitles, scanSubtitles, type SubtitleFormat } from '../../formats/subtitles/format.ts';
import { parseLocale } from '../../languages/locale.ts';
import { AnswerJudge } from '../../pipeline/answer-judge.ts';
import { RecentSegments } from '../../pipeline/segments.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import { unwrapAnswer } from '../../text/nonsense.ts';
import { encodeWords, type TaggedText } from '../../text/tagged.ts';
import type { DocumentKind } from '../kind.ts';
import { findPassages, isPunctuated, type Passage } from './passage.ts';
import { soundnessProblem, translatePassages, type TurnTexts } from './translate-passages.ts';
import { rawOf, type Utterance, utterancesOf, widestLine } from './utterance.ts';

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

export interface SubtitleContext extends SegmentContext {
  readonly options?: SubtitleOptions | undefined;
  /** A service's answers for the cues, by slot: verified ones are used. */
  readonly answers?: ReadonlyMap<number, string> | undefined;
}

export interface SubtitleFailure {
  /** The place of the cue's text. Lines and columns count from 1. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export interface TranslatedSubtitles {
  readonly content: string;
  /** The number of subtitles in the file, including those without text. */
  readonly blocks: number;
  /** Cues that keep their source text, in file order. */
  readonly failures: readonly SubtitleFailure[];
}

/**
 * The number of subtitles in a file, which determines the price in credits. @throws DragomanError `unreadable_input`
 */
export function countBlocks(content: string, format: SubtitleFormat): number {
  return scanSubtitles(content, format).cues.length;
}

/**
 * Translates the texts of a subtitle file; every other byte stays. Sentences that continue over several cues are
 * translated as a whole and distributed over the same cues. A cue whose answer is unusable keeps its source text and is
 * reported. `onProgress` counts cues.
 *
 * @throws DragomanError `unreadable_input` with line and column, `engine_unavailable`, `interrupted`, `integrity`
 */
export async function translateSubtitles(
  content: string,
  format: SubtitleFormat,
  context: SubtitleContext,
): Promise<TranslatedSubtitles> {
  return translateCues(scanSubtitles(content, format), context);
}

/** Same as {@link translateSubtitles}, for a scanned file. */
export async function translateCues(
  document: SubtitleDocument,
  context: SubtitleContext,
): Promise<TranslatedSubtitles> {
  const { text: content } = document;
  const { values, refused } = await takeAnswers(document, context);
  const open = document.cues.map((cue) =>
    cue.slot !== undefined && values.has(cue.slot) ? { ...cue, slot: undefined } : cue,
  );
  const translation = new FileTranslation(
    values.size === 0 ? document : { ...document, cues: open },
    context,
  );
  await translation.translate();
  throwIfAborted(context.signal);
  const { problems } = translation;
  for (const [slot, value] of translation.values) values.set(slot, value);
  for (const slot of problems.keys()) problems.set(slot, refused.get(slot) ?? problems.get(slot) ?? '');
  const rendering = render(scannerOf(document), document, values);
  for (const [slot, error] of rendering.rejected) problems.set(slot, error.message);
  const positionOf = positionsIn(content);
  const failures = document.slots.flatMap((slot, i): SubtitleFailure[] => {
    const reason = problems.get(i);
    return reason === undefined ? [] : [{ ...positionOf(slot.span.start), reason }];
  });
  return {
    content: retargetSubtitles(rendering, document, context.target),
    blocks: document.cues.length,
    failures,
  };
}

/** The verified answers in the form of cues, and the problems of the others. */
async function takeAnswers(
  { cues, notation }: SubtitleDocument,
  { answers, source, target, options = {} }: SubtitleContext,
): Promise<{ readonly values: Map<number, string>; readonly refused: ReadonlyMap<number, string> }> {
  const values = new Map<number, string>();
  const refused = new Map<number, string>();
  const judge = new AnswerJudge({ isModel: true }, { source, target });
  // Line ends are only layout.
  const wordsIn = (text: string): TaggedText =>
    encodeWords(wordsOf(notation.cueText.readTokens(text)).replace(/\s+/g, ' '));
  const given = cues.flatMap(({ slot, text }) => {
    const answer = slot === undefined ? undefined : answers?.get(slot);
    return slot === undefined || answer === undefined
      ? []
      : [{ slot, text, answer: /\p{L}/u.test(text) ? unwrapAnswer(text, answer) : answer }];
  });
  for (const { text, answer } of given) judge.note(wordsIn(text), wordsIn(answer));
  for (const { slot, text, answer } of given) {
    const problem =
      soundnessProblem(text, answer, { cueText: notation.cueText, target }) ??
      (await judge.problemOf(wordsIn(text), wordsIn(answer)));
    if (problem !== undefined) refused.set(slot, problem);
    else values.set(slot, composeCue(text, answer, { target, options, notation }));
  }
  return { values, refused };
}

/** Updates a declared language once a text is translated. */
function retargetSubtitles(
  { text }: Rendering,
  { text: source, notation }: SubtitleDocument,
  target: string,
): string {
  return text === source ? text : splice(text, notation.retarget?.(text, target) ?? []);
}

/** Graphemes of a line that viewers can read at once, according to broadcasters' guidelines. */
const USUAL_LINE = 42;

/** Passages in memory at once, with their segments and outcomes: a film has a third of these. */
const PORTION = 4_096;

/**
 * The texts of a file during translation: utterances are created when their passage is due, and dropped with their cue.
 */
class FileTranslation {
  /** The new text of every translated cue, by slot. A cue is translated as a whole or not at all. */
  readonly values = new Map<number, string>();
  readonly problems = new Map<number, string>();
  readonly #document: SubtitleDocument;
  readonly #context: SubtitleContext;
  /** The utterances of unfinished cues. */
  readonly #utterances = new Map<number, readonly Utterance[]>();
  /** The number of lines of these cues. */
  readonly #lines = new Map<number, number>();
  readonly #texts = new Map<Utterance, string>();
  readonly #reasons = new Map<Utterance, string>();
  /** Why no more requests are sent to the engine. */
  #over: string | undefined;
  /** Cues that may be layers of each other; no keys are made for other cues' texts. */
  readonly #simultaneous: ReadonlySet<number>;
  /** Cues that repeat the text of an earlier one, by that one: they get the same translation. */
  readonly #layers = new Map<number, number[]>();
  #isKept = false;
  /** A translated line may be as wide as the source's widest. */
  #widest = USUAL_LINE;
  /** The number of finished cues, and the highest number reported. */
  #done = 0;
  #said = 0;

  constructor(document: SubtitleDocument, context: SubtitleContext) {
    this.#document = document;
    this.#simultaneous = document.notation.hasLayers === true ? simultaneousCues(document.cues) : new Set();
    const isLong = document.cues.length > PORTION;
    this.#context = isLong ? { ...context, journal: new RecentSegments(context.journal) } : context;
  }

  async translate(): Promise<void> {
    const { cues } = this.#document;
    const { perCue = false } = this.#context.options ?? {};
    const punctuated = isPunctuated(this.#measure(this.#eachUtterance()));
    const passages = findPassages(this.#eachUtterance(this.#utterances), cues, { perCue, punctuated });
    let portion: Passage[] = [];
    for (const passage of passages) {
      if (portion.length === PORTION) {
        // All passages with utterances of earlier cues are in the portion.
        await this.#translatePortion(portion, passage[0]?.cue ?? cues.length);
        portion = [];
      }
      portion.push(passage);
    }
    await this.#translatePortion(portion, cues.length);
  }

  *#measure(utterances: Iterable<Utterance>): Generator<Utterance> {
    for (const utterance of utterances) {
      this.#widest = widestLine(utterance, this.#widest);
      yield utterance;
    }
  }

  /** @param known receives the utterances of each cue */
  *#eachUtterance(known?: Map<number, readonly Utterance[]>): Generator<Utterance> {
    const firsts = new Map<string, number>();
    for (const [i, cue] of this.#document.cues.entries()) {
      if (cue.slot === undefined) continue;
      const utterances = utterancesOf(cue.text, i, this.#document.notation.cueText);
      if (this.#simultaneous.has(i)) {
        const layer = JSON.stringify([cue.start, cue.end, ...utterances.map(({ inner }) => rawOf(inner))]);
        const first = firsts.get(layer);
        if (first !== undefined) {
          const layers = this.#layers.get(first);
          if (known && layers) layers.push(i);
          else if (known) this.#layers.set(first, [i]);
          continue;
        }
        firsts.set(layer, i);
      }
      known?.set(i, utterances);
      if (known)
        this.#lines.set(
          i,
          utterances.reduce((sum, { lines }) => sum + lines, 0),
        );
      yield* utterances;
    }
  }

  /** @param end all cues before this one are then finished */
  async #translatePortion(passages: readonly Passage[], end: number): Promise<void> {
    if (this.#over === undefined) {
      const { texts, problems } = await this.#ask(passages, end);
      for (const [utterance, text] of texts) this.#texts.set(utterance, text);
      for (const [utterance, problem] of problems) this.#reasons.set(utterance, problem);
      if (texts.size === 0 && problems.size > 0) [this.#over] = problems.values();
    } else for (const utterance of passages.flat()) this.#reasons.set(utterance, this.#over);
    for (const [cue, utterances] of this.#utterances) {
      if (cue >= end) continue;
      this.#compose(cue, utterances);
      this.#utterances.delete(cue);
      this.#lines.delete(cue);
      for (const utterance of utterances) this.#texts.delete(utterance);
    }
    this.#done = end;
  }

  #ask(passages: readonly Passage[], end: number): Promise<TurnTexts> {
    const { options = {}, onKept, onProgress } = this.#context;
    const maxLines = options.maxLines ?? 2;
    const context: SubtitleContext = {
      ...this.#context,
      onKept: (source, target) => {
        if (!this.#isKept) onKept?.(source, target);
        this.#isKept = true;
      },
      // The engine reports segments, but users are interested in cues.
      onProgress: (done, total) => {
        // Retries start counting again: reported progress must not decrease.
        const cues = this.#done + Math.round(((end - this.#done) * done) / Math.max(1, total));
        this.#said = Math.max(this.#said, cues);
        onProgress?.(this.#said, this.#document.cues.length);
      },
    };
    const { cueText, keepsLines = false } = this.#document.notation;
    return translatePassages(passages, context, {
      cueText,
      target: context.target,
      keepsLines,
      maxLine: keepsLines ? Infinity : (options.maxLine ?? this.#widest),
      maxLinesOf: (utterance) =>
        maxLines - ((this.#lines.get(utterance.cue) ?? utterance.lines) - utterance.lines),
    });
  }

  #compose(index: number, utterances: readonly Utterance[]): void {
    if (!utterances.some((utterance) => utterance.isTranslatable)) return;
    const problem = utterances
      .map((utterance) => this.#reasons.get(utterance))
      .find((reason) => reason !== undefined);
    const words = utterances.map((utterance) => {
      const text = this.#texts.get(utterance);
      return text?.slice(utterance.lead.length, text.length - utterance.trail.length);
    });
    const { notation, cues } = this.#document;
    const { target, options = {} } = this.#context;
    for (const at of [index, ...(this.#layers.get(index) ?? [])]) {
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
      this.values.set(cue.slot, composeCue(cue.text, text.join('\n'), { target, options, notation }));
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

/** Only texts may change: a rendering is verified by its texts and the cues around them. */
function scannerOf({ text: source, notation, cues }: SubtitleDocument): Scanner<SubtitleDocument> {
  return {
    scan: (text) => notation.scan(text),
    read: (text, visit) => {
      let index = 0;
      readSubtitles(text, notation, ({ head, key, text: value }) => {
        const before = cues[index++]?.head;
        if (!before || text.slice(head.start, head.end) !== source.slice(before.start, before.end)) {
          throw new DragomanError('integrity', 'the translation would change the timing lines of the file');
        }
        if (value !== undefined) visit(key, value);
      });
    },
  };
}

export const SUBTITLES: DocumentKind<SubtitleDocument, SubtitleContext, TranslatedSubtitles> = {
  textsOf: ({ cues, notation }) =>
    cues
      .filter(({ slot }) => slot !== undefined)
      .map((cue) => wordsOf(notation.cueText.readTokens(cue.text)))
      .filter((words) => /\p{L}/u.test(words)),
  languageOf: ({ locale }) => (locale === undefined ? undefined : parseLocale(locale)),
  translate: translateCues,
};

export interface Composition {
  /** Canonical. */
  readonly target: string;
  readonly options: SubtitleOptions;
  readonly notation: SubtitleNotation;
}

const RTL_MARK = '\u200f';
const RTL_SCRIPTS = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Samr', 'Mand']);

/** The final text of a cue: the translation, with direction marks and the source below it if requested. */
function composeCue(
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

/** After the codes at the start of a line, which players expect first. */
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
