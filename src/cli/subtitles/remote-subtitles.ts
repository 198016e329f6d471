import { DragomanError } from '../../base/errors.ts';
import { positionsIn } from '../../base/span.ts';
import { render } from '../../formats/render.ts';
import { scanSubtitles } from '../../formats/subtitles/format.ts';
import { composeCue } from '../../pipeline/subtitles/compose.ts';
import type { SubtitleOptions, TranslatedSubtitles } from '../../pipeline/subtitles/options.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';
import type { SubtitleFile } from './subtitle-file.ts';

export interface RemoteSubtitles {
  readonly file: SubtitleFile;
  /** `auto` or canonical. */
  readonly source: string;
  readonly target: string;
  readonly options: SubtitleOptions;
}

/**
 * Has a subtitle file translated in one request (specification: `POST /v2/translate/subtitles`, which has no limit of
 * characters). The texts of the answer are written into the file as it is: of everything else not a byte changes,
 * whatever the service sent. It does not say which texts kept their source.
 *
 * @throws DragomanError `contract_violation` for an answer with other cues.
 */
export async function translateSubtitlesThere(
  service: TranslationService,
  { file, source, target, options }: RemoteSubtitles,
  call: CallOptions,
): Promise<TranslatedSubtitles> {
  const { document, format, name } = file;
  const answer = await service.translateSubtitles({ content: document.text, format, source, target }, call);
  const answered = readAnswer(answer.content, file);
  const values = new Map<number, string>();
  const problems = new Map<number, string>();
  for (const [i, cue] of document.cues.entries()) {
    const other = answered.cues[i];
    if (
      cue.start !== other?.start ||
      cue.end !== other.end ||
      answered.cues.length !== document.cues.length
    ) {
      throw new DragomanError(
        'contract_violation',
        `the service answered with other cues than ${name} has: content should have the same times`,
        { hint: 'Nothing was written. --per-cue has only the texts translated by the service.' },
      );
    }
    if (cue.slot === undefined) continue;
    if (other.text === '') problems.set(cue.slot, 'the service answered with an empty text');
    else values.set(cue.slot, composeCue(cue.text, other.text, target, options));
  }
  const rendering = render({ scan: (text) => scanSubtitles(text, format) }, document, values);
  for (const [slot, error] of rendering.rejected) problems.set(slot, error.message);
  const positionOf = positionsIn(document.text);
  const failures = document.slots.flatMap((slot, i) => {
    const reason = problems.get(i);
    return reason === undefined ? [] : [{ ...positionOf(slot.span.start), reason }];
  });
  return { content: rendering.text, blocks: document.cues.length, failures };
}

function readAnswer(content: string, { format }: SubtitleFile): ReturnType<typeof scanSubtitles> {
  try {
    return scanSubtitles(content, format);
  } catch (cause) {
    if (!(cause instanceof DragomanError)) throw cause;
    throw new DragomanError(
      'contract_violation',
      `the service answered with content that is no ${format}: ${cause.message}`,
      { cause },
    );
  }
}
