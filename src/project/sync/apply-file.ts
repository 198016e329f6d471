import { writeAtomically } from '../../base/atomic-file.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { positionsIn } from '../../base/span.ts';
import type { Document, Key } from '../../formats/format.ts';
import { slotIds, type SlotId } from '../../pipeline/pairing.ts';
import type { Target } from '../../pipeline/target.ts';
import type { UnitOutcome } from '../../pipeline/unit.ts';
import { buildWholePlurals } from '../../pipeline/whole-plurals.ts';
import { requireLocalizationPath } from '../discover/localization-path.ts';
import { fingerprint } from '../state/fingerprint.ts';
import type { Journal } from '../state/journal.ts';
import type { KeyResult } from '../plan/key-list.ts';
import { lockKeys, type LockKey } from '../state/lock-key.ts';
import type { LockSection } from '../state/lock.ts';
import { planFile, replanFile, type FilePlan, type PlannedKey } from '../plan/plan.ts';
import type { Changes, KeyFailure, TermFinding } from '../plan/report.ts';
import { isMissing } from '../plan/coverage.ts';
import {
  actionFor,
  keptRecords,
  prunedKeys,
  sameRecords,
  type Action,
  type Selection,
} from '../plan/key-action.ts';
import type { Survey, Workspace } from '../plan/workspace.ts';

export interface Applied {
  /** How the file stands now. */
  readonly after: Survey;
  readonly changes: Changes;
  readonly failures: readonly KeyFailure[];
  readonly terms: readonly TermFinding[];
  readonly written: boolean;
  /** What was done with keys; those that were left as they are have none. */
  readonly results: ReadonlyMap<SlotId, KeyResult>;
}

export interface ApplyContext {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly selection: Selection;
}

/** What the engine said to the text of a key, as it was when it was asked. */
export type Answer = (key: PlannedKey) => UnitOutcome | undefined;

/**
 * Brings a survey's translations into its file, and what is true then into the lock (in memory). Before the file is
 * written, its lock lines are in the journal.
 *
 * @throws DragomanError `unwritable_output`, `integrity`: the file and its part of the lock are as they were.
 */
export async function applyFile(survey: Survey, answer: Answer, context: ApplyContext): Promise<Applied> {
  const { locale, targetPath, recordedAs, bytes } = survey;
  const decisions = decide(survey, answer, context.selection);
  // A new file with nothing but source texts in it would help nobody.
  const left = decisions.reasons.size + decisions.undone.size;
  const pointless = !survey.existing && decisions.values.size === 0 && left > 0;
  if (pointless) {
    const results = resultsOf(survey, decisions, answer);
    return { after: survey, ...report(survey, decisions, answer), written: false, results };
  }
  const built = build(survey, decisions);
  const section = nextSection(survey, decisions, built, context);
  const changed = bytes === undefined || !Buffer.from(bytes).equals(built.bytes);
  if (changed) {
    const path = context.workspace.absolute(targetPath);
    // Those that stay as they are stand in the lock on the disk.
    const lines = [...section].flatMap(([key, records]) =>
      sameRecords(records, survey.records.get(key))
        ? []
        : records.map((record) => ({ file: recordedAs, locale, key, ...record })),
    );
    await context.journal.intend(targetPath, lines);
    const { root } = context.workspace.project;
    await requireLocalizationPath(root, targetPath, survey.sourcePath, 'unwritable_output');
    await writeAtomically(path, built.bytes);
  }
  context.workspace.lock.replace(recordedAs, locale, section);
  const existing = { ...(survey.existing ?? survey.source), document: built.document };
  const { keepEmpty } = context.workspace.project.configuration;
  const plan = planAfter(survey, decisions, { built, section, keepEmpty });
  return {
    after: { ...survey, existing, bytes: built.bytes, records: section, plan },
    ...report(survey, decisions, answer),
    written: changed,
    results: resultsOf(survey, decisions, answer),
  };
}

