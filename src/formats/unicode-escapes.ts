const ASCII_END = 0x80;
const [BACKSLASH = 0, U = 0] = Buffer.from('\\u');
/** A buffer for most values; longer values get a separate one. */
const WRITTEN = Buffer.alloc(8192);
const UPPER_DIGITS = Buffer.from('0123456789ABCDEF');
const LOWER_DIGITS = Buffer.from('0123456789abcdef');

/**
 * Writes `\uXXXX` for each code unit from `first` on; below that, only ASCII is left unchanged. Written as bytes: a
 * translation into another script is nearly all escapes, and joining that many strings is slow.
 */
export function escapeUnits(text: string, upper: boolean, first = ASCII_END): string {
  const digits = upper ? UPPER_DIGITS : LOWER_DIGITS;
  const bytes = 6 * text.length <= WRITTEN.length ? WRITTEN : Buffer.allocUnsafe(6 * text.length);
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < first) {
      bytes[end++] = unit;
      continue;
    }
    bytes[end] = BACKSLASH;
    bytes[end + 1] = U;
    for (let digit = 5; digit > 1; digit--)
      bytes[end + digit] = digits[(unit >> (4 * (5 - digit))) & 0xf] ?? 0;
    end += 6;
  }
  return bytes.toString('latin1', 0, end);
}
