import { type FindPluralKeys, type PluralKey, adaptPlural } from '../text/plural-keys.ts';
import type { Document, Key, PluralForm, RetargetOptions, Slot } from './format.ts';

interface Markable {
  readonly key: Key;
  plural?: PluralForm | undefined;
}

/** Marks the slots that are plural forms according to their keys. */
export function markForms(
  slots: readonly Markable[],
  find: FindPluralKeys | undefined,
  locale: string | undefined,
): void {
  const forms = find?.(
    slots.map(({ key }) => key),
    locale,
  );
  for (const [place, entry] of forms ?? []) {
    const slot = slots[place];
    const { group, single, category } = entry;
    if (slot) slot.plural = { group, single, category, entry };
  }
}

/** An entry that is renamed or copied, with its new name. */
interface NamedEntry {
  readonly slot: Slot;
  readonly name: string;
}

/** Changes that adapt the plurals of a document to another language. */
export interface FormChanges {
  readonly renamed: readonly NamedEntry[];
  readonly removed: readonly Key[];
  /** Copies in file order; each group is inserted before the form that it copies. */
  readonly added: readonly { readonly model: Slot; readonly names: readonly string[] }[];
}

/** The changes to plurals whose forms are separate entries; undefined if the forms already match the language. */
export function changesOfForms(
  { slots }: Document,
  { locale, role, like }: RetargetOptions,
): FormChanges | undefined {
  // In an existing translation, missing forms are inserted like other missing entries.
  if (role === 'existing') return undefined;
  const groups = new Map<string, Map<number, PluralKey>>();
  for (const [place, { plural }] of slots.entries()) {
    if (!plural?.entry) continue;
    const id = JSON.stringify(plural.group);
    groups.set(id, (groups.get(id) ?? new Map<number, PluralKey>()).set(place, plural.entry));
  }
  if (groups.size === 0) return undefined;
  const standing = like && new Set(like.slots.map(({ key }) => JSON.stringify(key)));
  const changes = {
    renamed: [] as NamedEntry[],
    removed: [] as Key[],
    added: [] as FormChanges['added'][number][],
  };
  for (const forms of groups.values()) {
    const [first = 0] = forms.keys();
    const parent = slots[first]?.key.slice(0, -1) ?? [];
    const has = (name: string): boolean => standing?.has(JSON.stringify([...parent, name])) ?? true;
    const { renamed, removed, added } = adaptPlural(forms, locale, has);
    for (const [place, name] of renamed) {
      const slot = slots[place];
      if (slot && slot.key.at(-1) !== name) changes.renamed.push({ slot, name });
    }
    for (const place of removed) changes.removed.push(slots[place]?.key ?? []);
    const model = slots[added[0]?.model ?? -1];
    if (model) changes.added.push({ model, names: added.map(({ name }) => name) });
  }
  const { renamed, removed, added } = changes;
  return renamed.length + removed.length + added.length === 0 ? undefined : changes;
}

/** Replaces the ending of an encoded entry name, if the ending is plain text. */
export function renameRaw(raw: string, from: string, to: string): string | undefined {
  let kept = 0;
  while (kept < from.length && from[kept] === to[kept]) kept++;
  const end = from.slice(kept);
  const quote = /^["'`]/.exec(raw)?.[0] ?? '';
  const body = quote === '' ? raw : raw.slice(0, -1);
  return body.endsWith(end) ? body.slice(0, body.length - end.length) + to.slice(kept) + quote : undefined;
}
