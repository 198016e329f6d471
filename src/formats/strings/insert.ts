import { splice, type Edit } from '../../base/span.ts';
import type { Document, Entry, Key } from '../format.ts';
import { planInsertions } from '../entry-changes.ts';
import { indentAt, newlineOf, insertAt, insertBehind, usualSeparator, withLineEnds } from '../lines.ts';
import type { StringsEntry, StringsFile, StringsTree } from './reader.ts';

/** How the entries of a file are separated. */
interface EntryStyle {
  readonly newline: string;
  /** The separator between two entries: one line break, or two with a blank line. */
  readonly separator: string;
}

export function insertEntries(
  target: Document<StringsTree>,
  skeleton: Document<StringsTree>,
  missing: readonly Key[],
): readonly Edit[] {
  const into = target.tree.file;
  const from = skeleton.tree.file;
  const style = styleOf(into, from);
  const bodies = new Map(from.entries.map((entry) => [entry.span.start, entry]));
  const edits: Edit[] = [];
  let first = true;
  for (const placement of planInsertions(target.entries, skeleton.entries, missing)) {
    const entry = bodies.get(placement.entry.span.start);
    if (!entry) continue;
    const body = bodyOf(from.text, entry, style);
    if ('before' in placement) edits.push(before(into.text, placement.before, body, style));
    else if ('after' in placement) edits.push(after(into.text, placement.after, body, style));
    else edits.push(inside(into, body, style, first));
    first = false;
  }
  return edits.length === 0 ? edits : [...terminate(into), ...edits];
}

/** Only the last entry may lack its semicolon. */
function terminate({ entries }: StringsFile): readonly Edit[] {
  const last = entries.at(-1);
  return !last || last.terminated ? [] : [{ span: { start: last.end, end: last.end }, text: ';' }];
}

/** The entry with the target's line ends, except inside its strings, which are values. */
function bodyOf(text: string, { span, key, end, terminated }: StringsEntry, { newline }: EntryStyle): string {
  const convert = (part: string): string => withLineEnds(part, newline);
  const edits = [
    {
      span: { start: 0, end: key.span.start - span.start },
      text: convert(text.slice(span.start, key.span.start)),
    },
    {
      span: { start: end - span.start, end: span.end - span.start },
      text: (terminated ? '' : ';') + convert(text.slice(end, span.end)),
    },
  ];
  return splice(text.slice(span.start, span.end), edits);
}

function before(text: string, anchor: Entry, body: string, { separator }: EntryStyle): Edit {
  return insertAt(anchor.span.start, body + separator + (indentAt(text, anchor.span.start) ?? ''));
}

function after(text: string, anchor: Entry, body: string, { newline, separator }: EntryStyle): Edit {
  return insertBehind(
    text,
    anchor.span.end,
    separator + (indentAt(text, anchor.span.start) ?? '') + body,
    newline,
  );
}

function inside(
  { text, bodyEnd }: StringsFile,
  body: string,
  { newline, separator }: EntryStyle,
  first: boolean,
): Edit {
  const before = text.slice(0, bodyEnd);
  // Text before the first entry is not its comment if a blank line separates them.
  const opening = before.trim();
  const apart = opening === '' ? '' : opening.endsWith('{') ? newline : newline + newline;
  const gap = first ? apart : separator;
  const ended = before === '' || !first || /[\r\n]$/.test(before);
  return insertAt(bodyEnd, (ended ? gap.slice(newline.length) : gap) + body + newline);
}

/** The style of most entries; a file with fewer than two entries gets the style of the other file. */
function styleOf(into: StringsFile, from: StringsFile): EntryStyle {
  const newline = newlineOf(into.text);
  const model = into.entries.length > 1 ? into : from;
  const spans = model.entries.map(({ span }) => span);
  return { newline, separator: usualSeparator(model.text, spans, newline) };
}
