import type { Entry, Key, PluralForm } from '../format.ts';
import type { Encodable } from './character-data.ts';
import type { Reading } from './reading.ts';
import type { XmlElement } from './tree.ts';

/** A translatable value, before the syntax of the file is known. */
export interface Finding {
  readonly key: Key;
  readonly element: XmlElement;
  readonly reading: Reading;
  readonly comment: string | undefined;
  readonly plural?: PluralForm;
}

/** What a dialect found in a document. */
export interface Findings {
  readonly found: Finding[];
  readonly entries: readonly Entry[];
  /** The element of every entry. */
  readonly elements: Map<Entry, XmlElement>;
}

export interface CollectOptions {
  readonly locale: string | undefined;
  readonly encodable: Encodable | undefined;
}
