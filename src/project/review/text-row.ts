import { digestOf } from '../../base/digest.ts';
import { positionsIn } from '../../base/span.ts';
import { slotFinder, type SlotFinder } from '../../documents/localization/pairing.ts';
import { type Key, type PluralForm, type Slot, TRANSLATION_STATES } from '../../formats/format.ts';
import { knownText } from '../../formats/registry.ts';
import { limitOf } from '../../text/length-limit.ts';
import { exampleNumbers } from '../../text/plural.ts';
import { remarkFinder } from '../plan/coverage.ts';
import type { PlannedKey } from '../plan/plan.ts';
import { writerOf } from '../plan/provenance.ts';
import { isMissing } from '../plan/key-status.ts';
import type { Survey } from '../plan/survey.ts';
import { textStateOf, type TextState } from '../plan/text-state.ts';
import type { Decision } from '../state/decision.ts';
import { fingerprint, isOwnMark, unescapePath } from '../state/lock-line.ts';
import { REVIEW_REASONS } from '../state/text-counts.ts';
import type { Provenance } from '../state/provenance.ts';
import type { RowFinding, TextForm, TextRow } from './row.ts';

/** The planned keys of a row's forms. */
export interface RowKeys {
  readonly id: string;
  readonly keys: readonly [PlannedKey, ...PlannedKey[]];
}

/** The keys of a file in one language, by row, in the order of the source. Empty source texts have no rows. */
export function rowKeys({ plan, recordedAs, locale }: Survey): readonly RowKeys[] {
  const rows: RowKeys[] = [];
  const plurals = new Map<string, [PlannedKey, ...PlannedKey[]]>();
  for (const key of plan.keys) {
    if (key.blank) continue;
    const forms = key.category === undefined ? undefined : plurals.get(key.entry);
    if (forms) {
      forms.push(key);
      continue;
    }
    const keys: [PlannedKey, ...PlannedKey[]] = [key];
    const isPlural = key.category !== undefined;
    if (isPlural) plurals.set(key.entry, keys);
    const name = isPlural ? `plural\n${key.entry}` : key.lockKey;
    rows.push({ id: digestOf(`${recordedAs}\n${locale}\n${name}`), keys });
  }
  return rows;
}

/** Returns a function that makes rows from the keys of a file in one language. */
export function rowMaker(survey: Survey): (row: RowKeys) => TextRow {
  const { source, existing, expected, resource, locale, sourcePath, skeleton, tags } = survey;
  const { reviewMark } = resource.format;
  const remarksOf = remarkFinder(survey);
  const inSource = positionsIn(source.document.text);
  const inTarget = positionsIn(existing?.document.text ?? '');
  const find = existing && slotFinder(existing.document);
  let inSkeleton: SlotFinder | undefined;
  const slotOf = ({ id }: PlannedKey): Slot | undefined => existing?.document.slots[find?.(id) ?? -1];
  const pluralOf = ({ id }: PlannedKey): PluralForm | undefined =>
    skeleton.slots[(inSkeleton ??= slotFinder(skeleton))(id) ?? -1]?.plural;
  const formOf = (key: PlannedKey): TextForm => {
    const { text, sourceHash, record, forms, syntax, rule, category } = key;
    const value = displayedValue(key, slotOf(key));
    const isSeen = !isMissing(key) && !isVerified(key) && !(key.review && reviewMark?.isHidden === true);
    const findings = isSeen
      ? remarksOf(key).map(({ detail: message, isFault: isError }) => ({ message, isError }))
      : NO_FINDINGS;
    const form = {
      source: text,
      sourceHash,
      ...(record && (key.state === 'stale' || key.state === 'outdated') && { madeOf: record.source }),
      ...(key.state === 'stale' && { isStale: true as const }),
      ...(forms && { accepted: forms }),
      syntax,
      ...(rule && { rule }),
      ...(value !== undefined && { translation: tags?.unlink(value) ?? value }),
      base: value === undefined ? '' : value === key.value ? (key.output ?? '') : fingerprint(value),
      findings,
    };
    if (category === undefined) return form;
    const type = pluralOf(key)?.entry?.type ?? 'cardinal';
    return { category, examples: exampleNumbers(category, locale, type), ...form };
  };
  return ({ id, keys }) => {
    const [first] = keys;
    const forms = keys.map(formOf);
    const slot = slotOf(first);
    const offset = slot?.span.start;
    const { text: name = nameOf((keys.length > 1 && pluralOf(first)?.group) || first.key) } = knownText(
      source.format,
      first.text,
    );
    const { comment } = first;
    const limit = limitOf({ limit: expected.limits.get(first.id), comment });
    const sourceBefore = previousSource(slot, first);
    const provenance = provenanceOf(keys);
    return {
      id,
      file: sourcePath,
      format: source.format.id,
      locale,
      key: first.key,
      name,
      line: (offset === undefined ? inSource(first.sourceOffset) : inTarget(offset)).line,
      ...(comment !== undefined && { comment }),
      forms,
      ...leastFinished(keys, forms),
      ...(sourceBefore !== undefined && { sourceBefore }),
      ...(provenance && { provenance }),
      ...(limit && { limit }),
      ...(forms.every(({ source, translation }) => source === translation) && { isUnchanged: true }),
    };
  };
}

