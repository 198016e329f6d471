import type { Edit } from '../../base/span.ts';
import type { Document, Entry, Key, Slot } from '../format.ts';
import { keyId, planInsertions, type Placement } from '../entry-changes.ts';
import { blankEnd, indentationStart, insertAt, insertBehind, lineEndOf, usualSeparator } from '../lines.ts';
import type { TomlTree } from './tree.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Skips a table or pair that would define a name in two ways; a scan of the result still reports it missing. */
export function insert(
  target: Document<TomlTree>,
  skeleton: Document<TomlTree>,
  missing: readonly Key[],
): readonly Edit[] {
  const insertion = new TomlInsertion(target, skeleton);
  return [
    ...addForms(target, skeleton, missing),
    ...planInsertions(target.entries, skeleton.entries, missing).flatMap((placement) =>
      insertion.place(placement),
    ),
  ];
}

/** Inserts forms into a message whose notation differs from the source's: a plain text is its `other`. */
function addForms(
  target: Document<TomlTree>,
  skeleton: Document<TomlTree>,
  missing: readonly Key[],
): readonly Edit[] {
  const { text } = target;
  const ids = new Set(missing.map(keyId));
  const wanted = byMessage(skeleton.slots.filter(({ key }) => ids.has(keyId(key))));
  const standing = byMessage(target.slots.filter(({ plural }) => plural));
  const tables = new Map([...target.tree.tables].map((table) => [keyId(table.key), table] as const));
  const newline = lineEndOf(text);
  return [...wanted].flatMap(([message, forms]): readonly Edit[] => {
    const own = standing.get(message) ?? [];
    const [first] = own;
    const last = own.at(-1);
    if (!first || !last) return [];
    const pairs = forms.map(({ span, plural }) => {
      const raw = skeleton.text.slice(span.start, span.end).replaceAll(/\r?\n/g, newline);
      return `${plural?.category ?? 'other'} = ${raw}`;
    });
    const table = tables.get(message);
    if (table) {
      if (forms.some(({ plural }) => plural)) return [];
      const end = table.children?.at(-1)?.span.end ?? last.span.end;
      const line = text.lastIndexOf('\n', last.span.start) + 1;
      const indent = text.slice(line, blankEnd(text, line));
      return [insertBehind(text, end, newline + indent + pairs.join(''), newline)];
    }
    const isInBraces = /[,}]/.test(text.charAt(blankEnd(text, last.span.end)));
    if (!isInBraces)
      return [insertAt(first.span.start, `{ ${pairs.join(', ')}, other = `), insertAt(first.span.end, ' }')];
    const before = text.slice(Math.max(0, first.span.start - 100), first.span.start);
    const name = /[\w"']+[ \t]*=[ \t]*$/.exec(before)?.[0];
    const start = first.span.start - (name?.length ?? 0);
    return name === undefined ? [] : [insertAt(start, pairs.map((pair) => `${pair}, `).join(''))];
  });
}

function byMessage(slots: readonly Slot[]): ReadonlyMap<string, readonly Slot[]> {
  const messages = new Map<string, Slot[]>();
  for (const slot of slots) {
    const id = keyId(slot.plural?.group ?? slot.key);
    addTo(messages, id, slot);
  }
  return messages;
}

class TomlInsertion {
  readonly #target: Document<TomlTree>;
  readonly #source: Document<TomlTree>;
  readonly #newline: string;
  /** The separator between tables. */
  readonly #separator: string;
  readonly #definitions: Definitions;
  /** The table of each pair in the source. */
  readonly #parents: ReadonlyMap<Entry, Entry>;
  readonly #isEmpty: boolean;
  #isAppended = false;

