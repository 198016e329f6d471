import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import type { Document, DocumentWarning, Key, ReadValue, ScanOptions, Slot } from '../format.ts';
import { notationOf } from '../notation.ts';
import { writeValue } from './encode.ts';
import { commentAbove, type IniTree, keyOf, readLines, readTree } from './tree.ts';

/** What the values of a file share. */
interface IniValuePlace {
  readonly text: string;
  readonly encodable: ScanOptions['encodable'];
}

class IniSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  /** Known only when all values are. */
  syntax: Syntax = 'plain';
  readonly comment: string | undefined;
  readonly #place: IniValuePlace;

  constructor(place: IniValuePlace, slot: Pick<Slot, 'key' | 'value' | 'span' | 'comment'>) {
    this.key = slot.key;
    this.value = slot.value;
    this.span = slot.span;
    this.comment = slot.comment;
    this.#place = place;
  }

  encode(value: string): string {
    const { text, encodable } = this.#place;
    if (encodable && !encodable(value))
      throw new DragomanError('unencodable_value', "the file's encoding cannot hold this value");
    const { start, end } = this.span;
    return writeValue(value, text.slice(start, end), text.charAt(end).replace(/[\r\n]/, ''));
  }
}

export function scan(text: string, { encodable, messages }: ScanOptions = {}): Document<IniTree> {
  const lines = [...readLines(text)];
  const place = { text, encodable };
  const slots: IniSlot[] = [];
  const warnings: DocumentWarning[] = [];
  const seen = new Set<string>();
  let section: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'section') section = line.name;
    if (line.kind !== 'pair') continue;
    const key = keyOf(section, line.name);
    const id = JSON.stringify(key);
    if (seen.has(id)) warnings.push({ rule: 'duplicate-key', key, offset: line.span.start });
    seen.add(id);
    const comment = commentAbove(text, lines, index);
    slots.push(new IniSlot(place, { key, value: line.value, span: line.valueSpan, comment }));
  }
  const notation = notationOf(slots, messages);
  for (const slot of slots) slot.syntax = notation.syntaxOf(slot.value, slot.key);
  return makeDocument({ text, slots, dialect: notation.dialect, warnings }, readTree);
}

export function read(text: string, visit: ReadValue): void {
  let section: string | undefined;
  for (const line of readLines(text)) {
    if (line.kind === 'section') section = line.name;
    if (line.kind === 'pair') visit(keyOf(section, line.name), line.value);
  }
}
