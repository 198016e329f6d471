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

  constructor(text: string, { key: own, value, span, message }: TomlText, key: Key) {
    this.key = key;
    this.value = value;
    this.span = span;
    this.comment = message?.description;
    if (message) this.plural = formOf(message.key, own.at(-1) ?? '');
    else if (key !== own) this.plural = formOf(own, 'other');
    this.#text = text;
  }

  encode(value: string): string {
    const { start, end } = this.span;
    return encodeString(value, this.#text.slice(start, end), lineEndOf(this.#text));
  }
}

const formOf = (group: Key, category: string): PluralForm => ({ group, category, includesText: true });

export function scan(text: string, { messages, source }: ScanOptions = {}): Document<TomlTree> {
  const slots: TomlSlot[] = [];
  const keyOf = namesOf(source);
  visitTexts(text, (found) => slots.push(new TomlSlot(text, found, keyOf(found))));
  const notation = notationOf(slots, messages);
  for (const slot of slots) slot.syntax = notation.syntaxOf(slot.value, slot.key);
  const dialect = slots.some(({ plural }) => plural) ? 'go-i18n' : notation.dialect;
  return makeDocument({ text, slots, dialect, warnings: [] }, readTree);
}

export function read(text: string, visit: ReadValue, { source }: ScanOptions = {}): void {
  const keyOf = namesOf(source);
  visitTexts(text, (found) => visit(keyOf(found), found.value));
}

/** A plain text is the form `other` of a message: a translation calls it as its source does. */
function namesOf(source: Document | undefined): (found: TomlText) => Key {
  if (!source) return ({ key }) => key;
  const texts = new Set<string>();
  const plurals = new Set<string>();
  for (const { key, plural } of source.slots) {
    if (!plural) texts.add(JSON.stringify(key));
    else if (plural.category === 'other') plurals.add(JSON.stringify(plural.group));
  }
  return ({ key, message }) => {
    if (!message) return plurals.has(JSON.stringify(key)) ? [...key, 'other'] : key;
    return key.at(-1) === 'other' && texts.has(JSON.stringify(message.key)) ? message.key : key;
  };
}
