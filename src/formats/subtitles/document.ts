import { DragomanError } from '../../base/errors.ts';
import { type Edit, positionAt, type Span } from '../../base/span.ts';
import type { CharsetDeclaration } from '../description.ts';
import type { Document, Key, ScanOptions } from '../format.ts';
import type { CueTextSyntax } from './cue-text.ts';
import type { Loss, StyledCue } from './styled-cue.ts';

/** One subtitle: its times with what belongs to it. */
export interface Cue {
  /** Its number (SRT) or identifier (VTT, TTML) as written; undefined without one. */
  readonly id: string | undefined;
  /** Everything of the cue before its text, and nothing of the text: a translation must not change it. */
  readonly head: Span;
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  /** What follows the times: settings (VTT), coordinates (SRT). */
  readonly settings: string;
  /** Who or what speaks, as far as the format says it. Cues that differ in it share no sentence. */
  readonly speaker?: string | undefined;
  /** Without the line break at its end, lines separated by LF. */
  readonly text: string;
  /** Which of the document's slots holds the text; undefined where there is none to translate. */
  readonly slot: number | undefined;
}

/** A part of a file that is no cue. */
export interface SubtitleBlock {
  readonly kind: 'header' | 'note' | 'style' | 'region' | 'attachment' | 'unknown';
  readonly span: Span;
}

/** Something that was meant as a cue and cannot be read as one. It stays as it is. */
export interface CueProblem {
  readonly offset: number;
  readonly message: string;
}

/** A scanned subtitle file: one slot per cue that has text; its key is the cue's place, from 1. */
export interface SubtitleDocument extends Document<undefined> {
  readonly notation: SubtitleNotation;
  readonly cues: readonly Cue[];
  readonly blocks: readonly SubtitleBlock[];
  /** In file order; each is in a block of the kind `unknown`. Fewer than there are cues, or as many. */
  readonly problems: readonly CueProblem[];
  /** The line break of the file. */
  readonly lineEnd: string;
  /** Of a format whose times are frames. */
  readonly frames?: FrameRate;
}

export interface FrameRate {
  readonly perSecond: number;
  /** Neither the file nor the caller names it. */
  readonly isAssumed: boolean;
}

export interface SubtitleScanOptions extends ScanOptions {
  /** Frames a second of a file whose times are frames, and that does not name them. */
  readonly fps?: number | undefined;
}

/** The time that a time becomes; milliseconds. */
export type ChangeTime = (time: number) => number;

/** What a proof compares of a cue; the text is undefined where there is none to translate. */
export interface ReadCueParts {
  readonly head: Span;
  readonly key: Key;
  readonly text: string | undefined;
}

export type ReadCue = (cue: ReadCueParts) => void;

/** A format of subtitles: all that is particular to it. The registry is made of these. */
export interface SubtitleNotation {
  readonly id: string;
  /** Its name in messages. */
  readonly title: string;
  /** Of its files, in lower case, without the dot; the first is that of files that are written. */
  readonly extensions: readonly string[];
  /** Whether a text without a name is in this format, by its beginning. */
  readonly recognises: (text: string) => boolean;
  /** Where a file names its charset. Default: it cannot. */
  readonly charset?: CharsetDeclaration;
  /** A file is always in UTF-8, whatever it was converted from. */
  readonly isUtf8?: boolean;
  readonly cueText: CueTextSyntax;
  /** One text may stand in several cues of the same time, one above the other. */
  readonly hasLayers?: boolean;
  /** A text has the lines that it has: none is added where it is too long. Default: lines are added. */
  readonly keepsLines?: boolean;
  /** All its times are multiples of it. Milliseconds; of a file where the file decides. */
  readonly timeGrid: (document?: SubtitleDocument) => number;
  /** A file without a cue is one of this format. Default: it is not. */
  readonly mayBeEmpty?: boolean;
  /** Whether cues have an end of their own. */
  readonly hasEnds?: boolean;
  /** @throws DragomanError `unreadable_input` with line and column when the text is not well-formed. */
  scan(text: string, options?: SubtitleScanOptions): SubtitleDocument;
  /** Reads the cues alone, which proves what was written. Default: as `scan` finds them. */
  readCues?(text: string, visit: ReadCue): void;
  /** Edits after which the file says that its texts are in this language. Default: it does not say. */
  retarget?(text: string, locale: string): readonly Edit[];
  /** A cue's head, or its text, with other times. Default: its times cannot be changed in place. */
  readonly retime?: (
    raw: string,
    part: 'head' | 'text',
    change: ChangeTime,
    document: SubtitleDocument,
  ) => string;
  /** The cues in the terms of all formats, in the order of their times. */
  toStyled(document: SubtitleDocument, lose: Loss): readonly StyledCue[];
  /**
   * A new file with these cues, its lines separated by LF.
   *
   * @param language of the texts, canonical, where it is known
   */
  fromStyled(cues: readonly StyledCue[], lose: Loss, language?: string): string;
}

/** A problem of a file, with its place, as the error that refuses the file. */
export function problemError(text: string, { offset, message }: CueProblem): DragomanError {
  return new DragomanError('unreadable_input', message, {
    at: positionAt(text, offset),
    hint: 'A subtitle is a timing line and its text, without empty lines between them; a number may stand before.',
  });
}

/** @throws DragomanError `unreadable_input` for more problems than cues, and where there are none of both */
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