const NO_FINDINGS: readonly RowFinding[] = [];

/** The file's translation; undefined for a copy of the source that still needs an engine. */
export function displayedValue(key: PlannedKey, slot: Slot | undefined): string | undefined {
  if (key.state === 'pending') return undefined;
  return key.value ?? (slot?.value === '' ? undefined : slot?.value);
}

/** Unchanged values that dragoman wrote have been verified. */
function isVerified({ state, record }: PlannedKey): boolean {
  return state === 'current' && record !== undefined && isOwnMark(record.mark);
}

/** The least finished state of several forms, and the first reason for a review. */
function leastFinished(keys: readonly PlannedKey[], forms: readonly TextForm[]): TextState {
  const states = keys.map((key, i) =>
    textStateOf(key, forms[i]?.findings.some(({ isError }) => isError) === true),
  );
  const [first, ...others] = states;
  if (!first || others.length === 0) return definedOf(first ?? { state: 'initial' });
  const rank = ({ state }: TextState): number => TRANSLATION_STATES.indexOf(state);
  const urgency = ({ needsReview }: TextState): number =>
    needsReview === undefined ? REVIEW_REASONS.length : REVIEW_REASONS.indexOf(needsReview);
  const least = states.reduce((a, b) => (rank(b) < rank(a) ? b : a));
  const flagged = states.reduce((a, b) => (urgency(b) < urgency(a) ? b : a));
  const decision = states.find((state) => state.decision)?.decision;
  return definedOf({ state: least.state, needsReview: flagged.needsReview, decision });
}

function definedOf({ state, needsReview, decision }: TextState): TextState {
  return {
    state,
    ...(needsReview && { needsReview }),
    ...(decision && { decision: shownDecision(decision) }),
  };
}

function shownDecision(decision: Decision): Decision {
  const { note } = decision;
  return note === undefined ? decision : { ...decision, note: unescapePath(note) };
}

/** PO files contain the source from which a tool took a translation. */
function previousSource(slot: Slot | undefined, { text }: PlannedKey): string | undefined {
  const before = slot?.review?.takenFrom?.[1];
  return before === text ? undefined : before;
}

function provenanceOf(keys: readonly PlannedKey[]): Provenance | undefined {
  const writers = keys.flatMap((key) => writerOf(key) ?? []);
  return writers.find(({ by }) => by === 'person') ?? writers[0];
}

/** Omits the marks of plurals, which only keys in memory contain: all forms share one name, without a category. */
function nameOf(key: Key): string {
  return key.filter((one) => one !== '' && !one.startsWith('\0')).join('.');
}
