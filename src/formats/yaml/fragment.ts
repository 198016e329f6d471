import type { Document, Slot } from '../format.ts';
import { outlineOf, type Mark, type YamlEntry } from './outline.ts';
import { isPlainText } from './quoting.ts';
import { encodeFlowScalar, type Surroundings } from './scalar.ts';

/** Writes entries of a skeleton in the style of another document. Its anchors that are there already are left out. */
export class FragmentWriter {
  readonly #text: string;
  /** Anchors that the target has as well. */
  readonly #doubled: readonly Mark[];
  readonly #slots: ReadonlyMap<number, Slot>;
  readonly #target: {
    readonly lineBreak: string;
    readonly step: number;
    readonly anchors: ReadonlySet<string>;
  };
  readonly #around: Surroundings;

  constructor(
    skeleton: Document,
    target: { readonly lineBreak: string; readonly step: number; readonly anchors: ReadonlySet<string> },
  ) {
    this.#text = skeleton.text;
    const { anchors, options } = outlineOf(skeleton);
    this.#doubled = anchors.filter(({ name }) => target.anchors.has(name));
    this.#slots = new Map(skeleton.slots.map((slot) => [slot.span.start, slot]));
    this.#target = target;
    this.#around = { text: '', quote: 'double', encodable: options.encodable };
  }

  /** Whole lines, the first of them indented too, without the last line break. */
  block(entry: YamlEntry, column: number): string {
    const { span, head } = entry;
    if (!entry.flow) {
      const lines = entry.ownLine
        ? this.#slice(this.#text.lastIndexOf('\n', span.start - 1) + 1, span.end)
        : ' '.repeat(entry.column) + this.#slice(head, span.end);
      return this.#reindent(lines, column - entry.column);
    }
    const line = this.#text.slice(this.#text.lastIndexOf('\n', head - 1) + 1, head);
    const shift = column + this.#target.step - line.search(/[^ ]|$/);
    const value = this.#reindent(this.#slice(entry.value.start, entry.value.end), shift, 1);
    const name = entry.item ? '-' : `${this.#slice(head, entry.keyEnd)}:`;
    return `${' '.repeat(column)}${name}${value === '' ? '' : ` ${value}`}`;
  }

  /** The entry as part of a flow collection. */
  flow(entry: YamlEntry): string {
    const value = this.#flowValue(entry);
    if (entry.item) return value;
    const key = this.#slice(entry.head, entry.keyEnd);
    const bare = /^[^"'&!*?[{]/.test(key);
    const name = bare && !isPlainText(key, true) && /[,[\]{}:]/.test(key) ? JSON.stringify(key) : key;
    return value === '' ? `${name}:` : `${name}: ${value}`;
  }

  #flowValue({ kind, children, value }: YamlEntry): string {
    if (kind === 'map') return `{${(children ?? []).map((child) => this.flow(child)).join(', ')}}`;
    if (kind === 'sequence') return `[${(children ?? []).map((child) => this.flow(child)).join(', ')}]`;
    const source = this.#slice(value.start, value.end);
    // The text of a slot may be a block, or hold commas; anchor and tag before it go with the old notation.
    for (let at = value.start; at < value.end; at++) {
      const slot = this.#slots.get(at);
      if (slot) return encodeFlowScalar(this.#around, slot.value);
    }
    return source;
  }

  #slice(start: number, end: number): string {
    let out = '';
    let at = start;
    for (const { span } of this.#doubled) {
      if (span.start < at || span.end > end) continue;
      const spaced = this.#text[span.end] === ' ';
      out += this.#text.slice(at, spaced || this.#text[span.start - 1] !== ' ' ? span.start : span.start - 1);
      at = spaced ? span.end + 1 : span.end;
    }
    return out + this.#text.slice(at, end);
  }

  /** Moves all lines from `from` on by so many columns. */
  #reindent(lines: string, by: number, from = 0): string {
    const moved = lines.split(/\r?\n/).map((line, index) => {
      if (line === '' || index < from) return line;
      if (by >= 0) return ' '.repeat(by) + line;
      const spaces = line.search(/[^ ]|$/);
      return line.slice(Math.min(spaces, -by));
    });
    return moved.join(this.#target.lineBreak);
  }
}
