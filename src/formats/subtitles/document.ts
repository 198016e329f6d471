import type { Span } from '../../base/span.ts';
import type { Document } from '../format.ts';

export type SubtitleFormat = 'srt' | 'vtt';

/** One subtitle: a timing line with what belongs to it. */
export interface Cue {
  /** Its number (SRT) or identifier (VTT) as written; undefined without one. */
  readonly id: string | undefined;
  /** From the id line, or the timing line, to the end of the timing line. */
  readonly head: Span;
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  /** What follows the times: settings (VTT), coordinates (SRT). */
  readonly settings: string;
  /** Without the line break at its end, lines separated by LF. */
  readonly text: string;
  /** Which of the document's slots holds the text; undefined where there is none. */
  readonly slot: number | undefined;
}

/** A part of a file that is no cue. */
export interface SubtitleBlock {
  readonly kind: 'header' | 'note' | 'style' | 'region' | 'unknown';
  readonly span: Span;
}

/** Something that was meant as a cue and cannot be read as one. It stays as it is. */
export interface CueProblem {
  readonly offset: number;
  readonly message: string;
}

/** A scanned subtitle file: one slot per cue that has text; its key is the cue's place, from 1. */
export interface SubtitleDocument extends Document<undefined> {
  readonly format: SubtitleFormat;
  readonly cues: readonly Cue[];
  readonly blocks: readonly SubtitleBlock[];
  /** In file order; each is in a block of the kind `unknown`. Fewer than there are cues, or as many. */
  readonly problems: readonly CueProblem[];
  /** The line break of the file. */
  readonly lineEnd: string;
}
