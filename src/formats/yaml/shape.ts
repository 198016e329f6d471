import { ENTRY_SHAPES, isMember, messageMember, type EntryShape } from '../entry-shape.ts';

/** Finds out whether every entry of a document has the same shape, while they are visited. */
export class ShapeEvidence {
  #candidates: readonly EntryShape[] = ENTRY_SHAPES;
  #messages = new Set<string>();
  #entries = 0;

  /** The shape of the entries so far; undefined when they have none, or when there are none. */
  get shape(): EntryShape | undefined {
    return this.#entries > 0 ? this.#candidates[0] : undefined;
  }

  /** Whether the document may still have a shape. */
  get open(): boolean {
    return this.#candidates.length > 0;
  }

  member(name: string, isText: boolean): void {
    if (!this.open) return;
    this.#candidates = this.#candidates.filter((shape) => isMember(shape, name));
    if (isText) this.#messages.add(name);
  }

  /** The members are those of an entry. */
  entry(isMap: boolean): void {
    if (!this.open) return;
    this.#entries++;
    this.#candidates = this.#candidates.filter((shape) => isMap && this.#messages.has(messageMember(shape)));
    this.#messages.clear();
  }

  none(): void {
    this.#candidates = [];
  }
}
