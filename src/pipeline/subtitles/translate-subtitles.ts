import { DragomanError } from '../../base/errors.ts';
import { positionsIn } from '../../base/span.ts';
import type { SubtitleDocument, SubtitleFormat } from '../../formats/subtitles/document.ts';
import { scanSubtitles } from '../../formats/subtitles/format.ts';
import { render } from '../../formats/render.ts';
import { composeCue } from './compose.ts';
import type { SubtitleContext, SubtitleFailure, TranslatedSubtitles } from './options.ts';
import { findPassages } from './sentences.ts';
import { translatePassages, type TurnTexts } from './translate-passages.ts';
import { turnsOf, widestLine, type Turn } from './turn.ts';

/** How many subtitles a file has: what its translation costs in credits. @throws DragomanError `unreadable_input`. */
export function countBlocks(content: string, format: SubtitleFormat): number {
  return scanSubtitles(content, format).cues.length;
}

/**
 * Translates the texts of a subtitle file; every other byte stays. Sentences that run over several cues are translated
 * as a whole and distributed over the same cues. A cue whose answer cannot be used keeps its source text and is reported.
 * `onProgress` counts cues.
 *
 * @throws DragomanError `unreadable_input` with line and column, `engine_unavailable`, `interrupted`, `integrity`.
 */
export async function translateSubtitles(
  content: string,
  format: SubtitleFormat,
  context: SubtitleContext,
): Promise<TranslatedSubtitles> {
  const document = scanSubtitles(content, format);
  const { options = {} } = context;
  const cueTurns = document.cues.map((cue, i) => (cue.slot === undefined ? [] : turnsOf(cue.text, i)));
  const passages = findPassages(cueTurns.flat(), document.cues, { perCue: options.perCue ?? false });
  const maxLines = options.maxLines ?? 2;
  const cueLines = cueTurns.map((turns) => turns.reduce((sum, turn) => sum + turn.lines, 0));
  const done = await translatePassages(passages, inCues(context, document.cues.length), {
    format,
    maxLine: options.maxLine ?? Math.max(USUAL_LINE, widestLine(cueTurns.flat())),
    maxLinesOf: (turn) => maxLines - ((cueLines[turn.cue] ?? turn.lines) - turn.lines),
  });
  if (context.signal.aborted) throw new DragomanError('interrupted', 'the translation was interrupted');
  const { values, problems } = cueTexts(document, cueTurns, done, context);
  const rendering = render({ scan: (text) => scanSubtitles(text, format) }, document, values);
  for (const [slot, error] of rendering.rejected) problems.set(slot, error.message);
  requireSameCues(document, rendering.document);
  const positionOf = positionsIn(content);
  const failures = document.slots.flatMap((slot, i): SubtitleFailure[] => {
    const reason = problems.get(i);
    return reason === undefined ? [] : [{ ...positionOf(slot.span.start), reason }];
  });
  return { content: rendering.text, blocks: document.cues.length, failures };
}

/** Graphemes of a line that viewers can read at once, by the guidelines of broadcasters. */
const USUAL_LINE = 42;

/** Segments are what the engine finishes; people wait for cues. */
function inCues(context: SubtitleContext, cues: number): SubtitleContext {
  const { onProgress } = context;
  if (!onProgress) return context;
  let most = 0;
  return {
    ...context,
    onProgress: (done, total) => {
      // Attempts at what did not fit begin anew: the count does not go back.
      most = Math.max(most, Math.round((cues * done) / Math.max(1, total)));
      onProgress(most, cues);
    },
  };
}

/** The new text of every cue that has one, by slot. A cue is translated as a whole or not at all. */
function cueTexts(
  document: SubtitleDocument,
  cueTurns: readonly (readonly Turn[])[],
  done: TurnTexts,
  context: SubtitleContext,
): { readonly values: Map<number, string>; readonly problems: Map<number, string> } {
  const values = new Map<number, string>();
  const problems = new Map<number, string>();
  for (const [i, cue] of document.cues.entries()) {
    const turns = cueTurns[i] ?? [];
    if (cue.slot === undefined || !turns.some((turn) => turn.isTranslatable)) continue;
    const problem = turns.map((turn) => done.problems.get(turn)).find((reason) => reason !== undefined);
    if (problem !== undefined) {
      problems.set(cue.slot, problem);
      continue;
    }
    const text = turns.map((turn) => done.texts.get(turn) ?? turn.raw).join('\n');
    values.set(cue.slot, composeCue(cue.text, text, context.target, context.options ?? {}));
  }
  return { values, problems };
}

/** Nothing but texts may have changed: what a render compares are texts, this are the cues around them. */
function requireSameCues(before: SubtitleDocument, after: SubtitleDocument): void {
  const heads = ({ text, cues }: SubtitleDocument): string =>
    JSON.stringify(cues.map(({ head }) => text.slice(head.start, head.end)));
  if (heads(before) === heads(after)) return;
  throw new DragomanError('integrity', 'the translation would change the timing lines of the file');
}
