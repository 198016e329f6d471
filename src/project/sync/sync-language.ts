import PQueue from 'p-queue';
import { DragomanError } from '../../base/errors.ts';
import type { SlotId } from '../../pipeline/pairing.ts';
import type { TranslationMemory } from '../../pipeline/memory.ts';
import type { FailureKind, UnitOutcome } from '../../pipeline/unit.ts';
import { applyFile, type Answer } from './apply-file.ts';
import type { Journal } from '../state/journal.ts';
import { recordHumanEdits } from './record-human-edits.ts';
import { listLanguage, type KeyResult, type KeysListener } from '../plan/key-list.ts';
import type { Lock } from '../state/lock.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { FileReport, LanguageReport } from '../plan/report.ts';
import type { Resource } from '../discover/resource.ts';
import { failedFile, reportFile, summarizeFiles, surveyLanguage } from '../plan/survey-language.ts';
import { wantedKeys } from '../plan/pricing.ts';
import type { Selection } from '../plan/key-action.ts';
import type { ProgressListener, TranslateKeys, WantedKey } from '../plan/wanted-key.ts';
import type { Survey, Workspace } from '../plan/workspace.ts';

/** Most of the time of a write is waiting for the disk. */
const FILES_AT_ONCE = 8;

export interface LanguageContext {
  readonly workspace: Workspace;
  readonly lock: Lock;
  readonly journal: Journal;
  readonly options: Selection & {
    readonly signal: AbortSignal;
    readonly onProgress?: ProgressListener | undefined;
    readonly onKeys?: KeysListener | undefined;
    readonly memory?: TranslationMemory | undefined;
  };
  readonly translate: TranslateKeys;
}

export interface LanguageResult {
  readonly report: LanguageReport;
  /** Nothing of it is left in the journal only. */
  readonly complete: boolean;
  /** Why the rest of it was left. */
  readonly stopped?: DragomanError | undefined;
}

/** A result with what a listing of the keys is made from. */
interface Synced extends LanguageResult {
  /** Of all files. */
  readonly files: readonly FileReport[];
  /** By source file. */
  readonly results?: ReadonlyMap<string, ReadonlyMap<SlotId, KeyResult>> | undefined;
}

/**
 * Translates what a language lacks, all files in one go so that no text is asked for twice, and writes the files. Then
 * the keys are listed, where somebody listens.
 */
export async function syncLanguage(locale: string, context: LanguageContext): Promise<LanguageResult> {
  const { files, results, ...result } = await translateLanguage(locale, context);
  await listLanguage(locale, { ...context, files, results, onKeys: context.options.onKeys });
  return result;
}

async function translateLanguage(locale: string, context: LanguageContext): Promise<Synced> {
  const { workspace, lock, options } = context;
  const { signal } = options;
  const work = new Map<string, readonly WantedKey[]>();
  const seen: PlannedKey[] = [];
  const surveyed = await surveyLanguage(workspace, locale, lock, {
    ...options,
    onWork: (survey) => {
      work.set(survey.resource.source, wantedIn(survey, options));
      seen.push(...survey.plan.keys);
    },
  });
  if (options.memory) {
    // First of all: what a human has just written may be wanted elsewhere.
    await recordHumanEdits(seen, options.memory, { source: workspace.project.source, target: locale });
  }
  const wanted = [...work.values()].flat();
  const outcomes = await context.translate(locale, wanted);
  const { files } = surveyed;
  if (outcomes instanceof DragomanError)
    return { report: { ...surveyed.report, error: outcomes }, complete: true, files };
  // Unfinished texts are no failures: what is finished is in the journal, the next run goes on from there.
  if (signal.aborted) return { report: surveyed.report, complete: false, files };
  const answers = new Map<string, Map<string, UnitOutcome>>();
  for (const [i, { file, key }] of wanted.entries()) {
    const outcome = outcomes[i];
    const ofFile = answers.get(file) ?? new Map<string, UnitOutcome>();
    answers.set(file, ofFile);
    if (outcome) ofFile.set(questionId(key), outcome);
  }
  const written = await writeFiles(locale, new Set(work.keys()), files, answers, context);
  const { report, complete } = written;
  return {
    ...written,
    report: { ...report, engines: countEngines(outcomes) },
    // Of a value that lacks a part, the other parts are in the journal: they have been paid for.
    complete: complete && !outcomes.some((outcome) => errorOf(outcome)),
    stopped: outcomes.map((outcome) => errorOf(outcome, 'stopped')).find((error) => error),
  };
}

function wantedIn(survey: Survey, selection: Selection): readonly WantedKey[] {
  const { keys } = survey.plan;
  const positions = new Map(keys.map((key, i) => [key, i]));
  return wantedKeys(survey, selection).map((key) => {
    const at = positions.get(key) ?? 0;
    const neighbours = [keys[at - 1], keys[at + 1]].flatMap((other) => other?.text ?? []);
    return { file: survey.resource.source, key, neighbours };
  });
}

/** What became of the request that the value was in, if that is why it has no translation. */
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
  locale: string,
  pending: ReadonlySet<string>,
  surveyed: readonly FileReport[],
  answers: ReadonlyMap<string, ReadonlyMap<string, UnitOutcome>>,
  context: LanguageContext,
): Promise<Synced> {
  const { workspace, options } = context;
  const queue = new PQueue({ concurrency: FILES_AT_ONCE });
  const texts = new Set<string>();
  const results = new Map<string, ReadonlyMap<SlotId, KeyResult>>();
  let complete = true;
  let done = 0;
  const write = async (resource: Resource, before: FileReport): Promise<FileReport> => {
    if (options.signal.aborted) {
      complete = false;
      return before;
    }
    try {
      // Read again: translating may have taken minutes, and whoever edited the file meanwhile keeps the edit.
      const survey = await workspace.survey(resource, locale, context.lock);
      const answer: Answer = (key) => answers.get(resource.source)?.get(questionId(key));
      const {
        after,
        results: ofKeys,
        ...applied
      } = await applyFile(survey, answer, {
        ...context,
        selection: options,
      });
      if (options.onKeys) results.set(resource.source, ofKeys);
      options.onProgress?.({ locale, phase: 'writing', done: ++done, total: pending.size });
      return { ...reportFile(after, options, texts), ...applied };
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code === 'not_a_file') throw error;
      complete &&= error.code !== 'unwritable_output';
      return failedFile(resource, locale, error);
    }
  };
  const reports = workspace.project.resources.map(async (resource, i) => {
    const before = surveyed[i] ?? failedFile(resource, locale, new DragomanError('internal', 'not surveyed'));
    return pending.has(resource.source) ? queue.add(() => write(resource, before)) : before;
  });
  const files = await Promise.all(reports);
  return { report: summarizeFiles(locale, files), complete, files, results };
}

/** The same key with another text is another question. */
function questionId(key: PlannedKey): string {
  return `${key.id}\0${key.text}`;
}
