import { firstFrom, type Span } from '../../base/span.ts';
import type { Slot } from '../format.ts';
import type { YamlEntry, YamlDocument } from './outline.ts';
import { isPlainText, quoteDouble } from './quoting.ts';
import { encodeFlowScalar, type YamlSurroundings } from './encode.ts';

/** Writes entries of a skeleton in the style of another document, without anchors that it already has. */
export class FragmentWriter {
  readonly #text: string;
  /** Anchors that the target already has. */
  readonly #doubled: readonly Span[];
  readonly #slots: ReadonlyMap<number, Slot>;
  #breaks: ReadonlySet<number> | undefined;
  readonly #target: {
    readonly lineBreak: string;
    readonly step: number;
    readonly anchors: ReadonlySet<string>;
  };
  readonly #around: YamlSurroundings;

  constructor(
    skeleton: YamlDocument,
    target: { readonly lineBreak: string; readonly step: number; readonly anchors: ReadonlySet<string> },
  ) {
    this.#text = skeleton.text;
    const { anchors, options } = skeleton.tree.outline;
    this.#doubled = anchors.flatMap(({ name, span }) => (target.anchors.has(name) ? span : []));
    this.#slots = new Map(skeleton.slots.map((slot) => [slot.span.start, slot]));
    this.#target = target;
    this.#around = { text: '', quote: 'double', encodable: options.encodable };
  }

  /** Whether the entry ends in a block scalar whose value ends with a line break. */
  endsInBreak({ span }: YamlEntry): boolean {
    this.#breaks ??= new Set(
      [...this.#slots.values()]
        .filter(({ value, span: { start } }) => value.endsWith('\n') && /[|>]/.test(this.#text[start] ?? ''))
        .map((slot) => slot.span.end),
    );
    return this.#breaks.has(span.end);
  }

  /** Whole lines, including the first line's indentation, without the last line break. */
  block(entry: YamlEntry, column: number): string {
    const { span, head } = entry;
    if (!entry.flow) {
      const from = entry.ownLine ? this.#text.lastIndexOf('\n', span.start - 1) + 1 : head;
      const pad = entry.ownLine ? '' : ' '.repeat(column);
      return pad + this.#lines(from, span.end, columnShifts(entry, column, this.#target.step, from));
    }
    const line = this.#text.slice(this.#text.lastIndexOf('\n', head - 1) + 1, head);
    const shift = column + this.#target.step - line.search(/[^ ]|$/);
    const { start, end } = entry.value;
    const value = this.#lines(start, end, [
      { start, by: 0 },
      { start: start + 1, by: shift },
    ]);
    const name = entry.item ? '-' : `${this.#nameOf(entry)}:`;
    return `${' '.repeat(column)}${name}${value === '' ? '' : ` ${value}`}`;
  }

  /** The entry as part of a flow collection. */
  flow(entry: YamlEntry): string {
    const value = this.value(entry);
    if (entry.item) return value === '' ? 'null' : value;
    const key = this.#slice(entry.head, entry.keyEnd);
    const marks = /^(?:[!&]\S*\s+)*/.exec(key)?.[0] ?? '';
    const bare = key.slice(marks.length);
    const quoted = isBare(bare) && !isPlainText(bare, true) && /[,[\]{}:]/.test(bare);
    const name = quoted ? marks + JSON.stringify(bare) : key;
    return `${name}: ${value === '' ? 'null' : value}`;
  }

  /** The key of an entry of a flow map, which may span several lines there. */
  #nameOf({ head, keyEnd, key }: YamlEntry): string {
    // After a question mark, the rest of the line would become part of the key.
    const name = this.#slice(head, keyEnd).replace(/^\?\s+/, '');
    const folded = name.includes('\n') && (isBare(name) || /^["']/.test(name));
    return folded ? quoteDouble(key.at(-1) ?? '', this.#around.encodable) : name;
  }

  /** The value of the entry on one line. */
  value({ kind, children, value }: YamlEntry): string {
    if (kind === 'map') return `{${(children ?? []).map((child) => this.flow(child)).join(', ')}}`;
    if (kind === 'sequence') return `[${(children ?? []).map((child) => this.flow(child)).join(', ')}]`;
    const source = this.#slice(value.start, value.end);
    // The text of a slot may be a block, or contain commas; its anchor and tag are dropped with the old notation.
    for (let at = value.start; at < value.end; at++) {
      const slot = this.#slots.get(at);
      if (slot) return encodeFlowScalar(this.#around, slot.value);
    }
    return source;
  }

  #slice(start: number, end: number): string {
    if (this.#doubled.length === 0) return this.#text.slice(start, end);
    let out = '';
    let at = start;
    for (let i = firstFrom(this.#doubled, start); i < this.#doubled.length; i++) {
      const span = this.#doubled[i];
      if (!span || span.end > end) break;
      const spaced = this.#text[span.end] === ' ';
      out += this.#text.slice(at, spaced || this.#text[span.start - 1] !== ' ' ? span.start : span.start - 1);
      at = spaced ? span.end + 1 : span.end;
    }
    return out + this.#text.slice(at, end);
  }

  /** The text with each line moved by the last shift at or before it. */
  #lines(from: number, end: number, shifts: readonly Shift[]): string {
    const out: string[] = [];
    let next = 0;
    for (let start = from; start <= end;) {
      while ((shifts[next]?.start ?? Infinity) <= start) next++;
      const feed = this.#text.indexOf('\n', start);
      const stop = feed === -1 || feed > end ? end : feed;
      const line = this.#slice(start, stop > start && this.#text[stop - 1] === '\r' ? stop - 1 : stop);
      out.push(moveLine(line, shifts[next - 1]?.by ?? 0));
      start = stop + 1;
    }
    return out.join(this.#target.lineBreak);
  }
}

interface Shift {
  readonly start: number;
  readonly by: number;
}

/**
 * How far to move an entry's lines so that it is at `column` and its content is indented by `step`. Block scalars and
 * comments move with their entry.
 */
function columnShifts(entry: YamlEntry, column: number, step: number, from: number): readonly Shift[] {
  const by = column - entry.column;
  // The first line of an entry after a dash lacks its indentation.
  const shifts: Shift[] = [{ start: from, by: entry.ownLine ? by : 0 }];
  if (!entry.ownLine) shifts.push({ start: from + 1, by });
  const visit = (parent: YamlEntry, parentBy: number): void => {
    const first = parent.children?.[0];
    if (!first || first.flow) return;
    const along = !first.ownLine || first.column <= parent.column;
    const childBy = along ? parentBy : parent.column + parentBy + step - first.column;
    for (const child of parent.children ?? []) {
      if (child.ownLine)
        shifts.push({ start: Math.min(child.span.start, child.head - child.column), by: childBy });
      visit(child, childBy);
    }
  };
  visit(entry, by);
  return shifts;
}

function moveLine(line: string, by: number): string {
  if (line === '' || by === 0) return line;
  if (by > 0) return ' '.repeat(by) + line;
  const moved = line.slice(Math.min(line.search(/[^ ]|$/), -by));
  // In the first column, the line would end the document.
  return /^(?:---|\.\.\.)(?:\s|$)/.test(moved) ? ` ${moved}` : moved;
}

/** Whether a key has no quotes, brackets or preceding mark. */
function isBare(key: string): boolean {
  return !/^(?:["'&!*[{]|\?\s)/.test(key);
}
