import { extname } from 'node:path';
import { FILE_TYPES } from '../../contract/jobs.ts';
import { translatedName } from '../../formats/translated-name.ts';

/** Windows opens devices by these names, whatever the extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i;

/** Characters that some systems refuse in names, that are invisible, or that reverse the text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu;

/** File systems take names of 255 bytes; the name of an unfinished file is longer than its own. */
const MAX_BYTES = 200;

/**
 * A name that can be written into a directory whatever a server sent: no directories, no controls, no device, not
 * hidden. Empty when nothing is left.
 */
export function safeName(raw: string): string {
  const last = raw.split(/[/\\]/).at(-1) ?? '';
  const cleaned = last
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '')
    .trim();
  const extension = extname(cleaned);
  const stem = shorten(
    cleaned.slice(0, cleaned.length - extension.length),
    MAX_BYTES - Buffer.byteLength(extension),
  );
  return DEVICE.test(stem.split('.')[0] ?? '') ? `_${stem}${extension}` : stem + extension;
}

function shorten(text: string, bytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > bytes) short = short.slice(0, -1);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

/**
 * The name of a translated file. What the service calls it counts where it is of the form that the specification gives
 * (download: `{original_filename}_{language_code}.{extension}`); else it is made here. So a server cannot have a file
 * written that means something where it lies, such as a configuration.
 */
export function downloadName(given: string, original: string, code: string): string {
  const named = safeName(given);
  const extension = extname(named);
  const isOfForm =
    Object.hasOwn(FILE_TYPES, extension.toLowerCase()) &&
    named
      .slice(0, named.length - extension.length)
      .toLowerCase()
      .endsWith(`_${safeName(code).toLowerCase()}`);
  return isOfForm ? named : safeName(translatedName(safeName(original) || 'translation', safeName(code)));
}
