import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { positionsIn, splice } from '../../base/span.ts';
import { render, type Rendering, type Scanner } from '../../formats/render.ts';
import { wordsOf } from '../../formats/subtitles/cue-text.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import type { SubtitleFormat } from '../../formats/subtitles/names.ts';
import { scanSubtitles } from '../../formats/subtitles/format.ts';
import { parseLocale } from '../../languages/locale.ts';
import { AnswerJudge } from '../../pipeline/answer-judge.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import { unwrapAnswer } from '../../text/nonsense.ts';
import { encodeWords, type TaggedText } from '../../text/tagged.ts';
import type { DocumentKind } from '../kind.ts';
import { composeCue, FileTranslation, type SubtitleOptions } from './file-translation.ts';
import { verificationProblem } from './translate-passages.ts';

export interface SubtitleContext extends SegmentContext {
  readonly options?: SubtitleOptions | undefined;
  /** A service's answers for the cues, by slot; used if they are valid. */
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
 * Translates the texts of a subtitle file; no other byte changes. Sentences that continue over several cues are
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
  const { cues } = document;
  const { values, refused } = await takeAnswers(document, context);
  const translation = new FileTranslation(document, context, (cue) => !values.has(cues[cue]?.slot ?? -1));
  await translation.translate();
  throwIfAborted(context.signal);
  for (const [slot, { value }] of translation.values) values.set(slot, value);
  const problems = new Map<number, string>();
  for (const [slot, { failure }] of translation.problems) problems.set(slot, refused.get(slot) ?? failure);
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
      verificationProblem(text, answer, { cueText: notation.cueText, target }) ??
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

/** Verifies a rendering by its texts and the cues around them: only texts may change. */
function scannerOf({ text: source, notation, cues }: SubtitleDocument): Scanner<SubtitleDocument> {
  return {
    scan(text) {
      const written = notation.scan(text);
      const isSame = written.cues.every(({ head }, i) => {
        const before = cues[i]?.head;
        return before && text.slice(head.start, head.end) === source.slice(before.start, before.end);
      });
      if (isSame) return written;
      throw new DragomanError('integrity', 'the translation would change the timing lines of the file');
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
