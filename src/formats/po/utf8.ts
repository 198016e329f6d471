import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Edit } from '../../base/span.ts';
import { declaredCharset } from './charset.ts';
import { charsetEdits } from './header-edits.ts';
import { findHeader } from './header.ts';
import { doublesTrailBytes, secondTrailBytes } from './trail-bytes.ts';

/** Bytes by their numbers, `\351` or `\xe9`, which mean characters of the file's charset. */
const BYTES = /\\(?:[23][0-7]{2}|x[0-9A-Fa-f]*[89A-Fa-f][0-9A-Fa-f](?![0-9A-Fa-f]))/g;

/** See `Format.toUtf8`. */
export function editsToUtf8(text: string): readonly Edit[] {
  for (const { index } of text.matchAll(BYTES)) {
    if (!isEscaped(text, index)) continue;
    throw new DragomanError('unencodable_value', 'this byte has another meaning in UTF-8', {
      at: positionAt(text, index),
      hint: 'Convert the file with msgconv --to-code=UTF-8.',
    });
  }
  const charset = declaredCharset(text.slice(0, 65_536));
  const doubled = doublesTrailBytes(text, charset) ? secondTrailBytes(text) : [];
  const header = findHeader(text);
  return [...(header ? charsetEdits(header) : []), ...doubled];
}

/** Whether this backslash begins an escape: it is none that another backslash escapes. */
function isEscaped(text: string, offset: number): boolean {
  let before = offset;
  while (text.charAt(before - 1) === '\\') before--;
  return (offset - before) % 2 === 0;
}
