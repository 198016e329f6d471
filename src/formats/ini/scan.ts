import { makeDocument } from '../document.ts';
import type { Document, DocumentWarning, ReadValue, ScanOptions } from '../format.ts';
import { applyNotation, TextSlot, type TextWriter } from '../text-slot.ts';
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
    slots.push(new TextSlot(writer, { key, value: line.value, span: line.valueSpan, comment }, undefined));
  }
  const notation = applyNotation(slots, messages);
  return makeDocument({ text, slots, dialect: notation.dialect, warnings }, readTree);
}

export function read(text: string, visit: ReadValue): void {
  let section: string | undefined;
  for (const line of readLines(text)) {
    if (line.kind === 'section') section = line.name;
    if (line.kind === 'pair') visit(keyOf(section, line.name), line.value);
  }
}
