import { posix, win32 } from 'node:path';
import { DragomanError } from '../base/errors.ts';

/** What file systems hold in a name, and with a language code still do. */
const MAX_NAME_BYTES = 200;

/**
 * What a job calls an uploaded file: the last part of its path in the notation of any system, without characters that
 * a terminal or a header would obey.
 *
 * @throws DragomanError `invalid_request` for a file without a name, or with one that is too long.
 */
export function uploadName(sent: string | undefined): string {
  const base = win32.basename(posix.basename(sent ?? ''));
  const name = base
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .toWellFormed()
    .trim();
  if (name === '' || /^\.+$/.test(name)) throw new DragomanError('invalid_request', 'the file has no name');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new DragomanError(
      'invalid_request',
      `the name of the file cannot be longer than ${MAX_NAME_BYTES} bytes`,
    );
  }
  return name;
}
