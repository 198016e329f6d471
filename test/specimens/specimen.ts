import type { Reader } from '../readers/reader.ts';
import type { Reference } from './reference.ts';

/** How a document of any length is made: what stands before, between and after its texts. */
export interface MadeDocument {
  readonly name: string;
  readonly extension: string;
  readonly head: string;
  readonly entry: (i: number, text: string) => string;
  readonly tail: string;
  /**
   * The memory that a run over 100,000 of its keys may need, or over 9 MB of a format whose 100,000 keys are more than 15.
   * A bench prints it, no test asserts it.
   */
  readonly megabytes: number;
  /** The characters that the format accepts in a document, where it has a bound. */
  readonly mostCharacters?: number;
  /** The usual parser, which a bench runs beside the program. */
  readonly reference: Reference;
}

/** What tests, fuzzing, benches and the run over real files have to know of one format. */
export interface Specimen {
  /** Names of the files among its fixtures that are documents of the format. */
  readonly fixtures: RegExp;
  /** A program or library that reads the format and shares no code with ours. */
  readonly reader: Reader;
  /**
   * A file with a quirk or two, the keys and texts that a reader finds in it, and a file that it has to refuse; undefined
   * where it refuses none.
   */
  readonly sample: { readonly text: string; readonly read: unknown; readonly broken: string | undefined };
  /** A document of three keys with short texts, and what an encoder would write for a value to change its neighbour. */
  readonly threeKeys: { readonly text: string; readonly hostile: string };
  /**
   * Texts as a file writes them, of which an engine may translate `W`, a word, and `S`, some words; each with what has to stand
   * in every translation as often.
   */
  readonly hostile: readonly (readonly [text: string, ...parts: string[]])[];
  /** The shapes that people have most of; the first one stands for the format. */
  readonly made: readonly [MadeDocument, ...MadeDocument[]];
}
