import { throwIfAborted } from '../../base/interruption.ts';
import { positionsIn } from '../../base/span.ts';
import { slotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import type { Key } from '../../formats/format.ts';
import { knownText } from '../../formats/registry.ts';
import { faultFinder } from '../plan/coverage.ts';
import { type GivenText, isSelected } from '../plan/key-action.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { FilePosition } from '../plan/report.ts';
import { isMissing } from '../plan/key-status.ts';
import type { Survey } from '../plan/survey.ts';
import { type Decision, isApproval, isTrustedApproval } from '../state/decision.ts';
import type { AttributesResult } from '../state/lock-attributes.ts';
import { sameRecords } from '../state/lock-line.ts';
import { type Project, resourcesOf } from '../state/project.ts';
import { decidedText } from './decided-text.ts';
import { ReviewRun, type ReviewRunOptions } from './review-run.ts';

export interface ReviewOptions extends ReviewRunOptions {
  readonly decision: Decision;
  /** Selects files by the path of the source or the translation, relative to the root. Default: all. */
  readonly includes?: ((path: string) => boolean) | undefined;
}

/** A text of a review. The position is in the translation. */
export interface ReviewedText extends FilePosition {
  readonly locale: string;
  readonly key: Key;
  /** A text that identifies the key for people, if the format generates keys. */
  readonly text?: string | undefined;
  /** Why the decision was refused. */
  readonly refusal?: string | undefined;
}

export interface ReviewReport {
  readonly root: string;
  /** Texts with a new decision or a refusal. */
  readonly texts: readonly ReviewedText[];
  /** The number of forms that already had this decision. */
  readonly unchanged: number;
  /** The number of forms without a translation to decide about. */
  readonly missing: number;
  /** The result of adding git's rule for the lock, if it was missing. */
  readonly attributes?: AttributesResult;
}

/**
 * Records a decision about current translations, in the lock and in files that have a place for it. No value changes.
 *
 * @throws DragomanError like {@link ReviewRun.do}
 */
export async function reviewProject(project: Project, options: ReviewOptions): Promise<ReviewReport> {
  const { made, attributes } = await ReviewRun.do(project, options, async (run) => {
    const review = new Review(run, options);
    for (const locale of project.targets) await review.decideLanguage(locale);
    return review;
  });
  return { root: project.root, ...made.counts, attributes };
}

class Review {
  readonly #run: ReviewRun;
  readonly #options: ReviewOptions;
  readonly #texts: ReviewedText[] = [];
  #unchanged = 0;
  #missing = 0;

  constructor(run: ReviewRun, options: ReviewOptions) {
    this.#run = run;
    this.#options = options;
  }

  get counts(): Pick<ReviewReport, 'texts' | 'unchanged' | 'missing'> {
    return { texts: this.#texts, unchanged: this.#unchanged, missing: this.#missing };
  }

  async decideLanguage(locale: string): Promise<void> {
    const { signal, includes = () => true, isDry, decision } = this.#options;
    const { workspace, project } = this.#run;
    for (const resource of resourcesOf(project, locale)) {
      throwIfAborted(signal, 'the review was interrupted');
      if (!includes(resource.source) && !includes(resource.targetPath(locale))) continue;
      const compared = await workspace.compare(resource, locale);
      if (compared.kind === 'unreadable') throw compared.error;
      if (compared.kind !== 'compared') continue;
      const { survey } = compared;
      const made = this.#decide(survey);
      if (made.size === 0 || isDry) continue;
      await this.#run.apply(survey, new Map([...made].map(([{ id }, text]) => [id, text])));
      if (isTrustedApproval(decision)) await this.#run.learn([...made.keys()], survey);
    }
    workspace.release(locale);
  }

  /** The new state of the selected texts. Plurals are decided as a whole. */
  #decide(survey: Survey): ReadonlyMap<PlannedKey, GivenText> {
    const { plan, existing, isFollowed, locale, targetPath, source } = survey;
    // The survey's records are not used, because they include what a killed review only intended to record.
    const records = this.#run.lock.section(survey.recordedAs, locale);
    const { decision } = this.#options;
    const selected = plan.keys.filter(({ key, blank }) => !blank && isSelected(key, this.#options));
    const entries = new Set(selected.map(({ entry }) => entry));
    const made = new Map<PlannedKey, GivenText>();
    if (entries.size === 0 || !existing) {
      this.#missing += entries.size;
      return made;
    }
    const faultsOf = faultFinder(survey);
    const positionOf = positionsIn(existing.document.text);
    const find: (id: SlotId) => number | undefined = slotFinder(existing.document);
    for (const key of plan.keys) {
      if (key.blank || !entries.has(key.entry)) continue;
      const slot = existing.document.slots[find(key.id) ?? -1];
      const text = decidedText(key, slot, survey, decision);
      if (!text || !slot || isMissing(key)) {
        this.#missing++;
        continue;
      }
      if (text.edits.length === 0 && sameRecords([text.record], records.get(key.lockKey))) {
        this.#unchanged++;
        continue;
      }
      const faults = isApproval(decision) ? faultsOf(key) : [];
      const refusal = isFollowed
        ? foreignStructure(survey)
        : faults.length > 0
          ? faults.join('; ')
          : undefined;
      const place = { file: targetPath, ...positionOf(slot.span.start) };
      this.#texts.push({ ...place, locale, key: key.key, ...knownText(source.format, key.text), refusal });
      if (refusal === undefined) made.set(key, text);
    }
    return made;
  }
}

export function foreignStructure({ sourcePath }: Survey): string {
  return `its page does not have the structure of ${sourcePath}; run dragoman sync first`;
}
