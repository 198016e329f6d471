import type { Edit } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';
import { planInsertions, planRemovals, type Placement } from '../graft.ts';
import { readCatalog, type Catalog, type Message } from './catalog.ts';
import { fitForms, pluralCount } from './forms.ts';
import { afterBlankLine, beforeBlankLine, blankEnd, isLineEnd, wholeLines } from './lines.ts';
import { messageSpan } from './message-span.ts';
import { messageKey } from './slots.ts';

/** Removes the entries with these keys; a plural one by its own key, or when every form of it is named. */
export function removeEntries(document: Document, keys: readonly Key[]): readonly Edit[] {
  const { text } = document;
  const runs: { start: number; end: number }[] = [];
  for (const { span } of planRemovals(document.entries, [...keys, ...wholeGroups(document, keys)])) {
    const lines = wholeLines(text, span);
    const end = lines === span ? span.end : afterBlankLine(text, lines.end);
    const last = runs.at(-1);
    if (last && last.end === lines.start) last.end = end;
    else runs.push({ start: lines.start, end });
  }
  return runs.map(({ start, end }) => {
    // At the end of the file the blank line before goes, there is none behind.
    const before = end >= text.length ? beforeBlankLine(text, start) : start;
    return { span: { start: before, end }, text: '' };
  });
}

function wholeGroups(document: Document, keys: readonly Key[]): readonly Key[] {
  const named = new Set(keys.map((key) => JSON.stringify(key)));
  const left = new Map<string, Key>();
  const complete = new Map<string, Key>();
  for (const { key, plural } of document.slots) {
    if (!plural) continue;
    const id = JSON.stringify(plural.group);
    if (named.has(JSON.stringify(key)) && !left.has(id)) complete.set(id, plural.group);
    else {
      left.set(id, plural.group);
      complete.delete(id);
    }
  }
  return [...complete.values()];
}

/** Puts the skeleton's entries into the target, each between blank lines, with the target's number of forms. */
export function insertEntries(
  target: Document,
  skeleton: Document,
  missing: readonly Key[],
): readonly Edit[] {
  const into = readCatalog(target.text);
  const from = readCatalog(skeleton.text);
  const messages = new Map(from.messages.map((message) => [message.span.end, message]));
  const count = pluralCount(into);
  const placements = planInsertions(target.entries, skeleton.entries, missing);
  const inserted = new Set<string>();
  const edits = placements.flatMap((placement, index): Edit[] => {
    const { span } = placement.entry;
    const message = messages.get(span.end);
    if (!message) return [];
    inserted.add(keyId(message));
    const body = fitForms(from, message, span, count).replace(/\r?\n/g, into.newline);
    return [place(into, placement, body, index === 0)];
  });
  return [...edits, ...dropObsoleteTwins(into, inserted)];
}

function place(catalog: Catalog, placement: Placement, body: string, first: boolean): Edit {
  const { text, newline, messages } = catalog;
  const blank = newline + newline;
  if ('before' in placement) return insertion(placement.before.span.start, body + blank);
  if ('after' in placement) return behind(text, placement.after.span.end, newline, body);
  const last = messages.findLast((message) => !message.obsolete);
  if (last) return behind(text, last.span.end, newline, body);
  const obsolete = messages[0];
  if (obsolete) return insertion(messageSpan(text, obsolete).start, body + blank);
  const separator = text === '' ? (first ? '' : newline) : text.endsWith('\n') ? newline : blank;
  return insertion(text.length, separator + body + newline);
}

function behind(text: string, end: number, newline: string, body: string): Edit {
  const at = blankEnd(text, end);
  const separator = newline + newline;
  // Something else on the line, which is legal, is moved to a line of its own.
  return isLineEnd(text, at) ? insertion(at, separator + body) : insertion(end, separator + body + newline);
}

function insertion(at: number, text: string): Edit {
  return { span: { start: at, end: at }, text };
}

/** gettext takes an obsolete message and a live one with the same key for a duplicate. */
function dropObsoleteTwins(catalog: Catalog, inserted: ReadonlySet<string>): readonly Edit[] {
  const { text } = catalog;
  return catalog.messages
    .filter((message) => message.obsolete && inserted.has(keyId(message)))
    .map((message) => {
      const lines = wholeLines(text, messageSpan(text, message));
      return { span: { start: lines.start, end: afterBlankLine(text, lines.end) }, text: '' };
    });
}

function keyId(message: Message): string {
  return JSON.stringify([message.context !== undefined, ...messageKey(message)]);
}
