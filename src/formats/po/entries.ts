import type { Edit } from '../../base/span.ts';
import type { Document, Entry, Key } from '../format.ts';
import { planInsertions, planRemovals, type Placement } from '../graft.ts';
import { isLive, readCatalog, type Catalog, type Message } from './catalog.ts';
import { fitForms, pluralCount } from './forms.ts';
import { blankEnd, isLineEnd } from '../lines.ts';
import { messageSpan, obsoleteSpans } from './message-span.ts';
import { removeBlocks } from '../removal.ts';
import { messageKey } from './slots.ts';

/** A catalog with its entries. */
export interface CatalogTree extends Catalog {
  readonly entries: readonly Entry[];
}

export function readTree(text: string): CatalogTree {
  const catalog = readCatalog(text);
  const entries = catalog.messages
    .filter(isLive)
    .map((message) => ({ key: messageKey(message), span: messageSpan(text, message) }));
  return { ...catalog, entries };
}

/** Removes the entries with these keys; a plural one by its own key, or when every form of it is named. */
export function removeEntries(document: Document, keys: readonly Key[]): readonly Edit[] {
  const removed = planRemovals(document.entries, [...keys, ...wholeGroups(document, keys)]);
  return removeBlocks(
    document.text,
    removed.map((entry) => entry.span),
  );
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
  target: Document<CatalogTree>,
  skeleton: Document<CatalogTree>,
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
  return [...edits, ...regrown(into, from, missing, count), ...dropObsoleteTwins(into, inserted)];
}

/** A message that got a plural, or lost it, has the same key: its keywords and texts are replaced, its comments stay. */
function regrown(
  into: Catalog,
  from: Catalog,
  missing: readonly Key[],
  count: number | undefined,
): readonly Edit[] {
  const wanted = new Set(missing.map((key) => JSON.stringify(key.slice(0, 2))));
  const present = new Map(into.messages.filter(isLive).map((message) => [keyId(message), message]));
  return from.messages.filter(isLive).flatMap((message): Edit[] => {
    const twin = present.get(keyId(message));
    const changed = twin && (twin.plural === undefined) !== (message.plural === undefined);
    if (!changed || !wanted.has(JSON.stringify(messageKey(message)))) return [];
    const text = fitForms(from.text, message, message.span, count).replace(/\r?\n/g, into.newline);
    return [{ span: twin.span, text }];
  });
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
  const twins = catalog.messages.filter((message) => message.obsolete && inserted.has(keyId(message)));
  return removeBlocks(text, obsoleteSpans(text, twins));
}

function keyId(message: Message): string {
  return JSON.stringify([message.context !== undefined, ...messageKey(message)]);
}
