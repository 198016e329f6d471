import { limitOf } from '../../text/length-limit.ts';
import { resourcesOf } from '../state/project.ts';
import PQueue from 'p-queue';
import { DragomanError } from '../../base/errors.ts';
import type { SlotId } from '../../documents/localization/pairing.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import type { MemoryEntry, TranslationMemory } from '../../pipeline/memory.ts';
import { memoryMessageOf } from '../../pipeline/prepared-unit.ts';
import type { FailureKind, UnitOutcome } from '../../pipeline/unit.ts';
import { applyFile } from './apply-file.ts';
import type { Journal } from '../state/journal.ts';
import { listLanguage, type KeyResult, type KeysListener } from '../plan/key-list.ts';
import { isMissing } from '../plan/key-status.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { FileReport, LanguageReport } from '../plan/report.ts';
import {
  failedFile,
  noteClean,
  reportFile,
  summarizeFiles,
  surveyLanguage,
} from '../plan/survey-language.ts';
import { cueSlots, wantedKeys } from '../plan/pricing.ts';
import {
  type OutcomeOfKey,
  type Selection,
  type TranslateKeys,
  unitOf,
  type WantedKey,
} from '../plan/key-action.ts';
import type { Workspace } from '../plan/workspace.ts';
import type { Survey } from '../plan/survey.ts';
import type { LanguagePair } from '../../engines/engine.ts';
import { alignTranslation } from '../../text/align.ts';
import { parseMessage } from '../../text/message.ts';
import { verify } from '../../text/verify.ts';
import { isHumanEdit } from '../plan/key-state.ts';

/** Several, because a write spends most of its time waiting for the disk. */
const FILES_AT_ONCE = 8;

export interface LanguageContext {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly options: Selection & {
    readonly signal: AbortSignal;
    readonly onKeys?: KeysListener | undefined;
    readonly memory?: TranslationMemory | undefined;
    readonly toUtf8?: boolean | undefined;
  };
  readonly translate: TranslateKeys;
  /** Called when the files of the language are written, before the lock. */
  readonly onWritten: () => void;
}

export interface LanguageResult {
  readonly report: LanguageReport;
  /** Whether all work is in the files, with nothing left only in the journal. */
  readonly complete: boolean;
  /** Texts that have a translation now, in files or in the journal. */
  readonly kept: number;
  /** Why the remaining texts were not translated. */
  readonly stopped?: DragomanError | undefined;
}

/** The outcome for a key's text. If the text has changed since, the answer does not apply to it. */
interface Answer {
  readonly text: string;
  readonly outcome: UnitOutcome;
}

/** A result with the data for a listing of the keys. */
interface Synced extends LanguageResult {
  /** The written files in their current state, by source file. */
  readonly written?: ReadonlyMap<string, Survey> | undefined;
  /** By source file. */
  readonly results?: ReadonlyMap<string, ReadonlyMap<SlotId, KeyResult>> | undefined;
}

/**
 * Translates what a language lacks, all files at once so that no text is requested twice, and writes the files. Then
 * lists the keys, if there is a listener.
 */
export async function syncLanguage(locale: string, context: LanguageContext): Promise<LanguageResult> {
  const { workspace, options } = context;
  const { written, results, ...result } = await translateLanguage(locale, context);
  const files = result.report.allFiles();
  await listLanguage(locale, { workspace, files, written, results, onKeys: options.onKeys });
  workspace.release(locale);
  return result;
}

