import type { Syntax } from '../../text/syntax.ts';
import type { Entry, Key, PluralForm, Slot } from '../format.ts';
import type { Encodable } from './character-data.ts';
import type { Reading } from './reading.ts';
import type { XmlElement } from './tree.ts';

export interface CollectOptions {
  readonly locale: string | undefined;
  readonly encodable: Encodable | undefined;
}

/** What a dialect found in a document. */
export class Findings {
  readonly slots: Slot[] = [];
  /** The element of every slot, in the same order. */
  readonly owners: XmlElement[] = [];
  /** The element of every entry. */
  readonly elements = new Map<Entry, XmlElement>();
  /** The topmost entries, in file order. */
  entries: readonly Entry[] = [];
  readonly #syntaxOf: (value: string) => Syntax;

  /** @param syntaxOf the syntax of a value without markup */
  constructor(syntaxOf: (value: string) => Syntax) {
    this.#syntaxOf = syntaxOf;
  }

  add(
    key: Key,
    element: XmlElement,
    reading: Reading,
    comment: string | undefined,
    plural?: PluralForm,
  ): void {
    const { value, span, encode } = reading;
    const syntax = reading.markup ? 'markup' : this.#syntaxOf(value);
    this.slots.push({ key, value, span, syntax, comment, plural, encode });
    this.owners.push(element);
  }

  enter(entry: Entry, element: XmlElement): Entry {
    this.elements.set(entry, element);
    return entry;
  }
}