interface Outcome {
  readonly built: Target;
  readonly section: LockSection;
  readonly keepEmpty: readonly string[] | undefined;
}

function planAfter(survey: Survey, decisions: Decisions, { built, section, keepEmpty }: Outcome): FilePlan {
  const { plan, source, skeleton, locale } = survey;
  if (plan.extra.length + decisions.remove.length === 0)
    return replanFile(plan, built.document, section, new Set(decisions.values.keys()));
  return planFile({
    source: source.document,
    skeleton,
    target: built.document,
    locale,
    records: section,
    keepEmpty,
  });
}

interface Reason {
  readonly text: string;
  readonly code?: ErrorCode | undefined;
}

interface Decisions {
  readonly actions: ReadonlyMap<SlotId, Action>;
  readonly values: Map<SlotId, string>;
  readonly reasons: Map<SlotId, Reason>;
  /** Keys whose turn did not come: no failures, the next run does them. */
  readonly undone: ReadonlySet<SlotId>;
  readonly remove: readonly Key[];
  readonly pruned: number;
}

function decide({ plan, existing }: Survey, answer: Answer, selection: Selection): Decisions {
  const actions = new Map<SlotId, Action>();
  const values = new Map<SlotId, string>();
  const reasons = new Map<SlotId, Reason>();
  const undone = new Set<SlotId>();
  const remove: Key[] = [];
  for (const key of plan.keys) {
    const action = actionFor(key, selection);
    actions.set(key.id, action);
    if (action === 'copy' && existing) values.set(key.id, key.text);
    if (action === 'reuse' && key.previous) {
      values.set(key.id, key.previous.value);
      remove.push(key.previous.key);
    }
    if (action !== 'translate') continue;
    const outcome = answer(key);
    if (!outcome)
      reasons.set(key.id, { text: 'the file changed during the run: the next one translates it' });
    else if (!('failure' in outcome)) values.set(key.id, outcome.value);
    else if (outcome.kind === 'stopped') undone.add(key.id);
    else reasons.set(key.id, { text: outcome.failure, code: outcome.error?.code });
  }
  const extra = prunedKeys(plan, selection);
  const pruned = new Set(extra.map(({ entry }) => entry)).size;
  return { actions, values, reasons, undone, remove: [...remove, ...extra.map(({ key }) => key)], pruned };
}

function build(survey: Survey, { values, reasons, remove }: Decisions): Target {
  const { source, skeleton, existing, bytes, locale, resource } = survey;
  // What is only recorded leaves the file as it is: building it might complete a header.
  if (existing && bytes && values.size + remove.length === 0)
    return { document: existing.document, bytes, rejected: new Map() };
  const built = buildWholePlurals({
    source,
    skeleton,
    existing,
    locale,
    spelling: resource.spelling(locale),
    values,
    remove,
  });
  for (const [id, error] of built.rejected) {
    reasons.set(id, { text: error.message });
    values.delete(id);
  }
  return built;
}

function nextSection(
  survey: Survey,
  decisions: Decisions,
  built: Target,
  context: ApplyContext,
): LockSection {
  const { plan, existing, records } = survey;
  const standing = valuesOf(built.document);
  const there = plan.leftover.size > 0 ? new Set(lockKeys(built.document)) : new Set<LockKey>();
  const section: LockSection = new Map([...plan.leftover].filter(([key]) => there.has(key)));
  for (const key of plan.keys) {
    const value = standing.get(key.id);
    if (key.blank || value === undefined) continue;
    const action = decisions.actions.get(key.id);
    // An empty value that nobody wants is no translation, and has no record.
    if (value === '' && key.value === undefined && action !== 'reuse') continue;
    const output = key.output !== undefined && value === key.value ? key.output : fingerprint(value);
    if (decisions.values.has(key.id)) {
      const mark = action === 'reuse' ? key.previous?.record.mark : undefined;
      const from = mark === undefined ? key.sourceHash : (key.previous?.record.source ?? key.sourceHash);
      section.set(key.lockKey, [{ source: from, output, mark }]);
    } else if (!existing) {
      section.set(key.lockKey, [{ source: key.sourceHash, output, mark: 'pending' }]);
    } else {
      const kept = keptRecords(key, records, context.selection);
      if (kept) section.set(key.lockKey, kept);
    }
  }
  return section;
}

