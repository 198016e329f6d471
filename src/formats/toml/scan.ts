import { makeDocument } from '../document.ts';
import type { Document, Key, PluralForm, ScanOptions } from '../format.ts';
import { lineEndOf } from '../lines.ts';
import { applyDialect, TextSlot, type TextWriter } from '../text-slot.ts';
import { encodeString } from './encode.ts';
import { readTree, type TomlText, type TomlTree, visitTexts } from './tree.ts';

function pluralOf({ key: own, message }: TomlText, key: Key): PluralForm | undefined {
  if (message) return { group: message.key, category: own.at(-1) ?? '', includesText: true };
  return key === own ? undefined : { group: own, category: 'other', includesText: true };
}

export function scan(text: string, { messages, source }: ScanOptions = {}): Document<TomlTree> {
  const slots: TextSlot[] = [];
  const writer: TextWriter = { text, write: (value, raw) => encodeString(value, raw, lineEndOf(text)) };
  const keyOf = namesOf(source);
  visitTexts(text, (found) => {
    const { value, span, message } = found;
    const key = keyOf(found);
    const plural = pluralOf(found, key);
    slots.push(new TextSlot(writer, { key, value, span, comment: message?.description, plural }, undefined));
  });
  const notation = applyDialect(slots, messages);
  const dialect = slots.some(({ plural }) => plural) ? 'go-i18n' : notation.dialect;
  return makeDocument({ text, slots, dialect, warnings: [] }, readTree);
}

/** A plain text is a message's `other`: in a translation it gets the source's key. */
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
