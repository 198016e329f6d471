import type { SubtitleDocument } from '../../../formats/subtitles/document.ts';
import { encodeSubtitles } from '../../../documents/subtitles/open-subtitles.ts';
import { findHurried } from '../../../formats/subtitles/width.ts';
import { positionsIn } from '../../../base/span.ts';
import type {
  SubtitleFailure,
  TranslatedSubtitles,
} from '../../../documents/subtitles/translate-subtitles.ts';
import { type Conversion, convertSubtitles } from '../../../formats/subtitles/convert.ts';
import type { SubtitleFormat } from '../../../formats/subtitles/names.ts';
import { scanSubtitles, subtitleNotation } from '../../../formats/subtitles/format.ts';
import { retimeSubtitles } from '../../../formats/subtitles/retime.ts';
import { cueName } from '../../../formats/subtitles/timing.ts';
import { STDOUT } from '../../documents/destinations.ts';
import type { Results } from '../../documents/document-command.ts';
import type { DocumentJob } from '../../documents/run.ts';
import type { Output } from '../../output/output.ts';
import type { SubtitleFile } from '../../documents/subtitle-file.ts';
import { changesTimes, formatFor, type SubtitleFlags } from './flags.ts';
import { pluralize, digits } from '../../terminal/table.ts';

/** Converts a result to its output format and encoding; without a result, converts the source file. */
export function convertResult(
  { file, target, destination }: DocumentJob<SubtitleFile, string | undefined>,
  translated: TranslatedSubtitles | undefined,
  flags: SubtitleFlags,
): SubtitleResult {
  const to = formatFor(file, flags);
  const { document } = file;
  const { maxCps, fps } = flags;
  const result = translated ?? { content: document.text, blocks: document.cues.length, failures: [] };
  const unread = document.blocks.filter(({ kind }) => kind === 'unknown').length - document.problems.length;
  const translatedDocument =
    result.content === document.text ? document : scanSubtitles(result.content, file.format, { fps });
  const retimed = retime(translatedDocument, to, flags);
  const isUntouched = retimed.content === document.text;
  const conversion: Conversion =
    to === file.format
      ? retimed
      : convertAll(isUntouched ? document : scanSubtitles(retimed.content, file.format, { fps }), to, {
          target,
          flags,
        });
  const { bytes, charset } = encodeSubtitles(file, conversion.content, to);
  const warnings = [...retimed.warnings, ...(to === file.format ? [] : conversion.warnings)];
  if (document.frames?.isAssumed === true && (to !== file.format || changesTimes(flags)))
    warnings.push(
      `the file does not declare its frame rate: assuming ${document.frames.perSecond}. Set it with --fps, such as --fps 25.`,
    );
  if (unread > 0 && to === file.format)
    warnings.push(`${unread} blocks have no timing line, so players ignore them: left unchanged`);
  if (charset !== file.decoded.encoding.charset)
    warnings.push(`written as UTF-8 instead of ${file.decoded.encoding.charset}`);
  if (maxCps !== undefined)
    for (const warning of speedWarnings(scanSubtitles(conversion.content, to, { fps }), maxCps))
      warnings.push(warning);
  const content = destination === STDOUT ? conversion.content : undefined;
  return { ...result, format: to, content, bytes, isUntouched, warnings };
}

/** Changes times in the new format if the old one cannot be edited. */
function convertAll(
  document: SubtitleDocument,
  to: SubtitleFormat,
  { target, flags }: { readonly target: string | undefined; readonly flags: TimeFlags },
): Conversion {
  const conversion = convertSubtitles(document, to, target);
  if (document.notation.retime) return conversion;
  const { content, warnings } = retime(scanSubtitles(conversion.content, to), to, flags);
  return { content, warnings: [...conversion.warnings, ...warnings] };
}

type TimeFlags = Pick<SubtitleFlags, 'fps' | 'shift' | 'stretch'>;

/** Changes the document's times, unless this must wait until after the conversion. */
function retime(document: SubtitleDocument, to: SubtitleFormat, flags: TimeFlags): Conversion {
  const isLater = !document.notation.retime && document.notation !== subtitleNotation(to);
  if (isLater || !changesTimes(flags)) return { content: document.text, warnings: [] };
  const { shift = 0, stretch = 1, fps } = flags;
  const { content, clamped } = retimeSubtitles(document, { shift, stretch }, fps);
  const warnings =
    clamped === 0 ? [] : [`${pluralize(clamped, 'subtitle')} would begin before 0 and now begin at 0`];
  return { content, warnings };
}

/** The maximum number of cues with too many characters per second that are listed per file. */
const MOST_HURRIED = 20;

function speedWarnings(document: SubtitleDocument, most: number): readonly string[] {
  const hurried = findHurried(document, most);
  const named = hurried
    .slice(0, MOST_HURRIED)
    .map(
      ({ number, rate }) =>
        `${cueName(number, document.cues[number - 1]?.start ?? 0)} has ${rate} characters per second, more than ${most}`,
    );
  const others = hurried.length - named.length;
  return others > 0 ? [...named, `${others} more cues have more than ${most} characters per second`] : named;
}

/** Prints how much was done, if there are several files. */
export function printSummary({ done, unavailable }: Results<unknown, SubtitleResult>, output: Output): void {
  if (done.length < 2) return;
  const cues = done.reduce((sum, { blocks }) => sum + blocks, 0);
  const kept = done.reduce((sum, { failures }) => sum + failures.length, 0);
  const failed = unavailable.length === 0 ? '' : `, ${digits(unavailable.length)} not written`;
  const left = kept === 0 ? '' : `, ${digits(kept)} of them with their source text`;
  output.message(`${pluralize(done.length, 'file')} written with ${pluralize(cues, 'cue')}${left}${failed}`);
}

/** The result of a job. */
export interface SubtitleResult extends Omit<TranslatedSubtitles, 'content'> {
  readonly format: SubtitleFormat;
  /** The content, if it goes to standard output. */
  readonly content: string | undefined;
  readonly bytes: Uint8Array;
  readonly isUntouched: boolean;
  readonly warnings: readonly string[];
}

/** At most this many problems are printed per file; `--json` has all of them. */
const MOST_PROBLEMS = 20;

/** Reports unreadable subtitles on standard error. */
export function printProblems(file: SubtitleFile, output: Output): void {
  const problems = problemsOf(file);
  for (const { line, column, reason } of problems.slice(0, MOST_PROBLEMS))
    output.warning(`${reason}: left unchanged`, `${file.name}:${line}:${column}`);
  const more = problems.length - MOST_PROBLEMS;
  if (more > 0) output.warning(`${pluralize(more, 'more subtitle')} cannot be read`, file.name);
  if (problems.length > 0) output.message('  --strict refuses such a file.');
}

export function problemsOf({ document }: SubtitleFile): readonly SubtitleFailure[] {
  const positionOf = positionsIn(document.text);
  return document.problems.map(({ offset, message }) => ({ ...positionOf(offset), reason: message }));
}
