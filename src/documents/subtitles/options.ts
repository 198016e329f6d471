import type { SegmentContext } from '../../pipeline/unit.ts';

export interface SubtitleOptions {
  /** Translate every cue alone, also where a sentence runs over several. */
  readonly perCue?: boolean | undefined;
  /** Graphemes of a line before it is wrapped. Default: 42, or those of the source's widest line if that has more. */
  readonly maxLine?: number | undefined;
  /** Lines of a cue whose text is too long for the lines it has. Default 2. */
  readonly maxLines?: number | undefined;
  /** Put the source text below the translation. */
  readonly bilingual?: boolean | undefined;
  /** Put right-to-left marks around the lines, where the target is written from right to left. */
  readonly rtlMarks?: boolean | undefined;
}

export interface SubtitleContext extends SegmentContext {
  readonly options?: SubtitleOptions | undefined;
}

export interface SubtitleFailure {
  /** Where the text of the cue begins. Lines and columns count from 1. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export interface TranslatedSubtitles {
  readonly content: string;
  /** Subtitles of the file, those without text included. */
  readonly blocks: number;
  /** Cues that keep their source text, in file order. */
  readonly failures: readonly SubtitleFailure[];
}