  constructor(target: Document<TomlTree>, source: Document<TomlTree>) {
    this.#target = target;
    this.#source = source;
    this.#newline = lineEndOf(target.text === '' ? source.text : target.text);
    const model = target.tree.tables.size > 1 ? target : source;
    const spans = [...model.tree.tables].map(({ span }) => span);
    this.#separator = usualSeparator(model.text, spans, this.#newline);
    this.#isEmpty = target.entries.length === 0;
    this.#definitions = new Definitions(target.tree);
    this.#parents = new Map(
      source.entries.flatMap((table) => (table.children ?? []).map((pair) => [pair, table] as const)),
    );
  }

  place(placement: Placement): readonly Edit[] {
    const { entry } = placement;
    const { tables } = this.#source.tree;
    const above = tables.has(entry) ? undefined : (this.#parents.get(entry)?.key.length ?? 0);
    if (this.#definitions.refuse(entry.key, above)) return [];
    return above === undefined ? [this.#placeTable(placement)] : this.#placePair(placement, above > 0);
  }

  #placeTable(placement: Placement): Edit {
    const { text } = this.#target;
    const body = this.#bodyOf(placement.entry);
    const { tables, firstTable } = this.#target.tree;
    const separator = this.#separator;
    const anchor =
      'after' in placement ? placement.after : 'before' in placement ? placement.before : undefined;
    // Pairs above the first table belong to the document, so no table may precede them.
    const first = this.#lineOf(firstTable);
    if (anchor && !tables.has(anchor) && first !== undefined) return insertAt(first, body + separator);
    if (anchor && tables.has(anchor)) {
      return 'before' in placement
        ? insertAt(this.#startOf(anchor), body + separator)
        : insertBehind(text, anchor.span.end, separator + body, this.#newline);
    }
    return this.#append(body, separator);
  }

  #placePair(placement: Placement, isInTable: boolean): readonly Edit[] {
    const { text } = this.#target;
    const { tables, firstTable } = this.#target.tree;
    const body = this.#bodyOf(placement.entry);
    const anchor =
      'after' in placement ? placement.after : 'before' in placement ? placement.before : undefined;
    if (isInTable || (anchor && !tables.has(anchor))) {
      if ('into' in placement || !anchor) {
        const table = 'into' in placement ? placement.into : undefined;
        return table ? [insertBehind(text, table.span.end, this.#newline + body, this.#newline)] : [];
      }
      const indent = text.slice(this.#startOf(anchor), anchor.span.start);
      // If the body begins with comments, these lines get the indentation of the anchor.
      const moved = body.replace(/^(?:#[^\n]*\n[ \t]*)+/, (lines) =>
        lines.replace(/\n[ \t]*/g, `\n${indent}`),
      );
      return 'before' in placement
        ? [insertAt(anchor.span.start, moved + this.#newline + indent)]
        : [insertBehind(text, anchor.span.end, this.#newline + indent + moved, this.#newline)];
    }
    const first = this.#lineOf(firstTable);
    if (first === undefined) return [this.#append(body, this.#newline)];
    return [insertAt(first, body + this.#newline + this.#newline)];
  }

  /** Appends at the end of a document without a better place. */
  #append(body: string, separator: string): Edit {
    const { text } = this.#target;
    const isFirst = !this.#isAppended;
    this.#isAppended = true;
    const apart = text.trim() === '' ? '' : this.#newline;
    const lead = isFirst && this.#isEmpty ? apart : separator.slice(this.#newline.length);
    const ended = text === '' || !isFirst || text.endsWith('\n') ? '' : this.#newline;
    return insertAt(text.length, ended + lead + body + this.#newline);
  }

  #bodyOf({ span }: Entry): string {
    return this.#source.text.slice(span.start, span.end).replace(/\r?\n/g, this.#newline);
  }

  #startOf({ span }: Entry): number {
    return indentationStart(this.#target.text, span.start) ?? span.start;
  }

  #lineOf(offset: number | undefined): number | undefined {
    return offset === undefined ? undefined : (indentationStart(this.#target.text, offset) ?? offset);
  }
}

/** The names that a document defines, and how: TOML only allows one way to define each. */
class Definitions {
  readonly #pairs = new Set<string>();
  /** Tables with headers, and their parents. */
  readonly #tables = new Set<string>();
  /** Tables defined by dots in the names of pairs. */
  readonly #dotted = new Set<string>();

  constructor({ tables, pairs, lists }: TomlTree) {
    // An insertion cannot choose among the tables of a list.
    for (const key of lists) this.#pairs.add(keyId(key));
    for (const { key } of tables) {
      for (let length = 1; length <= key.length; length++) this.#tables.add(keyId(key.slice(0, length)));
    }
    for (const { key, above } of pairs) this.#addPair(key, above);
  }

  #addPair(key: Key, above: number): void {
    this.#pairs.add(keyId(key));
    for (let length = above + 1; length < key.length; length++) this.#dotted.add(keyId(key.slice(0, length)));
  }

  /** @param above how many names of a pair's key belong to its table; undefined for a table */
  refuse(key: Key, above: number | undefined): boolean {
    for (let length = 1; length <= key.length; length++) {
      const id = keyId(key.slice(0, length));
      if (this.#pairs.has(id)) return true;
      if (above !== undefined && length > above && this.#tables.has(id)) return true;
    }
    return this.#dotted.has(keyId(key));
  }
}