function valuesOf(document: Document): ReadonlyMap<SlotId, string> {
  const ids = slotIds(document);
  return new Map(document.slots.map((slot, i) => [ids[i] ?? '', slot.value]));
}

function report(
  survey: Survey,
  decisions: Decisions,
  answer: Answer,
): Pick<Applied, 'changes' | 'failures' | 'terms'> {
  const { plan, sourcePath, source } = survey;
  const positionOf = positionsIn(source.document.text);
  const placeOf = (key: PlannedKey) => ({ file: sourcePath, ...positionOf(key.sourceOffset), key: key.key });
  const failures = plan.keys.flatMap((key): KeyFailure[] => {
    const reason = decisions.reasons.get(key.id);
    return reason ? [{ ...placeOf(key), reason: reason.text, code: reason.code }] : [];
  });
  const terms = plan.keys.flatMap((key): TermFinding[] => {
    const outcome = decisions.actions.get(key.id) === 'translate' ? answer(key) : undefined;
    if (!outcome || 'failure' in outcome || !decisions.values.has(key.id)) return [];
    return (outcome.missingTerms ?? []).map((term) => ({ ...placeOf(key), ...term }));
  });
  return { changes: countChanges(plan.keys, decisions), failures, terms };
}

type Change = 'failed' | 'translated' | 'reused' | 'kept' | 'missing';

/** Of an entry with several forms, the first one that is true of a form. */
const CHANGES: readonly Change[] = ['failed', 'missing', 'translated', 'reused', 'kept'];

function countChanges(keys: readonly PlannedKey[], decisions: Decisions): Changes {
  const entries = new Map<string, Change>();
  for (const key of keys) {
    const change = changeOf(key, decisions);
    const other = entries.get(key.entry);
    if (!other || CHANGES.indexOf(change) < CHANGES.indexOf(other)) entries.set(key.entry, change);
  }
  const counts = { failed: 0, missing: 0, translated: 0, reused: 0, kept: 0 } satisfies Record<
    Change,
    number
  >;
  for (const change of entries.values()) counts[change]++;
  const { translated, reused, kept, failed } = counts;
  return { translated, reused, kept, failed, pruned: decisions.pruned };
}

function changeOf(key: PlannedKey, { actions, values, reasons, undone }: Decisions): Change {
  if (reasons.has(key.id)) return 'failed';
  const action = actions.get(key.id);
  if (values.has(key.id) && action === 'translate') return 'translated';
  if (values.has(key.id) && action === 'reuse') return 'reused';
  return undone.has(key.id) && isMissing(key) ? 'missing' : 'kept';
}

function resultsOf(
  { plan }: Survey,
  { actions, values, reasons, undone }: Decisions,
  answer: Answer,
): ReadonlyMap<SlotId, KeyResult> {
  const results = new Map<SlotId, KeyResult>();
  for (const key of plan.keys) {
    const action = actions.get(key.id);
    const reason = reasons.get(key.id);
    const outcome = action === 'translate' ? answer(key) : undefined;
    if (reason) results.set(key.id, { action: 'failed', reason: reason.text, code: reason.code });
    else if (undone.has(key.id)) {
      results.set(key.id, {
        action: 'left',
        reason: outcome && 'failure' in outcome ? outcome.failure : undefined,
      });
    } else if (!values.has(key.id)) continue;
    else if (action === 'reuse') results.set(key.id, { action: 'reused', from: key.previous?.key });
    else if (outcome && 'value' in outcome) {
      const { engine, memory, missingTerms } = outcome;
      results.set(key.id, { action: 'translated', engine, memory, missingTerms });
    }
  }
  return results;
}
