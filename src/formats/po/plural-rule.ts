import { parseLocale } from '../../languages/locale.ts';
import type { RetargetOptions } from '../format.ts';
import { readMessages } from './catalog.ts';
import { fieldOf, findHeader, languageIn, pluralRuleIn, type Header } from './header.ts';
import { readPluralForms, type PluralRule } from './plural-expression.ts';
import { GERMANIC, pluralFormsOf } from './plural-forms.ts';

/**
 * The rule by which the forms of a catalogue are counted and named: that of its header, else the one that the header
 * gets. Undefined where it names no language either.
 *
 * @param locale canonical, when the caller knows it
 */
export function pluralRuleOf(
  text: string,
  header: Header | undefined,
  locale = parseLocale(languageIn(header) ?? ''),
): PluralRule | undefined {
  return (
    pluralRuleIn(header) ?? (locale === undefined ? undefined : readPluralForms(missingForms(text, locale)))
  );
}

/** The value of `Plural-Forms` in the header of a retargeted catalogue, and in that of an existing one without a rule. */
export function pluralFormsFor(
  text: string,
  header: Header | undefined,
  { locale, role, like }: RetargetOptions,
): string {
  if (role === 'existing') return ownForms(header) ?? missingForms(text, locale);
  if (!like) return pluralFormsOf(locale);
  return ownForms(findHeader(like.text)) ?? missingForms(like.text, locale);
}

function ownForms(header: Header | undefined): string | undefined {
  return pluralRuleIn(header) && fieldOf(header, 'Plural-Forms')?.value;
}

/** A catalogue without a rule may be written for gettext's own, of two forms. */
function missingForms(text: string, locale: string): string {
  const forms = pluralFormsOf(locale);
  let written = 0;
  readMessages(text, (message) => {
    if (message.plural) written = Math.max(written, message.forms.length);
  });
  const nplurals = readPluralForms(forms)?.nplurals ?? 0;
  return nplurals < written && written === 2 ? GERMANIC : forms;
}
