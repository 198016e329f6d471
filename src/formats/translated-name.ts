import { extname } from 'node:path';
import { TEMPLATES } from './registry.ts';

/**
 * The name of a translated file (specification, download): `{original_filename}_{language_code}.{extension}`. What is
 * made from a template gets the extension of translations: a POT becomes a PO.
 */
export function translatedName(filename: string, code: string): string {
  const extension = extname(filename);
  const stem = filename.slice(0, filename.length - extension.length);
  const translated = TEMPLATES.get(extension.slice(1).toLowerCase());
  return `${stem}_${code}${translated === undefined ? extension : `.${translated}`}`;
}
