import { parseLocale } from '../../languages/locale.ts';
import type { RetargetOptions } from '../format.ts';
import { readCatalog, type Catalog } from './catalog.ts';
import { fieldOf, languageIn, pluralRuleIn, readHeader, type Header } from './header.ts';
import { readPluralForms, type PluralRule } from './plural-expression.ts';
import { GERMANIC, pluralFormsOf } from './plural-forms.ts';

/**
 * The rule by which the forms of a catalogue are counted and named: that of its header, else the one that the header
 * gets. Undefined where it names no language either.
 *
 * @param locale canonical, when the caller knows it
 */
export function pluralRuleOf(
  catalog: Catalog,
  header: Header | undefined,
  locale = parseLocale(languageIn(header) ?? ''),
): PluralRule | undefined {
  return (
    pluralRuleIn(header) ??
    (locale === undefined ? undefined : readPluralForms(missingForms(catalog, locale)))
  );
}

/** The value of `Plural-Forms` in the header of a retargeted catalogue, and in that of an existing one without a rule. */
export function pluralFormsFor(
  catalog: Catalog,
  header: Header | undefined,
  { locale, role, like }: RetargetOptions,
): string {
  if (role === 'existing') return ownForms(header) ?? missingForms(catalog, locale);
  if (!like) return pluralFormsOf(locale);
  const theirs = readCatalog(like.text);
  return ownForms(readHeader(theirs)) ?? missingForms(theirs, locale);
}

function ownForms(header: Header | undefined): string | undefined {
  return pluralRuleIn(header) && fieldOf(header, 'Plural-Forms')?.value;
}

/** A catalogue without a rule may be written for gettext's own, of two forms. */
function missingForms({ messages }: Catalog, locale: string): string {
  const forms = pluralFormsOf(locale);
  const written = messages.reduce(
    (most, { plural, forms }) => (plural ? Math.max(most, forms.length) : most),
    0,
  );
  const nplurals = readPluralForms(forms)?.nplurals ?? 0;
  return nplurals < written && written === 2 ? GERMANIC : forms;
}
