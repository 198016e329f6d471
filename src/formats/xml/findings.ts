import type { Syntax } from '../../text/syntax.ts';
import type { Span } from '../../base/span.ts';
import type { Document, Entry, Key, PluralForm, Slot } from '../format.ts';
import type { Encodable } from './encode.ts';
import type { Reading } from './reading.ts';
import type { XmlElement } from './tree.ts';

export interface CollectOptions {
  readonly locale: string | undefined;
  readonly encodable: Encodable | undefined;
  /** The document that this one translates, if known. */
  readonly source?: Document | undefined;
  /** The data to collect: slots, or entries with their elements. Each takes memory in proportion to the file. */
  readonly wanted: 'slots' | 'structure';
}

/** Finds a document's texts in one dialect. */
export interface Collector {
  readonly findings: Findings;
  collect(): void;
}

/** The results of a collector. */
export class Findings {
  readonly slots: XmlSlot[] = [];
  /** The element of every slot, in the same order. */
  readonly owners: XmlElement[] = [];
  /** The element of every entry. */
  readonly elements = new Map<Entry, XmlElement>();
  /** The topmost entries, in file order. */
  readonly entries: Entry[] = [];
  readonly #syntaxOf: (value: string) => Syntax;
  readonly #wanted: CollectOptions['wanted'];

  /** @param syntaxOf the syntax of a value without markup */
  constructor(syntaxOf: (value: string) => Syntax, { wanted }: CollectOptions) {
    this.#syntaxOf = syntaxOf;
    this.#wanted = wanted;
  }

  /** @param group the key of the plural that has this form; the form's key ends with the category */
  add(key: Key, element: XmlElement, reading: Reading, comment: string | undefined, group?: Key): void {
    if (this.#wanted === 'structure') this.owners.push(element);
    else {
      const syntax = reading.markup ? 'markup' : this.#syntaxOf(reading.value);
      this.slots.push(new XmlSlot(key, reading, syntax, comment, group));
    }
  }

  /** Adds an entry, below its parent if it has one. */
  enter(entry: Entry, element: XmlElement, siblings: Entry[] = this.entries): void {
    if (this.#wanted !== 'structure') return;
    this.elements.set(entry, element);
    siblings.push(entry);
  }
}

export class XmlSlot implements Slot {
  readonly key: Key;
  /** Known only after all values are read. */
  syntax: Syntax;
  readonly comment: string | undefined;
  readonly #group: Key | undefined;
  readonly #reading: Reading;

  constructor(
    key: Key,
    reading: Reading,
    syntax: Syntax,
    comment: string | undefined,
    group: Key | undefined,
  ) {
    this.key = key;
    this.syntax = syntax;
    this.comment = comment;
    this.#group = group;
    this.#reading = reading;
  }

  get plural(): PluralForm | undefined {
    return this.#group && { group: this.#group, category: this.key.at(-1) ?? '', isOfWholeNumbers: true };
  }

  get value(): string {
    return this.#reading.value;
  }

  get span(): Span {
    return this.#reading.span;
  }

  encode(value: string, syntax?: Syntax): string {
    return this.#reading.encode(value, syntax);
  }
}