async function translateLanguage(locale: string, context: LanguageContext): Promise<Synced> {
  const { workspace, options } = context;
  const { signal } = options;
  const work = new Map<string, Survey>();
  const { report } = await surveyLanguage(workspace, locale, {
    ...options,
    onWork: (survey) => void work.set(survey.resource.source, survey),
  });
  const surveys = [...work.values()];
  if (options.memory) {
    // Done first, because a translation that a person just wrote may serve another key. Cues are excluded, because they
    // may contain a part of a sentence.
    const surveyed = surveys.filter(({ source }) => !hasCues(source.document));
    const keys = surveyed.flatMap(openKeysOf).filter(isHumanEdit);
    await recordHumanEdits(keys, options.memory, { source: workspace.project.source, target: locale });
  }
  const wanted = surveys.flatMap((survey) => wantedIn(survey, options));
  const outcomes = await context.translate(locale, wanted);
  if (outcomes instanceof DragomanError)
    return { report: failLanguage(report, wanted, outcomes), complete: true, kept: 0 };
  const left = wanted.filter((_, i) => !('value' in (outcomes[i] ?? {})));
  const kept = countWanted(wanted) - countWanted(left);
  // Unfinished texts are not failures: finished ones are in the journal, from which the next run continues.
  if (signal.aborted) return { report, complete: false, kept };
  const answers = new Map<string, Map<SlotId, Answer>>();
  for (const [i, { file, key }] of wanted.entries()) {
    const outcome = outcomes[i];
    const ofFile = answers.get(file) ?? new Map<SlotId, Answer>();
    answers.set(file, ofFile);
    if (outcome) ofFile.set(key.id, { text: key.text, outcome });
  }
  const written = await writeFiles(work, report, answers, context);
  context.onWritten();
  return {
    kept,
    ...written,
    report: { ...written.report, engines: countEngines(outcomes) },
    // If a part of a value is missing, the other parts are kept in the journal, because they have been paid for.
    complete: written.complete && !outcomes.some((outcome) => errorOf(outcome)),
    stopped: outcomes.map((outcome) => errorOf(outcome, 'stopped')).find((error) => error),
  };
}

/** The number of keys as users count them: the forms of a plural are one. */
function countWanted(wanted: readonly WantedKey[]): number {
  return new Set(wanted.map(({ file, key }) => `${file}\n${key.entry}`)).size;
}

/** The report on a language that the engine could not translate at all: every wanted entry failed. */
function failLanguage(
  report: LanguageReport,
  wanted: readonly WantedKey[],
  error: DragomanError,
): LanguageReport {
  const failed = new Map<string, Map<string, boolean>>();
  for (const { file, key } of wanted) {
    const entries = failed.get(file) ?? new Map<string, boolean>();
    failed.set(file, entries.set(key.entry, isMissing(key)));
  }
  const files = report.allFiles().map((file): FileReport => {
    const entries = failed.get(file.source);
    if (!entries) return file;
    const standing = [...entries.values()].filter((missing) => !missing).length;
    return {
      ...file,
      changes: { ...file.changes, kept: file.changes.kept - standing, failed: entries.size },
    };
  });
  return summarizeFiles(report.locale, files, error);
}

function wantedIn(survey: Survey, selection: Selection): readonly WantedKey[] {
  const keys = survey.plan.wanted;
  const { document } = survey.source;
  const wanted = wantedKeys(survey, selection);
  if (hasCues(document)) {
    const slots = cueSlots(document, wanted);
    return wanted.map((key, i) => ({
      file: survey.sourcePath,
      key,
      cue: { document, slot: slots[i] ?? -1 },
    }));
  }
  let at = -1;
  return wanted.map((key) => {
    // The wanted keys are in the order of all keys, so each search continues after the last one.
    do at++;
    while (keys[at] && keys[at]?.id !== key.id);
    const neighbours = [keys[at - 1], keys[at + 1]].flatMap((other) => other?.text ?? []);
    const limit = limitOf({ limit: survey.expected.limits.get(key.id), comment: key.comment });
    return { file: survey.sourcePath, key, neighbours, limit };
  });
}

/** The error of the request, if it caused the missing translation. */
function errorOf(outcome: UnitOutcome, kind?: FailureKind): DragomanError | undefined {
  return 'failure' in outcome && (kind === undefined || outcome.kind === kind) ? outcome.error : undefined;
}

