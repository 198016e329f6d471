import type { Edit } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';
import { planInsertions, type Placement } from '../graft.ts';
import { removeBlocks, insertAt, insertBehind } from '../lines.ts';
import { isLive, type Catalog, type CatalogMessage } from './catalog.ts';
import { fitForms, pluralCount } from './forms.ts';
import { messageSpan, obsoleteSpans } from './message-span.ts';
import { type PoTree, messageKey } from './scan.ts';

/** Puts the skeleton's entries into the target, each between blank lines, with the target's number of forms. */
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
  if ('before' in placement) return insertAt(placement.before.span.start, body + blank);
  if ('after' in placement) return insertBehind(text, placement.after.span.end, blank + body, newline);
  const last = messages.findLast((message) => !message.obsolete);
  if (last) return insertBehind(text, last.span.end, blank + body, newline);
  const obsolete = messages[0];
  if (obsolete) return insertAt(messageSpan(text, obsolete).start, body + blank);
  const separator = text === '' ? (first ? '' : newline) : text.endsWith('\n') ? newline : blank;
  return insertAt(text.length, separator + body + newline);
}

/** gettext takes an obsolete message and a live one with the same key for a duplicate. */
function dropObsoleteTwins(catalog: Catalog, inserted: ReadonlySet<string>): readonly Edit[] {
  const { text } = catalog;
  const twins = catalog.messages.filter((message) => message.obsolete && inserted.has(keyId(message)));
  return removeBlocks(text, obsoleteSpans(text, twins));
}

function keyId(message: CatalogMessage): string {
  return JSON.stringify([message.context !== undefined, ...messageKey(message)]);
}
