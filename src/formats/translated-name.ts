import { extname } from 'node:path';

/**
 * The name of a translated file (specification, download): `{original_filename}_{language_code}.{extension}`. A POT
 * becomes a PO.
 */
export function translatedName(filename: string, code: string): string {
  const extension = extname(filename);
  const stem = filename.slice(0, filename.length - extension.length);
  return `${stem}_${code}${extension.toLowerCase() === '.pot' ? '.po' : extension}`;
}
