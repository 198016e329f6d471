import type { Span } from '../../src/base/span.ts';

/** One value as a program that loads the file sees it. */
export interface Entry {
  /** Path to the value in the reader's own terms. Equal keys are told apart by their order. */
  readonly key: readonly string[];
  readonly value: string;
  /** `text`, or what else the reader takes the value for (a number, an alias, the attributes of an element). */
  readonly kind: string;
  /** Where the value stands, in UTF-16 code units of the text without byte order mark, where the reader knows it. */
  readonly at?: Span | undefined;
}

export type Reading =
  | {
      readonly entries: readonly Entry[];
      /** As asked for, in the notation of entries. */ readonly fragments?: readonly string[];
    }
  | { readonly refused: string };

export interface Input {
  readonly bytes: Uint8Array;
  /** XML: pieces of source with the document's entities, to be brought into the notation of entries. */
  readonly fragments?: readonly string[];
  /** Files that hold all languages: the one to be read, as the file spells it. Default: its source language. */
  readonly locale?: string | undefined;
}

/**
 * A reader of one format that shares no code with the program: what tests and the corpus run check results with.
 * Many files at once, because most readers are processes whose start takes longer than the reading.
 */
export interface Reader {
  readonly name: string;
  /** Of entries with one key it reports the last only. */
  readonly lastWins: boolean;
  /** What has to be installed for it to work; undefined when it works. */
  missing(): string | undefined;
  read(files: readonly Input[]): readonly Reading[];
}

export function refusal(error: unknown): Reading {
  return { refused: error instanceof Error ? error.message : String(error) };
}
