import { countCodePoints } from '../../base/code-points.ts';
import { positionsIn } from '../../base/span.ts';
import { slotFinder, type SlotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import { countStates, type Slot, TRANSLATION_STATES } from '../../formats/format.ts';
import { describeFormat, knownText } from '../../formats/registry.ts';
import { findFramework } from '../../frameworks/registry.ts';
import { reviewPage } from '../../text/review/page.ts';
import { INFORMATION } from '../../text/review/remark.ts';
import { verify } from '../../text/verify.ts';
import { actionFor, isSelected, keysToSee, type Selection } from './key-action.ts';
import { isOwnMark } from '../state/lock-line.ts';
import type { KeyState } from './key-state.ts';
import type { PlannedKey } from './plan.ts';
import { pluralsWithoutRareForms } from './rare-forms.ts';
import type { Coverage, Drift, DriftKind } from './report.ts';
import type { Survey } from './survey.ts';
import { textReviewer } from './text-review.ts';

/**
 * The standings of a target's key. Those without a translation come first, because they decide the standing of the
 * entry.
 */
const STANDINGS = [
  'missing',
  'pending',
  'unmatched',
  'stale',
  'review',
  'outdated',
  'edited',
  'unknown',
  'translated',
] as const;

export type KeyStanding = (typeof STANDINGS)[number] | 'extra';

const STANDING_OF: Readonly<Record<Exclude<KeyState, 'current'>, (typeof STANDINGS)[number]>> = {
  missing: 'missing',
  renamed: 'missing',
  pending: 'pending',
  stale: 'stale',
  outdated: 'outdated',
  edited: 'edited',
  unknown: 'unknown',
  unmatched: 'unmatched',
  'no-text': 'unknown',
};

export function standingOf({ state, record, review }: PlannedKey): (typeof STANDINGS)[number] {
  // What is translated again, or moves here, is not to be looked at before.
  if (review && state !== 'stale' && state !== 'pending' && state !== 'renamed') return 'review';
  if (state !== 'current') return STANDING_OF[state];
  if (record?.mark === 'human') return 'edited';
  return isOwnMark(record?.mark) ? 'translated' : 'unknown';
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
export function measureCoverage(survey: Survey, selection: Selection, texts: Set<string>): Coverage {
  const { plan, expected, resource } = survey;
  let characters = 0;
  for (const key of keysToSee(plan, selection)) {
    if (actionFor(key, selection) !== 'translate' || texts.has(key.text)) continue;
    texts.add(key.text);
    characters += countCodePoints(key.text);
  }
  // What the source leaves empty is no text of it, whatever stands in the target.
  const keysWithText = plan.keys.filter(({ blank }) => !blank);
  const countOf = countEntries(keysWithText, STANDINGS, standingOf);
  const standing = {
    stale: countOf('stale'),
    outdated: countOf('outdated'),
    edited: countOf('edited'),
    unknown: countOf('unknown'),
  };
  const unmatched = countOf('unmatched');
  const missing = countOf('missing') + countOf('pending');
  const review = countOf('review');
  const translated =
    countOf('translated') + standing.stale + standing.outdated + standing.edited + standing.unknown;
  const extra = new Set(plan.extra.map(({ entry }) => entry)).size;
  const { reviewMark } = describeFormat(resource.format);
  // What stands as dragoman wrote it was verified then, and what programs do not show harms nobody.
  const isKnown = ({ state, record, review: isMarked }: PlannedKey): boolean =>
    (state === 'current' && record !== undefined && isOwnMark(record.mark)) ||
    (isMarked && reviewMark?.isHidden === true);
  const faultsOf = faultFinder(survey);
  const invalid = new Set(
    plan.keys.flatMap((key) => (!isKnown(key) && faultsOf(key).length > 0 ? [key.entry] : [])),
  ).size;
  const keys = translated + missing + review + unmatched;
  const inState = expected.haveStates
    ? countEntries(keysWithText, TRANSLATION_STATES, ({ translationState = 'initial' }) => translationState)
    : undefined;
  const states = inState && { states: countStates(inState) };
  const failed = countOf('pending');
  return {
    keys,
    translated,
    missing,
    review,
    unmatched,
    ...standing,
    extra,
    invalid,
    failed,
    characters,
    ...states,
  };
}

/**
 * Finds what is wrong with the translation of a key, as lint would say it: a person may write what verification refuses
 * of an engine. Only texts that fail verification are reviewed, and those that programs show in another way than they stand.
 */
export function faultFinder({
  existing,
  resource,
  source,
  locale,
}: Survey): (key: PlannedKey) => readonly string[] {
  const { isProse = false } = describeFormat(source.format.id);
  let find: SlotFinder | undefined;
  let review: ReturnType<typeof textReviewer> | undefined;
  return ({ id, text, forms, value, syntax, rule, blank }) => {
    if (blank || !existing || value === undefined || value === '') return [];
    const { document, format } = existing;
    const index = (find ??= slotFinder(document))(id) ?? -1;
    const slot = document.slots[index];
    const isWhole = slot?.resolved === undefined || slot.resolved === value;
    if (isWhole && verify(forms ?? text, value, { syntax, locale, rule }).length === 0) return [];
    if (isProse) return reviewPage(forms ?? [text], value).map(({ detail }) => detail);
    const { framework, messages, source: name } = resource;
    const file = { document, format: format.id, name, locale, framework: findFramework(framework), messages };
    review ??= textReviewer(file, source.document);
    const remarks = slot ? review(slot, index) : [];
    return remarks.flatMap(({ rule, detail }) => (INFORMATION.has(rule) ? [] : detail));
  };
}

function driftOf(key: PlannedKey): DriftKind | undefined {
  const { occupiedAt, state, record } = key;
  const standing = standingOf(key);
  if (occupiedAt !== undefined) return 'no-text';
  if (standing === 'pending' || standing === 'missing') return 'missing';
  if (standing === 'stale') return 'stale';
  if (state === 'outdated') return 'outdated';
  // What dragoman marked is counted, and not listed at every run.
  const isOurs = state === 'current' && record !== undefined && isOwnMark(record.mark);
  return standing === 'review' && !isOurs ? 'review' : undefined;
}

/** The keys of a file that are not as they should be, as the plan finds them. Forms of a plural are listed once. */
export function listDrift(survey: Survey, selection: Selection): readonly Drift[] {
  const { plan, sourcePath, source, existing, targetPath, isFollowed } = survey;
  const drift: Drift[] = [];
  const listed = new Set<string>();
  let find: SlotFinder | undefined;
  const slotInTarget = (id: SlotId): Slot | undefined => {
    // What was brought into the structure of its source does not stand there yet.
    if (isFollowed || !existing) return undefined;
    return existing.document.slots[(find ??= slotFinder(existing.document))(id) ?? -1];
  };
  const named = (text: string | undefined): { readonly text?: string } => knownText(source.format.id, text);
  let inSource: ReturnType<typeof positionsIn> | undefined;
  let inTarget: ReturnType<typeof positionsIn> | undefined;
  // A draft may be settled, and is named until its mark is gone.
  for (const key of plan.keys.some(({ review }) => review) ? plan.keys : plan.open) {
    const kind = driftOf(key);
    if (!kind) continue;
    const id = `${kind} ${key.entry}`;
    if (listed.has(id) || !isSelected(key.key, selection)) continue;
    listed.add(id);
    const offset = key.occupiedAt ?? slotInTarget(key.id)?.span.start;
    if (offset !== undefined) {
      inTarget ??= positionsIn(existing?.document.text ?? '');
      drift.push({ kind, key: key.key, ...named(key.text), file: targetPath, ...inTarget(offset) });
      continue;
    }
    inSource ??= positionsIn(source.document.text);
    drift.push({ kind, key: key.key, ...named(key.text), file: sourcePath, ...inSource(key.sourceOffset) });
  }
  let slotAt: ReadonlyMap<number, Slot> | undefined;
  for (const { key, entry, offset } of plan.extra) {
    if (listed.has(`extra ${entry}`) || !isSelected(key, selection)) continue;
    listed.add(`extra ${entry}`);
    inTarget ??= positionsIn(existing?.document.text ?? '');
    slotAt ??= new Map(existing?.document.slots.map((one) => [one.span.start, one]));
    const slot = slotAt.get(offset);
    drift.push({
      kind: 'extra',
      key,
      ...named(slot && (slot.source ?? slot.value)),
      file: targetPath,
      ...inTarget(offset),
    });
  }
  for (const { key, source: text, value, span } of pluralsWithoutRareForms(survey)) {
    if (!isSelected(key, selection)) continue;
    inTarget ??= positionsIn(existing?.document.text ?? '');
    const place = { file: targetPath, ...inTarget(span.start) };
    drift.push({ kind: 'rare-form', key, ...named(text ?? value), ...place });
  }
  return drift;
}
