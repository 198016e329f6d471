import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { slotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import type { Slot } from '../../formats/format.ts';
import { verify } from '../../text/verify.ts';
import type { Resource } from '../discover/resource.ts';
import { faultFinder } from '../plan/coverage.ts';
import type { GivenText } from '../plan/key-action.ts';
import type { PlannedKey } from '../plan/plan.ts';
import { isMissing } from '../plan/key-status.ts';
import type { Survey } from '../plan/survey.ts';
import {
  type Decision,
  isApproval,
  isTrustedApproval,
  NO_TEXT,
  noteOf,
  STALE_TEXT,
  type Reviewer,
  type Verdict,
} from '../state/decision.ts';
import { escapePath, sameRecords } from '../state/lock-line.ts';
import { type Project, resourcesOf } from '../state/project.ts';
import { decidedText, writtenText } from './decided-text.ts';
import { foreignStructure } from './review.ts';
import { rememberRow, type RowBefore, unreadable } from './undo.ts';
import { ReviewRun, type ReviewRunOptions } from './review-run.ts';
import type { TextRow } from './row.ts';
import { type RowKeys, rowKeys, rowMaker } from './text-row.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** A person's decision about a row, with its new texts and the state they saw. */
export interface RowAnswer {
  /** The id of the row. */
  readonly id: string;
  /** The source hashes of the row's forms. */
  readonly sourceHashes: readonly string[];
  /** The fingerprints of the values of the row's forms. */
  readonly bases: readonly string[];
  /** One per form, with the links of the source. Undefined to keep the texts. */
  readonly values?: readonly string[] | undefined;
  readonly verdict?: Verdict | undefined;
  readonly note?: string | undefined;
}

/** The result of an answer. */
export type SavedAnswer = { readonly id: string } & (
  | { readonly kind: 'saved'; readonly row: TextRow; readonly isRepeated?: true | undefined }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  | { readonly kind: 'conflict' | 'stale'; readonly row: TextRow }
  | { readonly kind: 'foreign' }
);

export interface SaveOptions extends ReviewRunOptions {
  /** The author of text and decision. Untrusted imports contain no verdicts, so their texts need a review. */
  readonly by: Reviewer;
  /** Locates a row, if its position is known, so that only its file is opened. */
  readonly placeOf?: ((id: string) => RowPlace | undefined) | undefined;
  /** Called for every written row, with the data to undo the answer. */
  readonly onSaved?: ((before: RowBefore) => void) | undefined;
}

export interface RowPlace {
  /** The source file, relative to the root. */
  readonly file: string;
  readonly locale: string;
}

/**
 * Saves answers: compares them with the current rows, verifies new texts like those of an engine, and writes each file
 * once. An answer is saved completely or not at all.
 *
 * @returns one result per answer, in order. If several answers are about one row, the later ones see the earlier
 * results.
 * @throws DragomanError like {@link ReviewRun.do}: earlier answers are in the files and in the lock
 */
export async function saveAnswers(
  project: Project,
  answers: readonly RowAnswer[],
  options: SaveOptions,
): Promise<readonly SavedAnswer[]> {
  const results = new Map<RowAnswer, SavedAnswer>();
  // Copies, so that an answer given twice has two results.
  const all = answers.map((answer) => ({ ...answer }));
  for (let waiting: readonly RowAnswer[] = all; waiting.length > 0;) {
    // In one run, a row is compared and written once.
    const next = new Map<string, RowAnswer>();
    for (const answer of waiting) if (!next.has(answer.id)) next.set(answer.id, answer);
    await ReviewRun.do(project, options, (run) => new Saving(run, options, next, results).save());
    waiting = waiting.filter((answer) => next.get(answer.id) !== answer);
  }
  return all.map((answer) => results.get(answer) ?? { id: answer.id, kind: 'foreign' });
}

function placeName({ file, locale }: RowPlace): string {
  return `${file}\n${locale}`;
}

function placesOf(
  answers: readonly RowAnswer[],
  placeOf: (id: string) => RowPlace | undefined,
): ReadonlyMap<string, readonly RowAnswer[]> {
  const places = new Map<string, RowAnswer[]>();
  for (const answer of answers) {
    const place = placeOf(answer.id);
    if (place) addTo(places, placeName(place), answer);
  }
  return places;
}

/** A row with an answer to write. */
interface Wanted {
  readonly answer: RowAnswer;
  readonly row: RowKeys;
  readonly given: readonly (readonly [SlotId, GivenText])[];
  readonly isLearned: boolean;
}

class Saving {
  readonly #run: ReviewRun;
  readonly #options: SaveOptions;
  /** By row. */
  readonly #answers: ReadonlyMap<string, RowAnswer>;
  readonly #results: Map<RowAnswer, SavedAnswer>;
  /** By the name from {@link placeName}. */
  readonly #places: ReadonlyMap<string, readonly RowAnswer[]> | undefined;

  constructor(
    run: ReviewRun,
    options: SaveOptions,
    answers: ReadonlyMap<string, RowAnswer>,
    results: Map<RowAnswer, SavedAnswer>,
  ) {
    this.#run = run;
    this.#options = options;
    this.#answers = answers;
    this.#results = results;
    this.#places = options.placeOf && placesOf([...answers.values()], options.placeOf);
  }

  async save(): Promise<void> {
    const { project, workspace } = this.#run;
    for (const locale of project.targets) {
      for (const resource of resourcesOf(project, locale)) {
        throwIfAborted(this.#options.signal, 'saving was interrupted');
        if (!this.#places || this.#places.has(placeName({ file: resource.source, locale })))
          await this.#saveFile(resource, locale);
      }
      workspace.release(locale);
    }
  }

  async #saveFile(resource: Resource, locale: string): Promise<void> {
    const compared = await this.#run.workspace.compare(resource, locale);
    if (compared.kind === 'unreadable') {
      const own = this.#places?.get(placeName({ file: resource.source, locale })) ?? [];
      for (const answer of own) this.#results.set(answer, unreadable(answer.id, compared.error));
    }
    if (compared.kind !== 'compared') return;
    const { survey } = compared;
    const judge = new AnswerJudge(survey, this.#run, this.#options);
    const wanted: Wanted[] = [];
    for (const row of rowKeys(survey)) {
      const answer = this.#answers.get(row.id);
      if (!answer) continue;
      const judged = judge.judge(row, answer);
      if ('given' in judged) wanted.push(judged);
      else this.#results.set(answer, judged);
    }
    if (wanted.length > 0) await this.#write(survey, wanted);
  }

  async #write(survey: Survey, wanted: readonly Wanted[]): Promise<void> {
    if (this.#options.isDry) {
      const rowOf = rowMaker(survey);
      for (const { answer, row } of wanted)
        this.#results.set(answer, { id: row.id, kind: 'saved', row: rowOf(row) });
      return;
    }
    const given = new Map(wanted.flatMap((row) => row.given));
    const { onSaved } = this.#options;
    const records = new Map(this.#run.lock.section(survey.recordedAs, survey.locale));
    const applied = await this.#run.apply(survey, given).catch((error: unknown) => {
      if (error instanceof DragomanError && error.code !== 'interrupted') return error;
      throw error;
    });
    if (applied instanceof DragomanError) {
      for (const { answer, row } of wanted)
        this.#results.set(answer, { id: row.id, kind: 'refused', reasons: [applied.message] });
      return;
    }
    const { after } = applied;
    const recorded = this.#run.lock.section(after.recordedAs, after.locale);
    const failed = applied.listResults();
    const keys = new Map(after.plan.keys.map((key) => [key.id, key]));
    const rowOf = rowMaker(after);
    const learned: PlannedKey[] = [];
    for (const { answer, row, isLearned } of wanted) {
      const { id } = row;
      const reasons = row.keys.flatMap((key) => failed.get(key.id)?.reason ?? []);
      const [first, ...others] = row.keys.flatMap((key) => keys.get(key.id) ?? []);
      if (reasons.length > 0 || !first) {
        this.#results.set(answer, { id, kind: 'refused', reasons: [...new Set(reasons)] });
        continue;
      }
      if (isLearned) learned.push(first, ...others);
      const saved = rowOf({ id, keys: [first, ...others] });
      onSaved?.(rememberRow({ before: survey, after, records, recorded }, row, saved));
      this.#results.set(answer, { id, kind: 'saved', row: saved });
    }
    await this.#run.learn(learned, after);
  }
}

/** Compares answers with the current rows of a file. */
class AnswerJudge {
  readonly #survey: Survey;
  readonly #run: ReviewRun;
  readonly #by: Reviewer;
  readonly #rowOf: ReturnType<typeof rowMaker>;
  readonly #faultsOf: ReturnType<typeof faultFinder>;
  readonly #find: ((id: SlotId) => number | undefined) | undefined;

  constructor(survey: Survey, run: ReviewRun, { by }: SaveOptions) {
    this.#survey = survey;
    this.#run = run;
    this.#by = by;
    this.#rowOf = rowMaker(survey);
    this.#faultsOf = faultFinder(survey);
    this.#find = survey.existing && slotFinder(survey.existing.document);
  }

  judge(keys: RowKeys, answer: RowAnswer): SavedAnswer | Wanted {
    const { id } = keys;
    const row = this.#rowOf(keys);
    const { forms } = row;
    if (
      !isSame(
        answer.sourceHashes,
        forms.map(({ sourceHash }) => sourceHash),
      )
    )
      return { id, kind: 'stale', row };
    const { values } = answer;
    if (values && values.length !== forms.length)
      return { id, kind: 'refused', reasons: [`${values.length} texts for ${forms.length} plural forms`] };
    const changed = forms.map(({ translation }, i) => {
      const value = values?.[i];
      return value === translation || (value === '' && translation === undefined) ? undefined : value;
    });
    const isWritten = changed.some((value) => value !== undefined);
    const wanted = { id, answer, keys, row };
    const made = isWritten ? this.#writtenTexts(wanted, changed) : this.#decidedTexts(wanted);
    // An earlier answer to the same row was already saved.
    if ('kind' in made && made.kind === 'saved') return made;
    // Equal texts from a killed save or from someone else do not conflict, but the decision may be missing.
    const isAsWanted = values !== undefined && !isWritten;
    const bases = forms.map(({ base }) => base);
    const isAsSeen = isAsWanted || isSame(answer.bases, bases);
    return isAsSeen ? made : { id, kind: 'conflict', row };
  }

  #writtenTexts(
    { id, answer, keys: row, row: { forms } }: JudgedRow,
    changed: readonly (string | undefined)[],
  ): SavedAnswer | Wanted {
    const { isFollowed, existing, locale, targetPath } = this.#survey;
    const { keys } = row;
    const reasons = new Set<string>();
    if (isFollowed && existing) reasons.add(foreignStructure(this.#survey));
    if (keys.some(({ state }) => state === 'unmatched'))
      reasons.add(`cannot tell which text of ${targetPath} is its translation`);
    for (const [i, key] of keys.entries()) {
      const value = changed[i];
      if (value === undefined) continue;
      const { forms: accepted, text, syntax, rule } = key;
      const form = forms.length > 1 ? `${key.category ?? ''}: ` : '';
      if (value === '') reasons.add(`${form}the translation is empty`);
      for (const { detail } of verify(accepted ?? text, value, { syntax, locale, rule }))
        reasons.add(`${form}${detail}`);
    }
    if (reasons.size > 0) return { id, kind: 'refused', reasons: [...reasons] };
    const by = this.#by;
    const decision = this.#decisionOf(answer, by === 'person' ? undefined : 'needs-review');
    const given = keys.map(
      (key, i) => [key.id, writtenText(key, changed[i], this.#survey, { by, decision })] as const,
    );
    // The memory does not store texts that their author calls unfinished or wrong.
    const isLearned = by === 'person' && (decision === undefined || isApproval(decision));
    return { answer, row, given, isLearned };
  }

  #decidedTexts({ id, answer, keys: row, row: shown }: JudgedRow): SavedAnswer | Wanted {
    const decision = this.#decisionOf(answer, undefined);
    const repeated = { id, kind: 'saved', row: shown, isRepeated: true } as const;
    if (!decision) return repeated;
    const { isFollowed, recordedAs, locale, existing } = this.#survey;
    const { keys } = row;
    const records = this.#run.lock.section(recordedAs, locale);
    const reasons = new Set<string>(isFollowed ? [foreignStructure(this.#survey)] : []);
    const given: (readonly [SlotId, GivenText])[] = [];
    let isNew = false;
    for (const key of keys) {
      const slot: Slot | undefined = existing?.document.slots[this.#find?.(key.id) ?? -1];
      const text = decidedText(key, slot, this.#survey, decision);
      if (!text || isMissing(key)) {
        reasons.add(key.state === 'stale' ? STALE_TEXT : NO_TEXT);
        continue;
      }
      if (isApproval(decision)) for (const fault of this.#faultsOf(key)) reasons.add(fault);
      isNew ||= text.edits.length > 0 || !sameRecords([text.record], records.get(key.lockKey));
      given.push([key.id, text]);
    }
    if (reasons.size > 0) return { id, kind: 'refused', reasons: [...reasons] };
    return isNew ? { answer, row, given, isLearned: isTrustedApproval(decision) } : repeated;
  }

  #decisionOf({ verdict, note: text }: RowAnswer, otherwise: Verdict | undefined): Decision | undefined {
    const decided = verdict ?? otherwise;
    if (!decided) return undefined;
    const by = this.#by;
    const note = noteOf(text);
    return note === undefined ? { verdict: decided, by } : { verdict: decided, by, note: escapePath(note) };
  }
}

interface JudgedRow {
  readonly id: string;
  readonly answer: RowAnswer;
  readonly keys: RowKeys;
  readonly row: TextRow;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, i) => text === other[i]);
}
