import { DragomanError } from '../../base/errors.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { positionsIn } from '../../base/span.ts';
import { writePath } from '../../formats/key-text.ts';
import { knownText, marksVisibly } from '../../formats/registry.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { keyId, slotFinder, type SlotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import type { Target } from '../../documents/localization/target.ts';
import { buildWholePlurals } from '../../documents/localization/whole-plurals.ts';
import { requireLocalizationPath } from '../discover/localization-path.ts';
import {
  fingerprint,
  type LockKey,
  lockKeys,
  type LockMark,
  type LockRecord,
  sameRecords,
} from '../state/lock-line.ts';
import type { Journal } from '../state/journal.ts';
import { languageListOf } from '../../frameworks/registry.ts';
import { extendList } from './language-list.ts';
import { stateDecisions, withdrawLapsed } from './decided-states.ts';
import { decideKeys, type FileDecisions, removedKeys } from './file-decisions.ts';
import type { KeyResult } from '../plan/key-list.ts';
import type { Lock, LockChanges } from '../state/lock.ts';
import { type ExtraKey, keptKeyFailures } from '../plan/extra-keys.ts';
import { planFile, type FilePlan, type PlannedKey } from '../plan/plan.ts';
import type { SourceKey } from '../plan/source-keys.ts';
import { replanFile } from '../plan/replan.ts';
import type { ChangeCounts, KeyFailure, Note, TermFinding } from '../plan/report.ts';
import { countEntries, isMissing } from '../plan/key-status.ts';
import { type KeyAction, keptRecords, type OutcomeOfKey, type Selection } from '../plan/key-action.ts';
import { withoutMissingTexts, splitRecords, structureChanges } from '../plan/structure.ts';
import type { Workspace } from '../plan/workspace.ts';
import type { Survey } from '../plan/survey.ts';

export interface AppliedFile {
  /** The state of the file after the sync. */
  readonly after: Survey;
  readonly changes: ChangeCounts;
  readonly failures: readonly KeyFailure[];
  readonly terms: readonly TermFinding[];
  readonly written: boolean;
  /** Whether the file did not exist before. */
  readonly created?: boolean;
  /** Lists the results of keys. Unchanged keys have none. */
  readonly listResults: () => ReadonlyMap<SlotId, KeyResult>;
  /** The former charset of a file that was converted to UTF-8. */
  readonly convertedFrom?: string | undefined;
  /** The list of languages next to the file to which its language was added. */
  readonly listedIn?: string | undefined;
}

export interface ApplyContext {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly selection: Selection;
  /** See `TargetInput.toUtf8`. */
  readonly toUtf8?: boolean | undefined;
  /** The lock for the new records. Default: the workspace's, which includes the intentions of interrupted runs. */
  readonly lock?: Lock | undefined;
}

/**
 * Writes a survey's translations to its file, and the resulting records to the lock (in memory). Before the file is
 * written, its lock lines are in the journal.
 *
 * @throws DragomanError `unwritable_output`, `integrity`: the file and its part of the lock are unchanged
 */
