import { DragomanError } from '../../base/errors.ts';
import { type Edit, positionAt, type Span } from '../../base/span.ts';
import type { CharsetDeclaration } from '../description.ts';
import type { Document, ScanOptions } from '../format.ts';
import type { CueTextSyntax } from './cue-text.ts';
import type { LossListener, StyledCue } from './styled-cue.ts';

/** A subtitle with its times. */
export interface Cue {
  /** The subtitle's number (SRT) or identifier (VTT, TTML) as written; undefined if it has none. */
  readonly id: string | undefined;
  /** The part of the cue before its text, which a translation must not change. */
  readonly head: Span;
  /** Times in milliseconds. */
  readonly start: number;
  readonly end: number;
  /** The text after the times: settings (VTT), coordinates (SRT). */
  readonly settings: string;
  /** The speaker, if the format identifies one. Sentences never continue across cues with different speakers. */
  readonly speaker?: string | undefined;
  /** The text without the final line break, its lines separated by LF. */
  readonly text: string;
  /** The index of the slot with the text; undefined without translatable text. */
  readonly slot: number | undefined;
}

/** A part of a file that is not a cue. */
export interface SubtitleBlock {
  readonly kind: 'header' | 'note' | 'style' | 'region' | 'attachment' | 'unknown';
  readonly span: Span;
}

/** A malformed cue, which stays unchanged. */
export interface CueProblem {
  readonly offset: number;
  readonly message: string;
}

/** A scanned subtitle file: one slot per cue with text; its key is the cue's number, from 1. */
export interface SubtitleDocument extends Document<undefined> {
  readonly notation: SubtitleNotation;
  readonly cues: readonly Cue[];
  readonly blocks: readonly SubtitleBlock[];
  /** Malformed cues in file order, at most as many as cues; each is in a block of the kind `unknown`. */
  readonly problems: readonly CueProblem[];
  /** The line break of the file. */
  readonly lineEnd: string;
  /** The frame rate, for formats whose times are frames. */
  readonly frames?: FrameRate;
}

/** Whether a scanned document is a subtitle file. */
export function hasCues(document: Document): document is SubtitleDocument {
  return 'cues' in document;
}

export interface FrameRate {
  readonly perSecond: number;
  /** Whether neither the file nor the caller specified the rate. */
  readonly isAssumed: boolean;
}

export interface SubtitleScanOptions extends ScanOptions {
  /** Frames per second, for a file with frame times that does not specify them. */
  readonly fps?: number | undefined;
}

/** Maps a time to a new one, in milliseconds. */
export type ChangeTime = (time: number) => number;

/** A subtitle format. The registry is a list of these. */
export interface SubtitleNotation {
  readonly id: string;
  /** The name in messages. */
  readonly title: string;
  /** File extensions in lower case, without the dot; new files get the first. */
  readonly extensions: readonly string[];
  /** Whether a text without a file name is in this format, judged by its beginning. */
  readonly recognizes: (text: string) => boolean;
  /** Where a file declares its charset. Default: nowhere. */
  readonly charset?: CharsetDeclaration;
  /** Whether files are always UTF-8, even if converted from another charset. */
  readonly isUtf8?: boolean;
  readonly cueText: CueTextSyntax;
  /** Whether a text may occur in several cues at the same time, in different layers. */
  readonly hasLayers?: boolean;
  /** Whether texts keep their number of lines even if a line is too long. Default: lines are added. */
  readonly keepsLines?: boolean;
  /** The unit of all times, in milliseconds; may depend on the file. */
  readonly timeGrid: (document?: SubtitleDocument) => number;
  /** Whether a file without cues is valid. Default: no. */
  readonly mayBeEmpty?: boolean;
  /** Whether cues have an end time. */
  readonly hasEnds?: boolean;
  /** @throws DragomanError `unreadable_input` with line and column if the text is malformed */
  scan(text: string, options?: SubtitleScanOptions): SubtitleDocument;
  /** Edits that make the file declare this language. Default: the format has no such declaration. */
  retarget?(text: string, locale: string): readonly Edit[];
  /** Returns a cue's head, or its text, with new times. Default: times cannot be changed in place. */
  readonly retime?: (
    raw: string,
    part: 'head' | 'text',
    change: ChangeTime,
    document: SubtitleDocument,
  ) => string;
  /** Converts the cues to the common model of all formats, ordered by time. */
  toStyled(document: SubtitleDocument, lose: LossListener): readonly StyledCue[];
  /**
   * Writes a new file with these cues, its lines separated by LF.
   *
   * @param language of the texts, canonical, if known
   */
  fromStyled(cues: readonly StyledCue[], lose: LossListener, language?: string): string;
}

/** The error that rejects a file because of a problem, with its place. */
export function problemError(text: string, { offset, message }: CueProblem): DragomanError {
  return new DragomanError('unreadable_input', message, {
    at: positionAt(text, offset),
    hint: 'A subtitle is a timing line, optionally after a number, and its text, without empty lines between them.',
  });
}

/** @throws DragomanError `unreadable_input` for more problems than cues, and for a file with neither */
export function requireCues(
  text: string,
  count: number,
  problems: readonly CueProblem[],
  mayBeEmpty = false,
): void {
  const [first] = problems;
  if (first && problems.length > count) throw problemError(text, first);
  if (count === 0 && !mayBeEmpty)
    throw new DragomanError('unreadable_input', 'the file has no subtitle', { at: { line: 1, column: 1 } });
}
