import type { Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import type { Document, Key, PluralForm, ReadValue, ScanOptions, Slot } from '../format.ts';
import { lineEndOf } from '../lines.ts';
import { notationOf } from '../notation.ts';
import { encodeString } from './encode.ts';
import { readTree, type TomlText, type TomlTree, visitTexts } from './tree.ts';

class TomlSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  /** Known only when all values are. */
  syntax: Syntax = 'plain';
  readonly comment: string | undefined;
  readonly plural: PluralForm | undefined;
  readonly #text: string;

  constructor(text: string, { key, value, span, message }: TomlText) {
    this.key = key;
    this.value = value;
    this.span = span;
    this.comment = message?.description;
    this.plural = message && { group: message.key, category: key.at(-1) ?? '' };
    this.#text = text;
  }

  encode(value: string): string {
    const { start, end } = this.span;
    return encodeString(value, this.#text.slice(start, end), lineEndOf(this.#text));
  }
}

export function scan(text: string, { messages }: ScanOptions = {}): Document<TomlTree> {
  const slots: TomlSlot[] = [];
  visitTexts(text, (found) => slots.push(new TomlSlot(text, found)));
  const notation = notationOf(slots, messages);
  for (const slot of slots) slot.syntax = notation.syntaxOf(slot.value, slot.key);
  const dialect = slots.some(({ plural }) => plural) ? 'go-i18n' : notation.dialect;
  return makeDocument({ text, slots, dialect, warnings: [] }, readTree);
}

export function read(text: string, visit: ReadValue): void {
  visitTexts(text, ({ key, value }) => visit(key, value));
}
