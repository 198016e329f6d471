import { DragomanError } from '../base/errors.ts';
import { splice, type Edit } from '../base/span.ts';
import { isXmlSource, type Syntax } from '../text/syntax.ts';
import type { Document, Key, ReviewCause, ScanOptions, Slot } from './format.ts';

/** New values by index in `document.slots`; undefined keeps the old one. */
export type Values = Pick<ReadonlyMap<number, string>, 'get'>;

export interface RenderOptions extends ScanOptions {
  /** The syntax of the value at each index, if it may differ from the slot's. */
  readonly syntaxes?: Syntaxes | undefined;
  /** The values that need review, by index: they get the format's mark, if it has one. */
  readonly marked?: Marked | undefined;
}

type Marked = Pick<ReadonlyMap<number, ReviewCause>, 'get'>;
type Syntaxes = Pick<ReadonlyMap<number, Syntax>, 'get'>;

/** The part of a format that rendering needs. */
export interface Scanner<Scanned extends Document> {
  scan(text: string, options?: ScanOptions): Scanned;
}

export interface Rendering<Scanned extends Document = Document> {
  readonly text: string;
  /** The text as a document. */
  readonly document: Scanned;
  /** Values that could not be written, and why; their slots are unchanged. */
  readonly rejected: ReadonlyMap<number, DragomanError>;
}

/**
 * Writes new values into a document and verifies the result by reading it back: it must have the same keys and the
 * intended values, and nothing else may have changed. A value that fails is skipped and reported; the others are
 * written.
 *
 * Values equal to the slot's cause no edit: rendering unchanged values returns the identical text.
 *
 * @throws DragomanError `integrity` if no single value causes the failure, which is a defect of the format
 */
export function render<Scanned extends Document>(
  format: Scanner<Scanned>,
  document: Scanned,
  values: Values,
  { syntaxes, marked, ...options }: RenderOptions = {},
): Rendering<Scanned> {
  const rejected = new Map<number, DragomanError>();
  const writer = new Writer(format, document, values, { syntaxes, marked, ...options });
  const changes = writer.changes();
  const written = writer.write(changes, rejected);
  if (!('culprits' in written)) return { text: written.text, document: written, rejected };
  for (const index of writer.isolate(changes.filter((index) => !rejected.has(index)))) {
    const key = slotAt(document, index).key.join(' › ');
    rejected.set(index, new DragomanError('integrity', `the value for ${key} does not read back`));
  }
  const sound = changes.filter((index) => !rejected.has(index));
  const retried = writer.write(sound, rejected);
  if ('culprits' in retried) throw new DragomanError('integrity', retried.culprits);
  return { text: retried.text, document: retried, rejected };
}

function slotAt(document: Document, index: number): Slot {
  const slot = document.slots[index];
  if (!slot) throw new RangeError(`no slot ${index}`);
  return slot;
}

interface Mismatch {
  readonly culprits: string;
}

/** Writes some or all new values of one document. */
class Writer<Scanned extends Document> {
  readonly #format: Scanner<Scanned>;
  readonly #document: Scanned;
  readonly #values: Values;
  readonly #syntaxes: Syntaxes | undefined;
  readonly #marked: Marked | undefined;
  readonly #options: ScanOptions;

  constructor(
    format: Scanner<Scanned>,
    document: Scanned,
    values: Values,
    { syntaxes, marked, ...options }: RenderOptions,
  ) {
    this.#format = format;
    this.#document = document;
    this.#values = values;
    this.#syntaxes = syntaxes;
    this.#marked = marked;
    this.#options = options;
  }