function countEngines(outcomes: readonly UnitOutcome[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) {
    if ('failure' in outcome) continue;
    const engine = outcome.engine ?? (outcome.memory && 'memory');
    if (engine !== undefined) counts.set(engine, (counts.get(engine) ?? 0) + 1);
  }
  return counts;
}

async function writeFiles(
  pending: ReadonlyMap<string, Survey>,
  surveyed: LanguageReport,
  answers: ReadonlyMap<string, ReadonlyMap<SlotId, Answer>>,
  context: LanguageContext,
): Promise<Omit<Synced, 'kept'>> {
  const { workspace, options } = context;
  const { locale } = surveyed;
  const before = surveyed.allFiles();
  const queue = new PQueue({ concurrency: FILES_AT_ONCE });
  const texts = new Set<string>();
  const written = new Map<string, Survey>();
  const results = new Map<string, ReadonlyMap<SlotId, KeyResult>>();
  let complete = true;
  const write = async (compared: Survey, report: FileReport): Promise<FileReport> => {
    const { resource } = compared;
    if (options.signal.aborted) {
      complete = false;
      return report;
    }
    try {
      // Translating may have taken minutes, so edits made meanwhile are read again.
      const survey = await workspace.refresh(compared);
      const ofFile = answers.get(survey.sourcePath);
      const answer: OutcomeOfKey = ({ id, text }) => {
        const found = ofFile?.get(id);
        return found?.text === text ? found.outcome : undefined;
      };
      const applied = await applyFile(survey, answer, {
        ...context,
        selection: options,
        toUtf8: options.toUtf8,
      });
      const { after, listResults, ...changes } = applied;
      if (options.onKeys) {
        results.set(resource.source, listResults());
        written.set(resource.source, after);
      }
      const finished = { ...reportFile(after, options, texts), ...changes };
      noteClean(workspace, after, finished, options);
      return finished;
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code === 'not_a_file') throw error;
      complete &&= error.code !== 'unwritable_output';
      return failedFile(resource, locale, error);
    }
  };
  const reports = resourcesOf(workspace.project, locale).map(async (resource, i) => {
    const report = before[i];
    if (!report) throw new DragomanError('internal', `${resource.source} was not compared`);
    const survey = pending.get(resource.source);
    return survey ? queue.add(() => write(survey, report)) : report;
  });
  const files = await Promise.all(reports);
  return { report: summarizeFiles(locale, files), complete, written, results };
}

/** The unsettled keys of a survey, with values as stored in memories, which have the links of the source. */
function openKeysOf({ plan, tags }: Survey): readonly PlannedKey[] {
  if (!tags || tags.isEmpty) return plan.open;
  return plan.open.map((key) => ({ ...key, value: key.value && tags.unlink(key.value) }));
}

/**
 * Stores in the memory what people translated or corrected since the last run, so that it takes precedence over an
 * engine's translation. Skips texts that cannot be aligned with their source or fail verification.
 */
export async function recordHumanEdits(
  keys: readonly PlannedKey[],
  memory: TranslationMemory,
  pair: LanguagePair,
): Promise<void> {
  const entries = keys.flatMap((key) => entryOf(key, pair.target) ?? []);
  if (entries.length > 0) await memory.store(entries, pair);
}

function entryOf(key: PlannedKey, target: string): MemoryEntry | undefined {
  const { blank, text, value, syntax, rule, review } = key;
  // Skips drafts, empty values, which only make sense for their key, and copies of the source, which are usually not
  // translated yet.
  if (blank || review || value === undefined || value === '' || value === text) return undefined;
  if (verify(key.forms ?? text, value, { syntax, locale: target, rule }).length > 0) return undefined;
  const source = parseMessage(text, syntax, rule);
  const message = memoryMessageOf(source, unitOf({ key }).context, target);
  const translations = alignTranslation(source, value, target, { keep: 'reading' });
  return message && translations && { ...message, translations, origin: 'human' };
}
