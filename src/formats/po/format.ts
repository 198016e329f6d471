import type { Document, Format, RetargetOptions } from '../format.ts';
import { editsToUtf8, headerEdits } from './header-edits.ts';
import { addForms, dropForms, insertEntries } from './insert.ts';
import { goneKeys, type PoTree, scan } from './scan.ts';
import type { Edit } from '../../base/span.ts';
import { removeEntries, wholeGroups } from '../entry-changes.ts';
import { TemplateReadings } from '../template-edits.ts';
import { removeBlocks } from '../lines.ts';
import { type CatalogMessage, type MessagePlace, isLive, readMessages } from './catalog.ts';
import { obsoleteSpans, removeFuzzyEdits } from './flags.ts';
import { findHeader } from './header.ts';
import { readPluralForms } from './plural-expression.ts';
import { pluralFormsFor } from './plural-forms.ts';

/** gettext catalogues: PO files and POT templates. */
export const po: Format<PoTree> = {
  scan,
  goneKeys,
  retarget: retargetCatalog,
  insert: insertEntries,
  remove: (document, keys) => removeEntries(document, [...keys, ...wholeGroups(document, keys)]),
  toUtf8: ({ text }) => editsToUtf8(text),
};

/** See `Format.retarget`: a new file loses its translations; an existing one only gains missing forms. */
function retargetCatalog(document: Document, options: RetargetOptions): readonly Edit[] {
  const { text } = document;
  const header = findHeader(text);
  const forms = pluralFormsFor(text, header, options);
  const count = readPluralForms(forms)?.nplurals ?? 2;
  const edits =
    options.role === 'new'
      ? templates.of(document, count, () => ({ edits: emptiedMessages(text, count) })).edits
      : completedMessages(text, count);
  return [...headerEdits(text, header, forms, options), ...edits];
}

const templates = new TemplateReadings();

function completedMessages(text: string, count: number): readonly Edit[] {
  const edits: Edit[] = [];
  readMessages(text, (message) => {
    if (isLive(message)) edits.push(...addForms(text, message, count));
  });
  return edits;
}

function emptiedMessages(text: string, count: number): readonly Edit[] {
  const edits: Edit[] = [];
  const obsolete: MessagePlace[] = [];
  readMessages(
    text,
    (message) => {
      if (isLive(message)) edits.push(...emptied(text, message, count));
      else if (message.obsolete) obsolete.push(message);
    },
    (remnant) => void obsolete.push(remnant),
  );
  // Obsolete entries only hold translations into another language.
  return [...templateNotes(text), ...edits, ...removeBlocks(text, obsoleteSpans(text, obsolete))];
}

/** The comment of Elixir's Gettext in a template, which says that its texts stay empty. */
const TEMPLATE_NOTE =
  /^## This (?:file )?is a PO Template file\.\r?\n(?:##.*\r?\n){0,9}?## effect: edit them .* instead\.\r?\n/gm;

function templateNotes(text: string): readonly Edit[] {
  return [...text.matchAll(TEMPLATE_NOTE)].map(({ 0: note, index }) => ({
    span: { start: index, end: index + note.length },
    text: '',
  }));
}

function emptied(text: string, message: CatalogMessage, count: number): readonly Edit[] {
  const kept = message.forms.filter((form) => !message.plural || form.index < count);
  const texts = kept
    .map(({ literal: { span } }) => ({ span, text: '""' }))
    .filter(({ span: { start, end } }) => end - start > 2);
  return [
    ...removeFuzzyEdits(text, message),
    ...texts,
    ...dropForms(text, message, count),
    ...addForms(text, message, count),
  ];
}
