import type { Span } from '../../src/base/span.ts';

/** One value as a program that loads the file sees it. */
export interface Entry {
  /** Path to the value in the reader's own terms. Equal keys are distinguished by their order. */
  readonly key: readonly string[];
  readonly value: string;
  /** `text`, or another type that the reader reports (a number, an alias, the attributes of an element). */
  readonly kind: string;
  /** The position of the value, in UTF-16 code units of the text without byte order mark, if the reader reports it. */
  readonly at?: Span | undefined;
}

export type Reading =
  | {
      readonly entries: readonly Entry[];
      /** The requested fragments, in the notation of entries. */ readonly fragments?: readonly string[];
    }
  | { readonly refused: string };

export interface Input {
  readonly bytes: Uint8Array;
  /** XML: pieces of source with the document's entities, to be converted to the notation of entries. */
  readonly fragments?: readonly string[];
  /** For files that hold all languages: the language to read, in the file's spelling. Default: its source language. */
  readonly locale?: string | undefined;
}

/**
 * A reader of one format that shares no code with the program, used by tests and the corpus run to check results. It
 * reads many files at once, because most readers are processes that start slowly.
 */
export interface Reader {
  readonly name: string;
  /** Whether the reader reports only the last of several entries with the same key. */
  readonly lastWins: boolean;
  /** The program that must be installed for it to work; undefined if none is missing. */
  missing(): string | undefined;
  read(files: readonly Input[]): readonly Reading[];
}

export function refusal(error: unknown): Reading {
  return { refused: error instanceof Error ? error.message : String(error) };
}
