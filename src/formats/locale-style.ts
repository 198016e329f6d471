import { spellLocale, type LocaleStyle } from '../languages/locale.ts';
import type { FormatId } from './format.ts';

/** How each format spells the locale that a file names itself (PO header, ARB, Rails root key). */
const STYLES: Readonly<Record<FormatId, LocaleStyle>> = {
  json: 'underscore',
  yaml: 'bcp47',
  po: 'gettext',
  properties: 'underscore',
  strings: 'script',
  xml: 'bcp47',
};

/** A canonical code as a file of that format that stands alone names its locale: `pt-BR` is `pt_BR` in a PO header. */
export function spellInFile(code: string, format: FormatId): string {
  return spellLocale(code, STYLES[format]);
}
