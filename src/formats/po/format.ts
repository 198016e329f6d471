import { makeDocument } from '../document.ts';
import type { Document, DocumentWarning, Format, ReadValue, ScanOptions, Slot } from '../format.ts';
import { isLive, readMessages } from './catalog.ts';
import { insertEntries, readTree, removeEntries, type CatalogTree } from './entries.ts';
import { findHeader, languageIn, type Header } from './header.ts';
import { nameForms, type FormNaming } from './plural-categories.ts';
import { pluralRuleOf } from './plural-rule.ts';
import { retargetCatalog } from './retarget.ts';
import { editsToUtf8 } from './utf8.ts';
import { addSlots, messageKey, type SlotContext } from './slots.ts';

/** gettext catalogs: PO files and POT templates. */
export const po: Format<CatalogTree> = {
  scan,
  read,
  retarget: (document, options) => retargetCatalog(document.text, options),
  insert: insertEntries,
  remove: removeEntries,
  toUtf8: ({ text }) => editsToUtf8(text),
};

function scan(text: string, options: ScanOptions = {}): Document<CatalogTree> {
  const header = findHeader(text);
  const slots: Slot[] = [];
  const layout = { text, wraps: false, newline: '\n', doublesTrailBytes: false } as const;
  const context: SlotContext = {
    naming: namingOf(text, header, options),
    encodable: options.encodable,
    layout,
  };
  context.layout = readMessages(text, (message) => {
    if (isLive(message)) addSlots(slots, text, message, context);
  });
  const locale = languageIn(header);
  return makeDocument({ text, slots, dialect: 'gettext', locale, warnings: duplicatesIn }, readTree);
}

function read(text: string, visit: ReadValue, options: ScanOptions = {}): void {
  const naming = namingOf(text, findHeader(text), options);
  readMessages(text, (message) => {
    if (!isLive(message)) return;
    const key = messageKey(message);
    for (const { index, literal } of message.forms)
      visit(message.plural ? [...key, naming.categoryOf(index)] : key, literal.value);
  });
}

function namingOf(text: string, header: Header | undefined, { locale }: ScanOptions): FormNaming {
  return nameForms(pluralRuleOf(text, header, locale), locale ?? languageIn(header));
}

function duplicatesIn(text: string): readonly DocumentWarning[] {
  const seen = new Set<string>();
  const warnings: DocumentWarning[] = [];
  readMessages(text, (message) => {
    if (!isLive(message)) return;
    const { context, domain, id } = message;
    // As gettext joins them. Most have neither context nor domain: no need to build a string for each.
    const inContext = context ? `${context.value}\u0004${id.value}` : id.value;
    const name = domain > 0 ? `${domain}\u0000${inContext}` : inContext;
    if (seen.has(name))
      warnings.push({ rule: 'duplicate-key', key: messageKey(message), offset: message.span.start });
    seen.add(name);
  });
  return warnings;
}