export async function applyFile(
  survey: Survey,
  answer: OutcomeOfKey,
  context: ApplyContext,
): Promise<AppliedFile> {
  const { locale, recordedAs, bytes } = survey;
  const decisions = decideKeys(survey, answer, context.selection);
  // A new file that only contains source texts would be useless.
  const left = decisions.reasons.size + decisions.undone.size;
  const listResults = (): ReturnType<typeof resultsOf> => resultsOf(decisions, answer);
  if (!survey.existing && decisions.values.size === 0 && left > 0)
    return { after: survey, ...report(survey, decisions, answer), written: false, listResults };
  const { given } = context.selection;
  const unstated = build(survey, decisions, context);
  const { built, restated } = given
    ? stateDecisions(survey, unstated, (id) => (decisions.reasons.has(id) ? undefined : given.get(id)))
    : withdrawLapsed(survey, unstated, decisions.keys, context.selection);
  const { project } = context.workspace;
  const lock = context.lock ?? context.workspace.lock;
  const before = lock.section(recordedAs, locale);
  const isProse = survey.source.format.isProse === true;
  const records = new Map([
    ...changedRecords(survey, decisions, built, { ...context, answer }),
    ...(isProse && !(given && survey.existing)
      ? structureChanges(
          withoutMissingTexts(survey.skeleton, built.document),
          built.document,
          survey.kept ?? new Map(),
          splitRecords(before).structure,
        )
      : []),
  ]);
  const changed = bytes === undefined || !Buffer.from(bytes).equals(built.bytes);
  const listedIn = changed ? await writeTarget(survey, built.bytes, records, context) : undefined;
  lock.update(recordedAs, locale, records);
  // Scanned only if needed, because most files are not used again.
  const existing: OpenFile = {
    ...(survey.existing ?? survey.source),
    get document() {
      return built.document;
    },
  };
  const now = lock.section(recordedAs, locale);
  const recorded = { ...survey, records: isProse ? splitRecords(now).records : now };
  const plan = planAfter(recorded, decisions, built, project.configuration.keepEmpty, restated);
  const notes = [...(survey.notes ?? []), ...lostNotes(survey, decisions)];
  return {
    after: { ...recorded, existing, bytes: built.bytes, isFollowed: false, notes, plan },
    ...report(survey, decisions, answer, built),
    written: changed,
    created: bytes === undefined,
    listResults,
    convertedFrom: built.convertedFrom,
    listedIn,
  };
}

/**
 * Writes a file after adding its lock lines to the journal.
 *
 * @returns the list of languages next to a new file, if the language was added
 */
export async function writeTarget(
  survey: Survey,
  bytes: Uint8Array,
  records: LockChanges,
  { journal, workspace }: Pick<ApplyContext, 'journal' | 'workspace'>,
): Promise<string | undefined> {
  const { existing, locale, recordedAs, resource, sourcePath, targetPath } = survey;
  // Unchanged records are already in the lock on disk.
  const lines = [...records].flatMap(([key, made]) =>
    made.map((record) => ({ file: recordedAs, locale, key, ...record })),
  );
  // An editor may have saved the file since the comparison.
  if ((await workspace.refresh(survey)) !== survey)
    throw new DragomanError('unwritable_output', `${targetPath} was changed by another program just now`, {
      hint: 'Its changes are kept. Run the command again.',
    });
  await journal.intend(targetPath, lines);
  const { root } = workspace.project;
  requireLocalizationPath(root, targetPath, sourcePath);
  await writeAtomically(workspace.absolute(targetPath), bytes);
  workspace.noteWritten(survey, bytes);
  const language = resource.spelling(locale);
  const list = existing ? undefined : languageListOf(targetPath, language);
  return list === undefined
    ? undefined
    : extendList(root, { list, language }, () => journal.intend(list, []));
}

function planAfter(
  { plan, resource, expected, skeleton, locale, records }: Survey,
  { keys, values, marked, ...decisions }: FileDecisions,
  built: Target,
  keepEmpty: readonly string[] | undefined,
  restated: ReadonlySet<SlotId> | undefined,
): FilePlan {
  if (plan.extra.length + removedKeys({ values, ...decisions }).length + decisions.replaced.size === 0)
    return replanFile(plan, keys, {
      written: values,
      marked,
      restated,
      records,
      target: () => built.document,
    });
  const marksReview = marksVisibly(resource.format);
  return planFile({ expected, skeleton, target: built.document, locale, records, keepEmpty, marksReview });
}

function build(survey: Survey, decisions: FileDecisions, context: ApplyContext): Target {
  const { keys, values, marked, reasons, moved, replaced } = decisions;
  const { source, skeleton, existing, bytes, locale, resource, isFollowed } = survey;
  // If only records change, the file is not built, because that might complete a header.
  const remove = removedKeys(decisions);
  if (existing && bytes && values.size + remove.length === 0) {
    const { document } = existing;
    const same = isFollowed ? existing.encode(document.text) : bytes;
    return { document, bytes: same, rejected: new Map(), standing: [] };
  }
  const built = buildWholePlurals({
    source,
    skeleton,
    existing,
    locale,
    spelling: resource.spelling(locale),
    values,
    marked,
    remove,
    replaced,
    toUtf8: context.toUtf8,
  });
  let isKept = true;
  for (const [id, error] of built.rejected) {
    reasons.set(id, { text: error.message });
    isKept &&= !moved.has(id) && !replaced.has(id);
    values.delete(id);
  }
  if (context.selection.given && built.rejected.size > 0) {
    // Plurals are written as a whole, with their decision.
    const entries = new Map(
      keys.flatMap(({ id, entry }) => {
        const reason = built.rejected.has(id) ? reasons.get(id) : undefined;
        return reason ? [[entry, reason] as const] : [];
      }),
    );
    for (const { id, entry } of keys) {
      const reason = entries.get(entry);
      if (!reason) continue;
      reasons.set(id, reason);
      isKept &&= !values.delete(id);
    }
  }
  // Built again without the refused values, because the first result lacks the values that they were to replace.
  return isKept ? built : build(survey, decisions, context);
}

