import type { Document, Entry } from '../../formats/format.ts';
import { DragomanError } from '../../base/errors.ts';
import type { OpenFile } from './open-file.ts';
import { keyId, slotIds, type SlotId } from './pairing.ts';

/**
 * Slots of entries that the target does not have and that its file's encoding cannot hold: because of their keys,
 * comments or attributes, for a value can be refused by itself.
 */
export function findUnencodable(
  skeleton: Document,
  target: Document,
  encodable: (text: string) => boolean,
): ReadonlySet<SlotId> {
  const ids = slotIds(skeleton);
  const found = new Set<SlotId>();
  let next = 0;
  for (const { span } of missingEntries(skeleton.entries, target.entries)) {
    while ((skeleton.slots[next]?.span.start ?? Infinity) < span.start) next++;
    const inside: SlotId[] = [];
    let at = span.start;
    let fits = true;
    for (; ; next++) {
      const slot = skeleton.slots[next];
      const end = slot && slot.span.start < span.end ? slot.span.start : span.end;
      fits &&= encodable(skeleton.text.slice(at, end));
      if (!slot || end === span.end) break;
      inside.push(ids[next] ?? '');
      at = slot.span.end;
    }
    if (!fits) for (const id of inside) found.add(id);
  }
  return found;
}

/** The topmost entries without a twin, in file order. */
function missingEntries(skeleton: readonly Entry[], target: readonly Entry[]): readonly Entry[] {
  const twins = new Map(target.map((entry) => [keyId(entry.key), entry]));
  return skeleton.flatMap((entry) => {
    const twin = twins.get(keyId(entry.key));
    if (!twin) return [entry];
    return entry.children && twin.children ? missingEntries(entry.children, twin.children) : [];
  });
}

export function unencodableEntry(file: OpenFile): DragomanError {
  return new DragomanError(
    'unencodable_value',
    `the file is in ${file.encoding.charset}, which cannot hold the entry's key or comments`,
    { hint: wayOut(file) },
  );
}

function wayOut({ format }: OpenFile): string {
  return format.toUtf8 ? 'Convert the file with --to-utf8.' : 'Convert the file to UTF-8.';
}

/**
 * The bytes of a text in the file's encoding.
 *
 * @throws DragomanError `unencodable_value` when they would not read back as the same text
 */
export function encodeAs(file: OpenFile, text: string): Uint8Array {
  const encodable = file.scanOptions.encodable ?? (() => true);
  // A file that holds broken characters, as UTF-16 can, keeps them.
  if (!encodable(text) && encodable(file.document.text)) {
    throw new DragomanError(
      'unencodable_value',
      `the file is in ${file.encoding.charset}, which cannot hold what is put into it`,
      { hint: wayOut(file), at: { line: 1, column: 1, file: file.path } },
    );
  }
  return file.encode(text);
}
