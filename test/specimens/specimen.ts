import type { Reader } from '../readers/reader.ts';
import type { Reference } from './reference.ts';

/** How to build a document of any length: the text before, between and after its values. */
export interface MadeDocument {
  readonly name: string;
  readonly extension: string;
  readonly head: string;
  readonly entry: (i: number, text: string) => string;
  readonly tail: string;
  /**
   * The memory that a run over 100,000 of its keys may need, or over 9 MB of a format whose 100,000 keys are more than
   * 15 MB. A bench prints it, but no test asserts it.
   */
  readonly megabytes: number;
  /** The maximum number of characters in a document, if the format has a limit. */
  readonly mostCharacters?: number;
  /** The usual parser, which a bench runs next to the program. */
  readonly reference: Reference;
}

/** The facts that tests, fuzzing, benches and the run over real files need about a format. */
export interface Specimen {
  /** Names of its fixture files that are documents of the format. */
  readonly fixtures: RegExp;
  /** A program or library that reads the format and shares no code with ours. */
  readonly reader: Reader;
  /**
   * A file with one or two quirks, the keys and texts that a reader finds in it, and a file that it must refuse;
   * undefined if it refuses none.
   */
  readonly sample: { readonly text: string; readonly read: unknown; readonly broken: string | undefined };
  /**
   * A document of three keys with short texts, and a careless encoder's output for a value that would change its
   * neighbour.
   */
  readonly threeKeys: { readonly text: string; readonly hostile: string };
  /**
   * Texts in the file's notation. An engine may translate only `W` (a word) and `S` (some words) in them. Each text
   * comes with the parts that every translation must contain as often as the text does.
   */
  readonly hostile: readonly (readonly [text: string, ...parts: string[]])[];
  /** The most common shapes of files; the first one represents the format. */
  readonly made: readonly [MadeDocument, ...MadeDocument[]];
}