/** The records of the file's section that will differ. */
function changedRecords(
  survey: Survey,
  decisions: FileDecisions,
  built: Target,
  { selection, answer }: ApplyContext & { readonly answer: OutcomeOfKey },
): LockChanges {
  const { plan, existing, records, isFollowed } = survey;
  // Kept parts of a restructured document use the keys of the new structure.
  const kept = isFollowed
    ? new Map(plan.keys.map(({ lockKey, record }) => [lockKey, record ? [record] : []]))
    : records;
  const { given } = selection;
  const changes = new Map<LockKey, readonly LockRecord[]>(given ? [] : plan.gone.map((key) => [key, []]));
  if (plan.leftover.size > 0 && !given) {
    const there = new Set(lockKeys(built.document));
    for (const key of plan.leftover.keys()) if (!there.has(key)) changes.set(key, []);
  }
  const isGiven = ({ id }: PlannedKey): boolean => given?.has(id) === true && !decisions.reasons.has(id);
  let find: SlotFinder | undefined;
  const recordsOf = (key: PlannedKey): readonly LockRecord[] | undefined => {
    if (key.blank) return undefined;
    if (key.state === 'unmatched') return keptRecords(key, kept, selection);
    const written = decisions.values.get(key.id);
    const action = decisions.actions.get(key.id);
    const value =
      written ??
      (key.state === 'current'
        ? key.value
        : built.document.slots[(find ??= slotFinder(built.document))(key.id) ?? -1]?.value);
    // An empty value has no record, unless it is an intended translation.
    if (value === undefined || (value === '' && key.value === undefined && action !== 'reuse'))
      return undefined;
    const output = key.output !== undefined && value === key.value ? key.output : fingerprint(value);
    const own = isGiven(key) ? given?.get(key.id)?.recordOf(output) : undefined;
    if (isGiven(key)) return own && [own];
    // New files, and running text that follows its source, contain source words for missing translations.
    const isSourceText = !existing || (isFollowed && key.state === 'missing');
    if (written === undefined)
      return isSourceText
        ? [{ source: key.sourceHash, output, mark: 'pending' }]
        : keptRecords(key, kept, selection);
    const moved = action === 'reuse' ? key.previous?.record : undefined;
    const source = moved?.mark === undefined || moved.mark === 'memory' ? key.sourceHash : moved.source;
    const mark = moved?.mark ?? (decisions.marked.has(key.id) ? 'review' : ownMark(action, key, answer));
    // The same text for the same source, under another key or repeated by an engine: the decision still applies.
    const same = [moved, key.record].find((one) => one?.source === source && one.output === output);
    return [{ source, output, mark, decision: same?.decision }];
  };
  for (const key of decisions.keys) {
    const made = recordsOf(key);
    if (isGiven(key) || !sameRecords(made, records.get(key.lockKey))) changes.set(key.lockKey, made ?? []);
  }
  return changes;
}

/** The mark of a translation that a run wrote. */
function ownMark(action: KeyAction | undefined, key: PlannedKey, answer: OutcomeOfKey): LockMark | undefined {
  const outcome = action === 'translate' ? answer(key) : undefined;
  return outcome && 'value' in outcome && outcome.memory === 'human' ? 'memory' : undefined;
}

