import { DuplicateKeys, makeDocument } from '../document.ts';
import type { Document, ScanOptions } from '../format.ts';
import { applyDialect, TextSlot, type TextWriter } from '../text-slot.ts';
import { writeValue } from './encode.ts';
import { commentAbove, type IniTree, keyOf, readLines, readTree } from './tree.ts';

export function scan(text: string, { encodable, messages }: ScanOptions = {}): Document<IniTree> {
  const lines = [...readLines(text)];
  const writer: TextWriter = {
    text,
    encodable,
    write: (value, raw, _own, { end }) => writeValue(value, raw, text.charAt(end).replace(/[\r\n]/, '')),
  };
  const slots: TextSlot[] = [];
  const keys = new DuplicateKeys();
  let section: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'section') section = line.name;
    if (line.kind !== 'pair') continue;
    const key = keyOf(section, line.name);
    keys.add(key, line.span.start);
    const comment = commentAbove(text, lines, index);
    slots.push(new TextSlot(writer, { key, value: line.value, span: line.valueSpan, comment }, undefined));
  }
  const notation = applyDialect(slots, messages);
  return makeDocument({ text, slots, dialect: notation.dialect, warnings: keys.warnings }, readTree);
}
