import { DragomanError } from '../base/errors.ts';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_LENGTH = 20;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
/** A flag of entries whose sizes follow the data, and may be missing from the directory. */
const SIZES_BEHIND = 1 << 3;

/**
 * Refuses an archive that would expand to more than `limit` bytes, according to the sizes in its directory. Callers
 * must not extract more than that from an entry; an entry without a size is refused.
 *
 * @throws DragomanError `unreadable_input`, `limit_exceeded`
 */
export function requireBoundedZip(bytes: Uint8Array, limit: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - END_LENGTH;
  // The directory's end may be followed by a comment of at most 65,535 bytes.
  while (end >= Math.max(0, bytes.length - END_LENGTH - 0xffff) && view.getUint32(end, true) !== END) end--;
  if (end < 0 || view.getUint32(end, true) !== END) throw unreadable('it is not a ZIP archive');
  // A value of 0xffffffff or a ZIP64 locator makes some readers use another directory.
  const isLarge = [12, 16].some((offset) => view.getUint32(end + offset, true) === 0xffffffff);
  const locator = end - LOCATOR_64_LENGTH;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || isLarge || (locator >= 0 && view.getUint32(locator, true) === LOCATOR_64))
    throw unreadable('ZIP64 archives are not supported');
  let total = 0;
  for (let number = 0; number < count; number++) {
    if (at + ENTRY_LENGTH > bytes.length || view.getUint32(at, true) !== ENTRY)
      throw unreadable('the directory of the archive is damaged');
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    if ((packed > 0 && size === 0) || (packed === 0 && (method !== 0 || (flags & SIZES_BEHIND) !== 0)))
      throw unreadable('an entry of the archive does not state its size');
    total += Math.max(size, packed);
    if (total > limit)
      throw new DragomanError('limit_exceeded', `the file expands to more than ${limit >> 20} MB`);
    const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    at += lengths.reduce((sum, length) => sum + length, ENTRY_LENGTH);
  }
}

function unreadable(detail: string): DragomanError {
  return new DragomanError('unreadable_input', `not a readable XLSX file: ${detail}`);
}
