import type { Edit } from '../../base/span.ts';
import type { RetargetOptions } from '../format.ts';
import { removeBlocks } from '../lines.ts';
import { isLive, readMessages, type CatalogMessage, type MessagePlace } from './catalog.ts';
import { settlingEdits } from './flags.ts';
import { addForms, dropForms } from './forms.ts';
import { headerEdits } from './header-edits.ts';
import { findHeader } from './header.ts';
import { obsoleteSpans } from './message-span.ts';
import { readPluralForms } from './plural-expression.ts';
import { pluralFormsFor } from './plural-forms.ts';

/** See `Format.retarget`: a new file loses every translation, an existing one only gains what it lacks. */
export function retargetCatalog(text: string, options: RetargetOptions): readonly Edit[] {
  const header = findHeader(text);
  const forms = pluralFormsFor(text, header, options);
  const count = readPluralForms(forms)?.nplurals ?? 2;
  const edits = [...headerEdits(text, header, forms, options)];
  const obsolete: MessagePlace[] = [];
  readMessages(
    text,
    (message) => {
      if (isLive(message)) edits.push(...(options.role === 'new' ? emptied : addForms)(text, message, count));
      else if (message.obsolete) obsolete.push(message);
    },
    (remnant) => void obsolete.push(remnant),
  );
  // Obsolete entries hold translations only, and those of another language.
  const removed = options.role === 'new' ? obsoleteSpans(text, obsolete) : [];
  return [...edits, ...removeBlocks(text, removed)];
}

function emptied(text: string, message: CatalogMessage, count: number): readonly Edit[] {
  const kept = message.forms.filter((form) => !message.plural || form.index < count);
  const texts = kept
    .map(({ literal: { span } }) => ({ span, text: '""' }))
    .filter(({ span: { start, end } }) => end - start > 2);
  return [
    ...settlingEdits(text, message),
    ...texts,
    ...dropForms(text, message, count),
    ...addForms(text, message, count),
  ];
}
