import type { Document, DocumentWarning, Entry, Format, ScanOptions, Slot } from '../format.ts';
import { readCatalog, type Message } from './catalog.ts';
import { insertEntries, removeEntries } from './entries.ts';
import { languageIn, readHeader } from './header.ts';
import { messageSpan } from './message-span.ts';
import { nameForms } from './plural-categories.ts';
import { pluralRuleOf } from './plural-rule.ts';
import { retargetCatalog } from './retarget.ts';
import { liveMessages, messageKey, slotsOf } from './slots.ts';

/** gettext catalogs: PO files and POT templates. */
export const po: Format = {
  id: 'po',
  scan: scanPo,
  retarget: (document, options) => retargetCatalog(readCatalog(document.text), options),
  insert: insertEntries,
  remove: removeEntries,
};

function scanPo(text: string, options: ScanOptions = {}): Document {
  const catalog = readCatalog(text);
  const header = readHeader(catalog);
  const locale = languageIn(header);
  const naming = nameForms(pluralRuleOf(catalog, header, options.locale), options.locale ?? locale);
  const messages = liveMessages(catalog);
  const slots: Slot[] = [];
  const entries: Entry[] = [];
  for (const message of messages) {
    slots.push(...slotsOf(catalog, message, naming, options));
    entries.push({ key: messageKey(message), span: messageSpan(text, message) });
  }
  return { text, slots, entries, dialect: 'gettext', locale, warnings: duplicates(messages) };
}

function duplicates(messages: readonly Message[]): readonly DocumentWarning[] {
  const seen = new Set<string>();
  const warnings: DocumentWarning[] = [];
  for (const message of messages) {
    const { context, domain, id } = message;
    // As gettext joins them. Most have neither context nor domain: no need to build a string for each.
    const inContext = context ? `${context.value}\u0004${id.value}` : id.value;
    const name = domain > 0 ? `${domain}\u0000${inContext}` : inContext;
    if (seen.has(name)) {
      warnings.push({ rule: 'duplicate-key', key: messageKey(message), offset: message.span.start });
    }
    seen.add(name);
  }
  return warnings;
}