function report(
  survey: Survey,
  decisions: FileDecisions,
  answer: OutcomeOfKey,
  built?: Target,
): Pick<AppliedFile, 'changes' | 'failures' | 'terms'> {
  const { plan, sourcePath, source } = survey;
  const positionOf = positionsIn(source.document.text);
  const placeOf = ({ key, text, sourceOffset }: PlannedKey) => {
    return { file: sourcePath, ...positionOf(sourceOffset), key, ...knownText(source.format, text) };
  };
  const acted = decisions.keys.filter(({ id }) => decisions.actions.has(id));
  const failures = acted.flatMap((key): KeyFailure[] => {
    const reason = decisions.reasons.get(key.id);
    return reason ? [{ ...placeOf(key), reason: reason.text, code: reason.code }] : [];
  });
  const terms = acted.flatMap((key): TermFinding[] => {
    const outcome = decisions.actions.get(key.id) === 'translate' ? answer(key) : undefined;
    if (!outcome || 'failure' in outcome || !decisions.values.has(key.id)) return [];
    return (outcome.missingTerms ?? []).map((term) => ({ ...placeOf(key), ...term }));
  });
  // Intact keys are kept, unless they are retranslated. Sources without a text have nothing to keep.
  const hasText = ({ blank }: SourceKey): boolean => !blank;
  const seen = (decisions.keys.length > plan.examined.length ? plan.keys : plan.examined).filter(hasText);
  const countOf = countEntries(seen, CHANGES, (key) => changeOf(key, decisions));
  const stays = new Set(built?.standing.map(keyId));
  const unpruned = decisions.extra.filter(({ key }) => stays.has(keyId(key)));
  const changes: ChangeCounts = {
    translated: countOf('translated'),
    reused: countOf('reused'),
    kept: countOf('kept') + plan.wanted.filter(hasText).length - seen.length,
    failed: countOf('failed'),
    pruned: entriesOf(decisions.extra) - entriesOf(unpruned),
  };
  return {
    changes,
    failures: [...failures, ...keptKeyFailures(unpruned, survey.targetPath, source, built)],
    terms,
  };
}

const entriesOf = (keys: readonly ExtraKey[]): number => new Set(keys.map(({ entry }) => entry)).size;

/** Notes on people's texts that were removed with the plural of their message. */
function lostNotes({ source }: Survey, { keys, values }: FileDecisions): readonly Note[] {
  const { writeKey = writePath } = source.format;
  return keys.flatMap(({ id, key, reshaped }) =>
    (values.has(id) ? (reshaped?.lost ?? []) : []).map((form) => ({
      text: `${writeKey(key)} is no longer a plural, and its form ${JSON.stringify(form)} is gone`,
    })),
  );
}

/** The change of an entry with several forms is the first of these that applies to any form. */
const CHANGES = ['failed', 'missing', 'translated', 'reused', 'kept', 'unmatched'] as const;

function changeOf(
  key: PlannedKey,
  { actions, values, reasons, undone }: FileDecisions,
): (typeof CHANGES)[number] {
  const action = actions.get(key.id);
  if (action === undefined) return key.state === 'unmatched' ? 'unmatched' : 'kept';
  if (reasons.has(key.id)) return 'failed';
  if (values.has(key.id) && action === 'translate') return 'translated';
  if (values.has(key.id) && action === 'reuse') return 'reused';
  return undone.has(key.id) && isMissing(key) ? 'missing' : 'kept';
}

function resultsOf(
  { keys, actions, values, reasons, undone }: FileDecisions,
  answer: OutcomeOfKey,
): ReadonlyMap<SlotId, KeyResult> {
  const results = new Map<SlotId, KeyResult>();
  for (const key of keys) {
    const action = actions.get(key.id);
    if (action === undefined) continue;
    const failed = reasons.get(key.id);
    const outcome = action === 'translate' ? answer(key) : undefined;
    const reason = outcome && 'failure' in outcome ? outcome.failure : undefined;
    if (failed) results.set(key.id, { action: 'failed', reason: failed.text, code: failed.code });
    else if (undone.has(key.id)) results.set(key.id, { action: 'left', reason });
    else if (!values.has(key.id)) continue;
    else if (action === 'reuse') results.set(key.id, { action: 'reused', from: key.previous?.key });
    else if (outcome && 'value' in outcome) {
      const { engine, memory, missingTerms } = outcome;
      results.set(key.id, { action: 'translated', engine, memory, missingTerms });
    }
  }
  return results;
}
