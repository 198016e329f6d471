import { type Edit, type Span, splice } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';
import { type Placement, planInsertions } from '../entry-changes.ts';
import { indentationStart, insertAt, insertBehind, lineEndOf, removeBlocks, wholeLines } from '../lines.ts';
import { type Catalog, type CatalogMessage, type PoForm, isLive, messageKey } from './catalog.ts';
import { findHeader, pluralRuleIn } from './header.ts';
import { messageSpan, obsoleteSpans } from './flags.ts';
import type { PoTree } from './scan.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Inserts the skeleton's entries into the target, separated by blank lines, with the target's number of forms. */
export function insertEntries(
  target: Document<PoTree>,
  skeleton: Document<PoTree>,
  missing: readonly Key[],
): readonly Edit[] {
  const { tree: into } = target;
  const { tree: from } = skeleton;
  const messages = new Map(from.messages.map((message) => [message.span.end, message]));
  const count = pluralCount(into.text);
  const placements = planInsertions(target.entries, skeleton.entries, missing);
  const inserted = new Set<string>();
  const edits = placements.flatMap((placement, index): Edit[] => {
    const { span } = placement.entry;
    const message = messages.get(span.end);
    if (!message) return [];
    inserted.add(keyId(message));
    const body = fitForms(from.text, message, span, count).replace(/\r?\n/g, into.newline);
    return [place(into, placement, body, index === 0)];
  });
  return [...edits, ...regrown(into, from, missing, count), ...dropObsoleteCopies(into, inserted)];
}

/** A message that became plural or singular keeps its key and comments; its keywords and texts are replaced. */
function regrown(
  into: Catalog,
  from: Catalog,
  missing: readonly Key[],
  count: number | undefined,
): readonly Edit[] {
  const wanted = new Set(missing.map((key) => JSON.stringify(key.slice(0, 2))));
  const present = new Map<string, CatalogMessage[]>();
  for (const message of into.messages.filter(isLive).toReversed()) {
    addTo(present, keyId(message), message);
  }
  return from.messages.filter(isLive).flatMap((message): Edit[] => {
    // Duplicates are paired in order: the first one replaces the first.
    const existing = present.get(keyId(message))?.pop();
    const changed = existing && (existing.plural === undefined) !== (message.plural === undefined);
    if (!changed || !wanted.has(JSON.stringify(messageKey(message)))) return [];
    const text = fitForms(from.text, message, message.span, count).replace(/\r?\n/g, into.newline);
    return [{ span: existing.span, text }];
  });
}

function place(catalog: Catalog, placement: Placement, body: string, first: boolean): Edit {
  const { text, newline, messages } = catalog;
  const blank = newline + newline;
  if ('before' in placement) return insertAt(placement.before.span.start, body + blank);
  if ('after' in placement) return insertBehind(text, placement.after.span.end, blank + body, newline);
  const last = messages.findLast((message) => !message.obsolete);
  if (last) return insertBehind(text, last.span.end, blank + body, newline);
  const obsolete = messages[0];
  if (obsolete) return insertAt(messageSpan(text, obsolete).start, body + blank);
  const separator = text === '' ? (first ? '' : newline) : text.endsWith('\n') ? newline : blank;
  return insertAt(text.length, separator + body + newline);
}

/** gettext rejects an obsolete message and a live one with the same key as duplicates. */
function dropObsoleteCopies(catalog: Catalog, inserted: ReadonlySet<string>): readonly Edit[] {
  const { text } = catalog;
  const copies = catalog.messages.filter((message) => message.obsolete && inserted.has(keyId(message)));
  return removeBlocks(text, obsoleteSpans(text, copies));
}

function keyId(message: CatalogMessage): string {
  return JSON.stringify([message.context !== undefined, ...messageKey(message)]);
}

/** The number of forms that each plural message needs, if the file declares it. */
function pluralCount(text: string): number | undefined {
  return pluralRuleIn(findHeader(text))?.nplurals;
}

/** Edits that complete a plural message to `count` forms; new ones are empty. */
export function addForms(text: string, message: CatalogMessage, count: number): readonly Edit[] {
  const last = message.forms.at(-1);
  if (!message.plural || !last) return [];
  const present = new Set(message.forms.map((form) => form.index));
  const newline = lineEndOf(text);
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    if (!present.has(index)) lines.push(newline + emptyForm(text, last, index));
  }
  const at = last.literal.span.end;
  return lines.length === 0 ? [] : [{ span: { start: at, end: at }, text: lines.join('') }];
}

/** Another form, with the indentation and spaces of this one. */
function emptyForm(text: string, model: PoForm, index: number): string {
  const { start } = model.keyword;
  const from = indentationStart(text, start) ?? start;
  const head = text.slice(from, model.literal.span.start).replace(/\d+/, String(index));
  // Other text between keyword and string, such as a line break, is not copied.
  return /^[ \t]*msgstr[ \t]*\[[ \t]*\d+[ \t]*\][ \t]*$/.test(head) ? `${head}""` : `msgstr[${index}] ""`;
}

/** Edits that remove the forms from `count` on. */
export function dropForms(text: string, message: CatalogMessage, count: number): readonly Edit[] {
  return message.forms
    .filter((form) => message.plural && form.index >= count)
    .map((form) => {
      const own = { start: form.keyword.start, end: form.literal.span.end };
      return { span: ownLines(text, own), text: '' };
    });
}

/** Begins at the end of the previous line, so that a file without a final line break keeps that property. */
function ownLines(text: string, span: Span): Span {
  const lines = wholeLines(text, span);
  if (lines === span || lines.start === 0) return span;
  const carriage = text.charCodeAt(lines.start - 2) === 13 ? 2 : 1;
  return { start: lines.start - carriage, end: span.end };
}

/** The text of an entry, with `count` forms if the entry is a plural. */
function fitForms(text: string, message: CatalogMessage, span: Span, count: number | undefined): string {
  const edits =
    count === undefined ? [] : [...addForms(text, message, count), ...dropForms(text, message, count)];
  const moved = edits.map((edit) => ({
    span: { start: edit.span.start - span.start, end: edit.span.end - span.start },
    text: edit.text,
  }));
  return splice(text.slice(span.start, span.end), moved);
}
