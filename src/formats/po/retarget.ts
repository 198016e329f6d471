import type { Edit } from '../../base/span.ts';
import type { RetargetOptions } from '../format.ts';
import type { Catalog, Message } from './catalog.ts';
import { settlingEdits } from './flags.ts';
import { addForms, dropForms } from './forms.ts';
import { headerEdits } from './header-edits.ts';
import { readHeader } from './header.ts';
import { pluralFormsFor } from './plural-rule.ts';
import { messageSpan } from './message-span.ts';
import { removeBlocks } from '../removal.ts';
import { readPluralForms } from './plural-expression.ts';
import { liveMessages } from './slots.ts';

/** See `Format.retarget`: a new file loses every translation, an existing one only gains what it lacks. */
export function retargetCatalog(catalog: Catalog, options: RetargetOptions): readonly Edit[] {
  const forms = pluralFormsFor(catalog, readHeader(catalog), options);
  const count = readPluralForms(forms)?.nplurals ?? 2;
  const edits = [...headerEdits(catalog, options)];
  if (options.role === 'existing') {
    for (const message of liveMessages(catalog)) edits.push(...addForms(catalog, message, count));
    return edits;
  }
  for (const message of liveMessages(catalog)) edits.push(...emptied(catalog, message, count));
  return [...edits, ...withoutObsolete(catalog)];
}

function emptied(catalog: Catalog, message: Message, count: number): readonly Edit[] {
  const { text } = catalog;
  const kept = message.forms.filter((form) => !message.plural || form.index < count);
  const texts = kept
    .map(({ literal: { span } }) => ({ span, text: '""' }))
    .filter(({ span }) => text.slice(span.start, span.end) !== '""');
  return [
    ...settlingEdits(text, message),
    ...texts,
    ...dropForms(catalog, message, count),
    ...addForms(catalog, message, count),
  ];
}

/** Obsolete entries hold translations only, and those of another language. */
function withoutObsolete({ text, messages }: Catalog): readonly Edit[] {
  const obsolete = messages.filter((message) => message.obsolete);
  return removeBlocks(
    text,
    obsolete.map((message) => messageSpan(text, message)),
  );
}
