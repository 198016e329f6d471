import { countCodePoints } from '../../base/code-points.ts';
import { type Position, positionsIn } from '../../base/span.ts';
import { slotFinder, type SlotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import { TRANSLATION_STATES, type Slot } from '../../formats/format.ts';
import { knownText } from '../../formats/registry.ts';
import { findFramework } from '../../frameworks/registry.ts';
import { reviewPage } from '../../text/review/page.ts';
import { HARMLESS } from '../../text/review/remark.ts';
import { verify } from '../../text/verify.ts';
import { actionFor, isSelected, keysToConsider, type Selection } from './key-action.ts';
import { isOwnMark } from '../state/lock-line.ts';
import { countTexts, REVIEW_REASONS } from '../state/text-counts.ts';
import type { PlannedKey } from './plan.ts';
import { pluralsWithoutRareForms } from './rare-forms.ts';
import type { Coverage, Drift, DriftKind } from './report.ts';
import { countEntries, KEY_STATUSES, keyStatusOf } from './key-status.ts';
import type { Survey } from './survey.ts';
import { textReviewer } from './text-review.ts';
import { type TextState, textStateOf } from './text-state.ts';

/**
 * Measures the state of a target's entries.
 *
 * @param texts this language's texts that have been counted so far, because each is translated once. This file's texts
 * are added.
 */
export function measureCoverage(survey: Survey, selection: Selection, texts: Set<string>): Coverage {
  const { plan, resource } = survey;
  let characters = 0;
  for (const key of keysToConsider(plan, selection)) {
    if (actionFor(key, selection) !== 'translate' || texts.has(key.text)) continue;
    texts.add(key.text);
    characters += countCodePoints(key.text);
  }
  // Empty source values are not texts, even with a translation.
  const keysWithText = plan.examined.filter(({ blank }) => !blank);
  const intact = plan.wanted.length - plan.examined.length;
  const countOf = countEntries(keysWithText, KEY_STATUSES, keyStatusOf);
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
    intact + countOf('translated') + standing.stale + standing.outdated + standing.edited + standing.unknown;
  const extra = new Set(plan.extra.map(({ entry }) => entry)).size;
  const { reviewMark } = resource.format;
  // Unchanged values that dragoman wrote have been verified; unused values do no harm.
  const isKnown = ({ state, record, review: isMarked }: PlannedKey): boolean =>
    (state === 'current' && record !== undefined && isOwnMark(record.mark)) ||
    (isMarked && reviewMark?.isHidden === true);
  const faultsOf = faultFinder(survey);
  const invalid = new Set<string>();
  const states: TextState[] = [];
  for (const key of plan.examined) {
    const isFaulty = !isKnown(key) && faultsOf(key).length > 0;
    if (isFaulty) invalid.add(key.entry);
    if (!key.blank) states.push(textStateOf(key, isFaulty));
  }
  const inState = countEntries(keysWithText, TRANSLATION_STATES, (_, i) => states[i]?.state ?? 'initial');
  const reasons = [...REVIEW_REASONS, 'none'] as const;
  const flagged = countEntries(keysWithText, reasons, (_, i) => states[i]?.needsReview ?? 'none');
  const keys = translated + missing + review + unmatched;
  const failed = countOf('pending');
  return {
    keys,
    translated,
    missing,
    review,
    unmatched,
    ...standing,
    extra,
    invalid: invalid.size,
    failed,
    characters,
    ...countTexts(
      (state) => inState(state) + (state === 'translated' ? intact : 0),
      (reason) => flagged(reason) + (reason === 'machine' ? intact : 0),
    ),
  };
}

/**
 * Finds faults in the translation of a key, as lint reports them: a person may write text that verification would
 * reject from an engine. Reviews only texts that fail verification, or that programs display differently.
 */
export function faultFinder(survey: Survey): (key: PlannedKey) => readonly string[] {
  const remarksOf = remarkFinder(survey);
  return (key) => remarksOf(key).flatMap(({ detail, isFault }) => (isFault ? detail : []));
}

interface FoundRemark {
  readonly detail: string;
  /** Whether the translation is invalid. Otherwise, the remark is just information. */
  readonly isFault: boolean;
}

/** Like {@link faultFinder}, but also returns remarks that are just information. */
export function remarkFinder({
  existing,
  resource,
  source,
  locale,
}: Survey): (key: PlannedKey) => readonly FoundRemark[] {
  const { isProse = false } = source.format;
  let find: SlotFinder | undefined;
  let review: ReturnType<typeof textReviewer> | undefined;
  return ({ id, text, forms, value, syntax, rule, blank }) => {
    if (blank || !existing || value === undefined || value === '') return [];
    const { document, format } = existing;
    const index = (find ??= slotFinder(document))(id) ?? -1;
    const slot = document.slots[index];
    const isWhole = slot?.resolved === undefined || slot.resolved === value;
    if (isWhole && verify(forms ?? text, value, { syntax, locale, rule }).length === 0) return [];
    if (isProse) return reviewPage(forms ?? [text], value).map(({ detail }) => ({ detail, isFault: true }));
    const { framework, messages, source: name } = resource;
    const file = { document, format, name, locale, framework: findFramework(framework), messages };
    review ??= textReviewer(file, source.document);
    const remarks = slot ? review(slot, index) : [];
    return remarks.map(({ rule, detail }) => ({ detail, isFault: !HARMLESS.has(rule) }));
  };
}

function driftOf(key: PlannedKey): DriftKind | undefined {
  const { occupiedAt, state, record } = key;
  const status = keyStatusOf(key);
  if (occupiedAt !== undefined) return 'no-text';
  if (status === 'pending' || status === 'missing') return 'missing';
  if (status === 'stale') return 'stale';
  if (state === 'outdated') return 'outdated';
  // Our own marks are counted, but not listed on every run.
  const isOurs = state === 'current' && record !== undefined && isOwnMark(record.mark);
  return status === 'review' && !isOurs ? 'review' : undefined;
}

/** The keys of a file that need work according to the plan. Plural forms are listed once. */
export function listDrift(survey: Survey, selection: Selection): readonly Drift[] {
  const { plan, sourcePath, source, existing, targetPath, isFollowed } = survey;
  const drift: Drift[] = [];
  const listed = new Set<string>();
  let find: SlotFinder | undefined;
  const slotInTarget = (id: SlotId): Slot | undefined => {
    // A restructured document has not been written yet.
    if (isFollowed || !existing) return undefined;
    return existing.document.slots[(find ??= slotFinder(existing.document))(id) ?? -1];
  };
  const named = (text: string | undefined): { readonly text?: string } => knownText(source.format, text);
  const inSource = positionsIn(source.document.text);
  let positions: ReturnType<typeof positionsIn> | undefined;
  // A file that was just written is scanned only if needed.
  const inTarget = (offset: number): Position =>
    (positions ??= positionsIn(existing?.document.text ?? ''))(offset);
  // A draft is listed until its mark is removed, even if its record is up to date.
  for (const key of plan.examined.some(({ review }) => review) ? plan.examined : plan.open) {
    const kind = driftOf(key);
    if (!kind) continue;
    const id = `${kind} ${key.entry}`;
    if (listed.has(id) || !isSelected(key.key, selection)) continue;
    listed.add(id);
    const offset = key.occupiedAt ?? slotInTarget(key.id)?.span.start;
    if (offset !== undefined) {
      drift.push({ kind, key: key.key, ...named(key.text), file: targetPath, ...inTarget(offset) });
      continue;
    }
    drift.push({ kind, key: key.key, ...named(key.text), file: sourcePath, ...inSource(key.sourceOffset) });
  }
  let slotAt: ReadonlyMap<number, Slot> | undefined;
  for (const { key, entry, offset } of plan.extra) {
    if (listed.has(`extra ${entry}`) || !isSelected(key, selection)) continue;
    listed.add(`extra ${entry}`);
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
    const place = { file: targetPath, ...inTarget(span.start) };
    drift.push({ kind: 'rare-form', key, ...named(text ?? value), ...place });
  }
  return drift;
}
