import { DragomanError } from '../base/errors.ts';
import type { Document } from '../formats/format.ts';
import { keyId, slotIds, type SlotId } from './pairing.ts';
import { buildTarget, type Target, type TargetInput } from './target.ts';

/**
 * Makes the target's file as `buildTarget` does, and leaves no plural translated in part where that shows: the values
 * that are left out for it are among the rejected ones.
 *
 * @throws DragomanError `integrity` when a rendering does not read back: nothing may be written then.
 */
export function buildWholePlurals(input: TargetInput): Target {
  const { skeleton, existing } = input;
  const built = buildTarget(input);
  const isWritten = (id: SlotId): boolean => input.values.has(id) && !built.rejected.has(id);
  const halves = new Set(findHalfPlurals(skeleton, existing?.document, isWritten));
  if (halves.size === 0) return built;
  const values = new Map([...input.values].filter(([id]) => isWritten(id) && !halves.has(id)));
  const whole = buildTarget({ ...input, values });
  const rejected = new Map([...built.rejected, ...whole.rejected]);
  for (const id of halves)
    rejected.set(id, new DragomanError('integrity', 'another form of the plural has no translation'));
  return {
    get document() {
      return whole.document;
    },
    bytes: whole.bytes,
    rejected,
  };
}

/**
 * Values of plurals that would be translated in part where the format leaves an untranslated form empty (PO): gettext
 * takes a message with its first form for translated and shows nothing for the others, and an entry that is fuzzy loses
 * the flag with the first new form, so that its guesses pass for translations. Such a plural is written as a whole.
 */
function findHalfPlurals(
  skeleton: Document,
  existing: Document | undefined,
  isWritten: (id: SlotId) => boolean,
): readonly SlotId[] {
  const groups = new Map<string, SlotId[]>();
  const ids = slotIds(skeleton);
  for (const [i, { key, plural, value }] of skeleton.slots.entries()) {
    if (!plural || value !== '') continue;
    const id = ids[i] ?? '';
    // Duplicates of a message are plurals of their own.
    const group = `${keyId(plural.group)}${id.slice(keyId(key).length)}`;
    const forms = groups.get(group);
    if (forms) forms.push(id);
    else groups.set(group, [id]);
  }
  if (groups.size === 0) return [];
  const standing = existing ? translatedIn(existing) : new Set<SlotId>();
  return [...groups.values()].flatMap((forms) => {
    const whole = forms.every(isWritten) || forms.some((id) => standing.has(id));
    return whole ? [] : forms.filter(isWritten);
  });
}

function translatedIn(document: Document): ReadonlySet<SlotId> {
  const ids = slotIds(document);
  return new Set(
    document.slots.flatMap(({ value, provisional }, i) =>
      value !== '' && !provisional ? [ids[i] ?? ''] : [],
    ),
  );
}
