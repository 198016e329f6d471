import type { Syntax } from '../../text/syntax.ts';
import type { Span } from '../../base/span.ts';
import type { Entry, Key, PluralForm, ReadValue, Slot } from '../format.ts';
import type { Encodable } from './character-data.ts';
import type { Reading } from './reading.ts';
import type { XmlElement } from './tree.ts';

export interface CollectOptions {
  readonly locale: string | undefined;
  readonly encodable: Encodable | undefined;
  /** Gets the keys and values: then they are all that is found. */
  readonly visit?: ReadValue | undefined;
}

/** What a dialect found in a document. */
export class Findings {
  readonly slots: XmlSlot[] = [];
  /** The element of every slot, in the same order. */
  readonly owners: XmlElement[] = [];
  /** The element of every entry. */
  readonly elements = new Map<Entry, XmlElement>();
  /** The topmost entries, in file order. */
  entries: readonly Entry[] = [];
  readonly #syntaxOf: (value: string) => Syntax;
  readonly #visit: ReadValue | undefined;

  /** @param syntaxOf the syntax of a value without markup */
  constructor(syntaxOf: (value: string) => Syntax, { visit }: CollectOptions) {
    this.#syntaxOf = syntaxOf;
    this.#visit = visit;
  }

  add(
    key: Key,
    element: XmlElement,
    reading: Reading,
    comment: string | undefined,
    plural?: PluralForm,
  ): void {
    if (this.#visit) return this.#visit(key, reading.value);
    const syntax = reading.markup ? 'markup' : this.#syntaxOf(reading.value);
    this.slots.push(new XmlSlot(key, reading, syntax, comment, plural));
    this.owners.push(element);
  }

  enter(entry: Entry, element: XmlElement): Entry {
    if (!this.#visit) this.elements.set(entry, element);
    return entry;
  }
}

export class XmlSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  /** Known only when all values are. */
  syntax: Syntax;
  readonly comment: string | undefined;
  readonly plural: PluralForm | undefined;
  readonly #reading: Reading;

  constructor(
    key: Key,
    reading: Reading,
    syntax: Syntax,
    comment: string | undefined,
    plural: PluralForm | undefined,
  ) {
    this.key = key;
    this.value = reading.value;
    this.span = reading.span;
    this.syntax = syntax;
    this.comment = comment;
    this.plural = plural;
    this.#reading = reading;
  }

  encode(value: string, syntax?: Syntax): string {
    return this.#reading.encode(value, syntax);
  }
}