  /** The indexes of the slots whose value changes, in file order. */
  changes(): readonly number[] {
    const changes: number[] = [];
    const { slots } = this.#document;
    for (let index = 0; index < slots.length; index++) {
      const value = this.#values.get(index);
      if (value === undefined) continue;
      const slot = slotAt(this.#document, index);
      const converts = isXmlSource(this.#syntaxOf(index, slot)) !== isXmlSource(slot.syntax);
      const isFinished = slot.provisional !== true && slot.review === undefined;
      if (slot.value !== value || !isFinished || converts || this.#markOf(index, slot)) changes.push(index);
    }
    return changes;
  }

  /**
   * Writes these values and reads the document back.
   *
   * @param rejected receives the values that cannot be encoded
   */
  write(changes: readonly number[], rejected: Map<number, DragomanError>): Scanned | Mismatch {
    const document = this.#document;
    const changed = new Uint8Array(document.slots.length);
    const text = this.#splice(changes, changed, rejected);
    if (!changed.includes(1) && !document.pending) return document;
    try {
      return this.#prove(text, changed);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      return { culprits: `the rendering is not well-formed: ${error.message}` };
    }
  }

  /**
   * Bisects the edits to find each one that breaks the document: at most n log n readings; only one if all are valid.
   */
  isolate(changes: readonly number[]): readonly number[] {
    if (!('culprits' in this.write(changes, new Map()))) return [];
    if (changes.length <= 1) return changes;
    const middle = changes.length >> 1;
    return [changes.slice(0, middle), changes.slice(middle)].flatMap((half) => this.isolate(half));
  }

  #syntaxOf(index: number, slot: Slot): Syntax {
    return this.#syntaxes?.get(index) ?? slot.syntax;
  }

  /** The edits that mark a value for review; undefined if it gets no mark. */
  #markOf(index: number, slot: Slot): readonly Edit[] | undefined {
    const cause = this.#marked?.get(index);
    return cause && slot.marking?.(cause);
  }

  /** A separate function, so that the edits are freed before verification. */
  #splice(changes: readonly number[], changed: Uint8Array, rejected: Map<number, DragomanError>): string {
    const { text, pending = [] } = this.#document;
    const edits = this.#editsOf(changes, changed, rejected);
    return splice(text, pending.length === 0 ? edits : [...pending, ...edits]);
  }

  /**
   * Encodes the values again for every attempt: the first attempt is usually the only one, and keeping the texts would
   * take as much memory as the file.
   *
   * @param changed receives a 1 for each slot with an edit
   */
  #editsOf(
    changes: readonly number[],
    changed: Uint8Array,
    rejected: Map<number, DragomanError>,
  ): readonly Edit[] {
    const edits: Edit[] = [];
    // Forms of one message share their companion edits: each is applied once, no matter how many forms change. Edits
    // that mark a message for review take precedence over those that settle it.
    const companions = new Map<string, Edit>();
    const addAll = (added: readonly Edit[] = []): void => {
      for (const edit of added) {
        const { start, end } = edit.span;
        companions.set(start === end ? `${start} ${edit.text}` : `${start}-${end}`, edit);
      }
    };
    const marking: (readonly Edit[])[] = [];
    for (const index of changes) {
      const slot = slotAt(this.#document, index);
      try {
        const mark = this.#markOf(index, slot);
        const review = mark && this.#marked?.get(index);
        const text = slot.encode(this.#values.get(index) ?? '', this.#syntaxOf(index, slot), review);
        edits.push({ span: slot.span, text });
        changed[index] = 1;
        if (mark) marking.push(mark);
        else addAll(slot.companions);
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        rejected.set(index, error);
      }
    }
    for (const added of marking) addAll(added);
    for (const companion of companions.values()) edits.push(companion);
    return edits;
  }

  #prove(text: string, changed: Uint8Array): Scanned | Mismatch {
    const document = this.#format.scan(text, this.#options);
    const culprits = mismatchIn(document, this.#document.slots, (index) =>
      changed[index] === 1 ? this.#values.get(index) : undefined,
    );
    return culprits === undefined ? document : { culprits };
  }
}

/**
 * The first difference between a document and the slots that it should have.
 *
 * @param newValue the intended value at an index, if it changes
 */
function mismatchIn(
  { slots }: Document,
  expected: readonly Slot[],
  newValue: (index: number) => string | undefined,
): string | undefined {
  if (slots.length !== expected.length) return 'the rendering has different slots';
  for (const [index, { key, value }] of slots.entries()) {
    const before = expected[index];
    if (before && (value !== (newValue(index) ?? before.value) || !sameKey(key, before.key)))
      return `slot ${before.key.join(' › ')} reads ${JSON.stringify(value)}`;
  }
  return undefined;
}

/** Whether a text has these slots, by keys and values. False for a malformed text. */
export function readsAs(
  format: Scanner<Document>,
  text: string,
  slots: readonly Slot[],
  options: ScanOptions,
): boolean {
  try {
    return mismatchIn(format.scan(text, options), slots, () => undefined) === undefined;
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return false;
  }
}

export function sameKey(a: Key, b: Key): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
