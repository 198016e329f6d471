import { join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { type Edit, positionsIn, splice } from '../../base/span.ts';
import { slotFinder } from '../../documents/localization/pairing.ts';
import type { Document, Key, Slot } from '../../formats/format.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import { knownText, marksVisibly } from '../../formats/registry.ts';
import type { TranslationMemory } from '../../pipeline/memory.ts';
import { requireLocalizationPath } from '../discover/localization-path.ts';
import { faultFinder } from '../plan/coverage.ts';
import { isSelected } from '../plan/key-action.ts';
import { keptRecord } from '../plan/key-state.ts';
import {
  beginRun,
  openWorkspace,
  type OpenWorkspace,
  type WorkspaceOptions,
} from '../plan/open-workspace.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { FilePosition } from '../plan/report.ts';
import { isMissing } from '../plan/standing.ts';
import type { Survey } from '../plan/survey.ts';
import { type Decision, isApproval, isTrustedApproval } from '../state/decision.ts';
import { type Journal, openProjectJournal } from '../state/journal.ts';
import { addLockAttributes, type AttributesResult } from '../state/lock-attributes.ts';
import { isOwnMark, type LockKey, type LockRecord, sameRecords } from '../state/lock-line.ts';
import type { Lock } from '../state/lock.ts';
import { type Project, resourcesOf } from '../state/project.ts';
import { loadState, saveLock } from '../state/stored-state.ts';
import { acquireSyncLock, SYNC_LOCK_NAME } from '../state/sync-lock.ts';
import { recordHumanEdits } from './sync-language.ts';

export interface ReviewOptions extends WorkspaceOptions {
  readonly signal: AbortSignal;
  readonly decision: Decision;
  /** Of files relative to the root, source or translation. Default: all. */
  readonly includes?: ((path: string) => boolean) | undefined;
  /** Changes nothing. */
  readonly isDry?: boolean | undefined;
  /** Learns what a person approves. */
  readonly memory?: TranslationMemory | undefined;
}

/** A text of a review. The position is in the translation. */
export interface ReviewedText extends FilePosition {
  readonly locale: string;
  readonly key: Key;
  /** The text that people know it by, where its key is made by the format. */
  readonly text?: string | undefined;
  /** Why it was refused. */
  readonly refusal?: string | undefined;
}

export interface ReviewReport {
  readonly root: string;
  /** Decided anew, or refused. */
  readonly texts: readonly ReviewedText[];
  /** The forms of texts that were decided like this before. */
  readonly unchanged: number;
  /** Without a translation that a decision could be about. */
  readonly missing: number;
  /** What became of git's rule for the lock, where it was new. */
  readonly attributes?: AttributesResult;
}

/**
 * Records a decision about translations as they stand: in the lock, and in files that have a place for it, of which no
 * value changes. Alone in the project, like a sync. A kill leaves each text either decided or as it was.
 *
 * @throws DragomanError `configuration` for a lock that cannot be used or when a sync is running, `unwritable_output`,
 * `interrupted`
 */
export async function reviewProject(project: Project, options: ReviewOptions): Promise<ReviewReport> {
  if (options.isDry) return new Review(project, options).run();
  const release = await acquireSyncLock(join(project.root, SYNC_LOCK_NAME));
  try {
    return await new Review(project, options).run();
  } finally {
    await release();
  }
}

class Review {
  readonly #project: Project;
  readonly #options: ReviewOptions;
  readonly #texts: ReviewedText[] = [];
  #unchanged = 0;
  #missing = 0;
  #journal: Journal | undefined;

  constructor(project: Project, options: ReviewOptions) {
    this.#project = project;
    this.#options = options;
  }

  async run(): Promise<ReviewReport> {
    const { root } = this.#project;
    // Clean files are opened, too.
    const opened = await openWorkspace(
      this.#project,
      await beginRun(this.#project, { ...this.#options, force: true }),
    );
    // Without the intentions of an interrupted sync: these become lines when they are carried out.
    const { lock, text } = await loadState(this.#project, undefined);
    let attributes: AttributesResult;
    try {
      for (const locale of this.#project.targets) await this.#reviewLanguage(locale, opened, lock);
      if (!this.#options.isDry && this.#texts.some(({ refusal }) => refusal === undefined)) {
        await saveLock(this.#project, lock, text);
        if (text === undefined) attributes = await addLockAttributes(root);
      }
      await (this.#journal?.left.scopes.length === 0 ? this.#journal.finish() : this.#journal?.close());
    } catch (error) {
      await this.#journal?.close();
      throw error;
    }
    return { root, texts: this.#texts, unchanged: this.#unchanged, missing: this.#missing, attributes };
  }

  async #reviewLanguage(locale: string, { workspace }: OpenWorkspace, lock: Lock): Promise<void> {
    const { signal, includes = () => true, isDry, memory, decision } = this.#options;
    const learned: PlannedKey[] = [];
    for (const resource of resourcesOf(this.#project, locale)) {
      throwIfAborted(signal, 'the review was interrupted');
      if (!includes(resource.source) && !includes(resource.targetPath(locale))) continue;
      const compared = await workspace.compare(resource, locale);
      if (compared.kind === 'unreadable') throw compared.error;
      if (compared.kind !== 'compared') continue;
      const { survey } = compared;
      const made = this.#decide(survey, lock);
      if (made.size === 0 || isDry) continue;
      const records = new Map([...made].map(([key, record]) => [key.lockKey, [record]] as const));
      await this.#mirror(survey, [...made.keys()], records, (bytes) => workspace.noteWritten(survey, bytes));
      lock.update(survey.recordedAs, locale, records);
      const { tags, source } = survey;
      // A cue may have only a part of a sentence.
      if (hasCues(source.document)) continue;
      for (const key of made.keys())
        learned.push({ ...key, review: false, value: key.value && (tags?.unlink(key.value) ?? key.value) });
    }
    workspace.release(locale);
    if (memory && isTrustedApproval(decision))
      await recordHumanEdits(learned, memory, { source: this.#project.source, target: locale });
  }

  /** The new records of the texts that are selected. A plural is decided as a whole. */
  #decide(survey: Survey, lock: Lock): ReadonlyMap<PlannedKey, LockRecord> {
    const { plan, existing, isFollowed, locale, targetPath, source } = survey;
    // Not those of the survey: what a killed review was about to record is not in the lock yet.
    const records = lock.section(survey.recordedAs, locale);
    const { decision } = this.#options;
    const selected = plan.keys.filter(({ key, blank }) => !blank && isSelected(key, this.#options));
    const entries = new Set(selected.map(({ entry }) => entry));
    const made = new Map<PlannedKey, LockRecord>();
    if (entries.size === 0 || !existing) {
      this.#missing += entries.size;
      return made;
    }
    const faultsOf = faultFinder(survey);
    const positionOf = positionsIn(existing.document.text);
    const find = slotFinder(existing.document);
    for (const key of plan.keys) {
      if (key.blank || !entries.has(key.entry)) continue;
      const slot = existing.document.slots[find(key.id) ?? -1];
      const edits = slot ? editsOf(slot, survey, decision) : [];
      const record = recordAfter(key, decision, slot?.review !== undefined || edits.length > 0);
      if (!record || !slot || isMissing(key)) {
        this.#missing++;
        continue;
      }
      if (edits.length === 0 && sameRecords([record], records.get(key.lockKey))) {
        this.#unchanged++;
        continue;
      }
      const faults = isApproval(decision) ? faultsOf(key) : [];
      const refusal = isFollowed
        ? `its page does not have the structure of ${survey.sourcePath}; run dragoman sync first`
        : faults.length > 0
          ? faults.join('; ')
          : undefined;
      const place = { file: targetPath, ...positionOf(slot.span.start) };
      this.#texts.push({ ...place, locale, key: key.key, ...knownText(source.format.id, key.text), refusal });
      if (refusal === undefined) made.set(key, record);
    }
    return made;
  }

  /** Writes the decision into a file that has a place for it. Before that, its lock lines are in the journal. */
  async #mirror(
    survey: Survey,
    keys: readonly PlannedKey[],
    records: ReadonlyMap<LockKey, readonly LockRecord[]>,
    onWritten: (bytes: Uint8Array) => void,
  ): Promise<void> {
    const { existing, targetPath, sourcePath, locale, recordedAs } = survey;
    if (!existing) return;
    const { document } = existing;
    const find = slotFinder(document);
    const edits = new Map<string, Edit>();
    for (const { id } of keys) {
      const slot = document.slots[find(id) ?? -1];
      // Forms of one message share their edits.
      for (const edit of slot ? editsOf(slot, survey, this.#options.decision) : [])
        edits.set(`${edit.span.start}-${edit.span.end} ${edit.text}`, edit);
    }
    if (edits.size === 0) return;
    const text = splice(document.text, [...edits.values()]);
    requireSameValues(document, existing.format.scan(text, existing.scanOptions), targetPath);
    const { root, targets, selected } = this.#project;
    this.#journal ??= await openProjectJournal(root, this.#options.stateDirectory, {
      paths: selected,
      targets,
    });
    const lines = [...records].flatMap(([key, made]) =>
      made.map((record) => ({ file: recordedAs, locale, key, ...record })),
    );
    await this.#journal.intend(targetPath, lines);
    requireLocalizationPath(root, targetPath, sourcePath, 'unwritable_output');
    const bytes = existing.encode(text);
    await writeAtomically(join(root, targetPath), bytes);
    onWritten(bytes);
  }
}

/**
 * Undefined for a text that waits for another translation.
 *
 * @param isMarked whether the file has a mark for review, then or before
 */
function recordAfter(key: PlannedKey, decision: Decision, isMarked: boolean): LockRecord | undefined {
  const kept = keptRecord(key.state, key);
  if (!kept || key.output === undefined || (key.state === 'stale' && !isApproval(decision))) return undefined;
  const base = { source: key.sourceHash, output: key.output, decision };
  if (isTrustedApproval(decision)) return { ...base, mark: 'human' };
  if (isOwnMark(kept.mark)) return { ...base, mark: isMarked ? 'review' : undefined };
  return { ...base, mark: kept.mark === 'outdated' ? 'human' : kept.mark };
}

/** An agent's approval is in the lock only, because programs take that of a file for a person's. */
function editsOf(slot: Slot, { resource }: Survey, decision: Decision): readonly Edit[] {
  const { verdict } = decision;
  if (verdict !== 'reviewed' && verdict !== 'final')
    return marksVisibly(resource.format) && !slot.review ? (slot.marking ?? []) : [];
  if (!isTrustedApproval(decision) || slot.state === verdict) return [];
  return slot.approving?.(verdict) ?? (slot.review ? (slot.companions ?? []) : []);
}

/** @throws DragomanError `integrity` if the edits changed a value: a defect of the format */
function requireSameValues(before: Document, after: Document, file: string): void {
  const isSame =
    before.slots.length === after.slots.length &&
    before.slots.every(({ key, value }, i) => {
      const now = after.slots[i];
      return (
        now?.value === value && now.key.length === key.length && key.every((part, at) => part === now.key[at])
      );
    });
  if (!isSame) throw new DragomanError('integrity', `recording the decision in ${file} would change a text`);
}
