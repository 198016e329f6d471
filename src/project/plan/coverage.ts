import { countCodePoints } from '../../base/code-points.ts';
import { positionsIn } from '../../base/span.ts';
import { keyId, slotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import { countStates, type Slot, TRANSLATION_STATES } from '../../formats/format.ts';
import { rareCategories } from '../../text/plural-keys.ts';
import { verify } from '../../text/verify.ts';
import { actionFor, isSelected, keysToSee, type Selection } from './key-action.ts';
import type { KeyState } from './key-state.ts';
import type { PlannedKey } from './plan.ts';
import type { Coverage, Drift } from './report.ts';
import type { Survey } from './survey.ts';

/**
 * The standings of a target's key. Those without a translation come first, because they decide the standing of the
 * entry.
 */
const STANDINGS = ['missing', 'pending', 'stale', 'outdated', 'edited', 'unknown', 'translated'] as const;

export type KeyStanding = (typeof STANDINGS)[number] | 'extra';

const STANDING_OF: Readonly<Record<Exclude<KeyState, 'current'>, (typeof STANDINGS)[number]>> = {
  missing: 'missing',
  renamed: 'missing',
  pending: 'pending',
  stale: 'stale',
  outdated: 'outdated',
  edited: 'edited',
  unknown: 'unknown',
  'no-text': 'unknown',
};

export function standingOf({ state, record }: PlannedKey): (typeof STANDINGS)[number] {
  if (state !== 'current') return STANDING_OF[state];
  if (record?.mark === 'human') return 'edited';
  return record?.mark === undefined ? 'translated' : 'unknown';
}

/** Whether the target has no translation of the key. */
export function isMissing(key: PlannedKey): boolean {
  const standing = standingOf(key);
  return standing === 'missing' || standing === 'pending';
}

/**
 * Counts entries: the forms of a plural are one, which counts as the form whose kind comes first.
 *
 * @param kinds all that `kindOf` may give
 */
export function countEntries<Kind extends string>(
  keys: readonly PlannedKey[],
  kinds: readonly Kind[],
  kindOf: (key: PlannedKey) => Kind,
): (kind: Kind) => number {
  const places = new Map(kinds.map((kind, place) => [kind, place]));
  const counts = kinds.map(() => 0);
  const add = (place: number): void => void (counts[place] = (counts[place] ?? 0) + 1);
  const plurals = new Map<string, number>();
  for (const key of keys) {
    const place = places.get(kindOf(key)) ?? -1;
    if (key.category === undefined) add(place);
    else plurals.set(key.entry, Math.min(place, plurals.get(key.entry) ?? place));
  }
  for (const place of plurals.values()) add(place);
  return (kind) => counts[places.get(kind) ?? -1] ?? 0;
}

/**
 * Measures how the entries of a target stand.
 *
 * @param texts the texts of this language counted so far: each is translated once. Those of this file are added.
 */
export function measureCoverage(
  { plan, expected, locale }: Survey,
  selection: Selection,
  texts: Set<string>,
): Coverage {
  let characters = 0;
  for (const key of keysToSee(plan, selection)) {
    if (actionFor(key, selection) !== 'translate' || texts.has(key.text)) continue;
    texts.add(key.text);
    characters += countCodePoints(key.text);
  }
  const countOf = countEntries(plan.keys, STANDINGS, standingOf);
  const standing = {
    stale: countOf('stale'),
    outdated: countOf('outdated'),
    edited: countOf('edited'),
    unknown: countOf('unknown'),
  };
  const missing = countOf('missing') + countOf('pending');
  const translated =
    countOf('translated') + standing.stale + standing.outdated + standing.edited + standing.unknown;
  const extra = new Set(plan.extra.map(({ entry }) => entry)).size;
  // What stands as dragoman wrote it was verified then.
  const isKnown = ({ state, record }: PlannedKey): boolean =>
    state === 'current' && record !== undefined && record.mark === undefined;
  const invalid = new Set(
    plan.keys.flatMap((key) => (!isKnown(key) && faultsOf(key, locale).length > 0 ? [key.entry] : [])),
  ).size;
  const keys = translated + missing;
  const inState = expected.haveStates
    ? countEntries(plan.keys, TRANSLATION_STATES, ({ translationState = 'initial' }) => translationState)
    : undefined;
  const states = inState && { states: countStates(inState) };
  const failed = countOf('pending');
  return { keys, translated, missing, ...standing, extra, invalid, failed, characters, ...states };
}

/** Why the translation of a key fails verification. */
export function faultsOf(
  { text, forms, value, syntax, blank }: PlannedKey,
  locale: string,
): readonly string[] {
  if (blank || value === undefined || value === '') return [];
  return verify(forms ?? text, value, { syntax, locale }).map(({ detail }) => detail);
}

/** Plurals of entries that lack forms which ordinary whole numbers do not select, by their last form. */
function withoutRareForms({ existing, expected, locale }: Survey): readonly Slot[] {
  // The document may not be read yet, and most files have no plurals.
  if (expected.keys.every(({ category }) => category === undefined)) return [];
  const plurals = new Map<string, { readonly last: Slot; readonly categories: readonly string[] }>();
  for (const slot of existing?.document.slots ?? []) {
    const { entry, includesText = false, category, group } = slot.plural ?? {};
    if (category === undefined || (!entry && !includesText)) continue;
    const id = keyId(group ?? slot.key);
    const { categories = [] } = plurals.get(id) ?? {};
    plurals.set(id, { last: slot, categories: [...categories, category] });
  }
  const entries = new Set(expected.keys.map(({ entry }) => entry));
  return [...plurals].flatMap(([id, { last, categories }]) => {
    const rare = rareCategories(last.plural?.entry, locale);
    const isWhole = categories.length < 2 || rare.every((category) => categories.includes(category));
    return isWhole || !entries.has(id) ? [] : last;
  });
}

/** The keys of a file that are not as they should be, as the plan finds them. Forms of a plural are listed once. */
export function listDrift(survey: Survey, selection: Selection): readonly Drift[] {
  const { plan, sourcePath, source, existing, targetPath, resource } = survey;
  const drift: Drift[] = [];
  const listed = new Set<string>();
  // What a catalogue has without a translation is shown there.
  const find = resource.catalogues && existing && slotFinder(existing.document);
  const slotInTarget = (id: SlotId): Slot | undefined => existing?.document.slots[find?.(id) ?? -1];
  let inSource: ReturnType<typeof positionsIn> | undefined;
  let inTarget: ReturnType<typeof positionsIn> | undefined;
  for (const key of plan.open) {
    const standing = standingOf(key);
    const kind = key.occupiedAt !== undefined ? 'no-text' : standing === 'pending' ? 'missing' : standing;
    if (kind !== 'missing' && kind !== 'stale' && kind !== 'outdated' && kind !== 'no-text') continue;
    const id = `${kind} ${key.entry}`;
    if (listed.has(id) || !isSelected(key.key, selection)) continue;
    listed.add(id);
    const offset = key.occupiedAt ?? slotInTarget(key.id)?.span.start;
    if (offset !== undefined) {
      inTarget ??= positionsIn(existing?.document.text ?? '');
      drift.push({ kind, key: key.key, file: targetPath, ...inTarget(offset) });
      continue;
    }
    inSource ??= positionsIn(source.document.text);
    drift.push({ kind, key: key.key, file: sourcePath, ...inSource(key.sourceOffset) });
  }
  for (const { key, entry, offset } of plan.extra) {
    if (listed.has(`extra ${entry}`) || !isSelected(key, selection)) continue;
    listed.add(`extra ${entry}`);
    inTarget ??= positionsIn(existing?.document.text ?? '');
    drift.push({ kind: 'extra', key, file: targetPath, ...inTarget(offset) });
  }
  for (const { key, span } of withoutRareForms(survey)) {
    if (!isSelected(key, selection)) continue;
    inTarget ??= positionsIn(existing?.document.text ?? '');
    drift.push({ kind: 'rare-form', key, file: targetPath, ...inTarget(span.start) });
  }
  return drift;
}
