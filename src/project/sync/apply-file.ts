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
import type { Lock, LockSection } from '../state/lock.ts';
import { planFile, type PlannedKey } from '../plan/plan.ts';
import type { Changes, KeyFailure, TermFinding } from '../plan/report.ts';
import { isMissing } from '../plan/coverage.ts';
import { actionFor, isSelected, keptRecords, type Action, type Selection } from '../plan/key-action.ts';
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
  readonly lock: Lock;
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
  const { resource, locale, targetPath, bytes } = survey;
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
    const lines = [...section].flatMap(([key, records]) =>
      records.map((record) => ({ file: resource.source, locale, key, ...record })),
    );
    await context.journal.intend(targetPath, lines);
    const { root } = context.workspace.project;
    await requireLocalizationPath(root, targetPath, resource.source, 'unwritable_output');
    await writeAtomically(path, built.bytes);
  }
  context.lock.replace(resource.source, locale, section);
  const existing = { ...(survey.existing ?? survey.source), document: built.document };
  const plan = planFile({
    source: survey.source.document,
    skeleton: survey.skeleton,
    target: built.document,
    locale,
    records: section,
  });
  return {
    after: { ...survey, existing, bytes: built.bytes, plan },
    ...report(survey, decisions, answer),
    written: changed,
    results: resultsOf(survey, decisions, answer),
  };
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
    if (action === 'reuse' && key.origin) {
      values.set(key.id, key.origin.value);
      remove.push(key.origin.key);
    }
    if (action !== 'translate') continue;
    const outcome = answer(key);
    if (!outcome)
      reasons.set(key.id, { text: 'the file changed during the run: the next one translates it' });
    else if (!('failure' in outcome)) values.set(key.id, outcome.value);
    else if (outcome.kind === 'stopped') undone.add(key.id);
    else reasons.set(key.id, { text: outcome.failure, code: outcome.error?.code });
  }
  const extra = selection.prune
    ? plan.extra.map(({ key }) => key).filter((key) => isSelected(key.join('.'), selection))
    : [];
  return { actions, values, reasons, undone, remove: [...remove, ...extra], pruned: extra.length };
}

function build(survey: Survey, { values, reasons, remove }: Decisions): Target {
  const { source, skeleton, existing, locale, resource } = survey;
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
  const { plan, existing, resource, locale } = survey;
  const records = context.lock.section(resource.source, locale);
  const standing = valuesOf(built.document);
  const there = plan.leftover.size > 0 ? new Set(lockKeys(built.document)) : new Set<LockKey>();
  const section: LockSection = new Map([...plan.leftover].filter(([key]) => there.has(key)));
  for (const key of plan.keys) {
    const value = standing.get(key.id);
    if (key.blank || value === undefined || value === '') continue;
    const output = fingerprint(value);
    const action = decisions.actions.get(key.id);
    if (decisions.values.has(key.id)) {
      const mark = action === 'reuse' ? key.origin?.record.mark : undefined;
      const from = mark === undefined ? key.sourceHash : (key.origin?.record.source ?? key.sourceHash);
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
  const { plan, resource, source } = survey;
  const positionOf = positionsIn(source.document.text);
  const failures = plan.keys
    .filter((key) => decisions.reasons.has(key.id))
    .map((key) => ({
      file: resource.source,
      ...positionOf(key.sourceOffset),
      key: key.key,
      reason: decisions.reasons.get(key.id)?.text ?? '',
      code: decisions.reasons.get(key.id)?.code,
    }));
  const terms = plan.keys.flatMap((key): TermFinding[] => {
    const outcome = decisions.actions.get(key.id) === 'translate' ? answer(key) : undefined;
    if (!outcome || 'failure' in outcome || !decisions.values.has(key.id)) return [];
    const place = { file: resource.source, ...positionOf(key.sourceOffset), key: key.key };
    return (outcome.missingTerms ?? []).map((term) => ({ ...place, ...term }));
  });
  const count = (action: Action): number =>
    plan.keys.filter((key) => decisions.actions.get(key.id) === action && decisions.values.has(key.id))
      .length;
  const translated = count('translate');
  const reused = count('reuse');
  const failed = failures.length;
  const empty = plan.keys.filter((key) => decisions.undone.has(key.id) && isMissing(key)).length;
  const kept = plan.keys.length - translated - reused - failed - empty;
  return { changes: { translated, reused, kept, failed, pruned: decisions.pruned }, failures, terms };
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
    else if (action === 'reuse') results.set(key.id, { action: 'reused', from: key.origin?.key });
    else if (outcome && 'value' in outcome) {
      const { engine, memory, missingTerms } = outcome;
      results.set(key.id, { action: 'translated', engine, memory, missingTerms });
    }
  }
  return results;
}
