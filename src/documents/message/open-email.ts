import { DragomanError } from '../../base/errors.ts';
import { unsupportedEncoding, wideEncodingOf } from '../../base/utf8.ts';
import { type Email, MAX_MESSAGE_BYTES, scanEmail } from '../../formats/email/email.ts';
import { readInput } from '../localization/open-file.ts';

/**
 * Reads an e-mail message: RFC 5322 with MIME.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` with the file's name and the place
 */
export async function openEmail(path: string): Promise<Email> {
  return openEmailBytes(await readInput(path, MAX_MESSAGE_BYTES), path);
}

/** Same as {@link openEmail}, for bytes in memory; `path` is the name in errors. */
export function openEmailBytes(bytes: Uint8Array, path: string): Email {
  try {
    const wide = wideEncodingOf(bytes);
    if (wide) throw unsupportedEncoding(wide);
    const { buffer, byteOffset, byteLength } = bytes;
    return scanEmail(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
  } catch (error) {
    throw error instanceof DragomanError && error.at ? error.inFile(path) : error;
  }
}
