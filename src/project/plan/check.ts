import { setImmediate as nextTurn } from 'node:timers/promises';
import { DragomanError } from '../../base/errors.ts';
import { entryOf } from '../../documents/localization/pairing.ts';
import type { TranslationMemory } from '../../pipeline/memory.ts';
import { lookUpUnits, memoryMessageOf, type LookupContext } from '../../pipeline/prepared-unit.ts';
import type { TranslationResources, Unit } from '../../pipeline/unit.ts';
import type { Project } from '../state/project.ts';
import { isUpToDate } from '../state/stored-state.ts';
import { listLanguage } from './key-list.ts';
import {
  type RunStart,
  beginRun,
  openWorkspace,
  reportUnchanged,
  type WorkspaceOptions,
} from './open-workspace.ts';
import type { PlannedKey } from './plan.ts';
import { countKeys, freePrice, priceLanguage, usedMemory, wantedKeys, type Pricing } from './pricing.ts';
import type { LanguageReport, MemoryCoverage, SyncReport, SimilarKey } from './report.ts';
import type { WriterFinder } from './provenance.ts';
import { surveyLanguage, type SurveyOptions } from './survey-language.ts';
import type { Workspace } from './workspace.ts';
import type { Survey } from './survey.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import type { SimilarTranslation } from '../../engines/engine.ts';
import { positionsIn } from '../../base/span.ts';
import { parseMessage } from '../../text/message.ts';
import { unitOf } from './key-action.ts';

export interface CheckOptions extends WorkspaceOptions, Pick<SurveyOptions, 'onCompared'> {
  readonly signal: AbortSignal;
}

/** The files of one language that need work, each with the keys to translate. */
export type WantedFiles = ReadonlyMap<Survey, readonly PlannedKey[]>;

/** Called for each language while its files are open. */
export type LanguageListener = (workspace: Workspace, locale: string) => Promise<void>;

export interface SurveyProjectOptions
  extends CheckOptions, Pick<TranslationResources, 'memory' | 'glossary'> {
  /** See `SurveyOptions`. */
  readonly listsUnreadable?: boolean | undefined;
  /** Whether to list similar texts from the translation memory too. */
  readonly similar?: boolean | undefined;
  /** Set to list keys with their provenance. */
  readonly findWriters?: WriterFinder | undefined;
  readonly onLanguage?: LanguageListener | undefined;
  /** Called with each language's keys that a sync would translate. */
  readonly onWanted?: ((project: Project, locale: string, files: WantedFiles) => void) | undefined;
  /** Whether to store nothing for later runs, not even the list of clean files. */
  readonly isDry?: boolean | undefined;
  /** The pricing of the engine that a sync would use. With it, the reports contain the credits. */
  readonly pricing?: Pricing | undefined;
}

/**
 * Compares the files of a project for `--frozen` and `--dry-run`. Only reads, and needs no engine and no lock.
 *
 * @throws DragomanError `configuration` for an unusable lock, `unreadable_input` if no source can be read and
 * `listsUnreadable` is not set, `interrupted`
 */
export async function checkProject(project: Project, options: SurveyProjectOptions): Promise<SyncReport> {
  const { root, source } = project;
  const beginning = await beginRun(project, options);
  if (project.targets.length === 0)
    return {
      root,
      source,
      languages: [],
      sources: await countSourceKeys(project, beginning),
      interrupted: false,
    };
  const unchanged = options.onLanguage ? undefined : reportUnchanged(project, beginning);
  if (unchanged) {
    const free = options.pricing ? freePrice(options.pricing) : {};
    const languages = unchanged.map((language) => ({ ...language, ...free }));
    return { root, source, languages, interrupted: false };
  }
  const opened = await openWorkspace(project, beginning);
  const { workspace, journal } = opened;
  const languages: LanguageReport[] = [];
  for (const locale of project.targets) {
    const files = new Map<Survey, readonly PlannedKey[]>();
    const onWork = (survey: Survey): void => void files.set(survey, wantedKeys(survey, options));
    const { report } = await surveyLanguage(workspace, locale, { ...options, onWork });
    await listLanguage(locale, { workspace, files: report.allFiles(), ...options });
    options.onWanted?.(project, locale, files);
    const { glossary, pricing } = options;
    const context = { memory: usedMemory(options), glossary, source, target: locale };
    const price = pricing && (await priceLanguage(pricing, { ...context, files, journal }));
    const inMemory = await surveyMemory(files, context, options);
    const wanted = [...files.values()].reduce((sum, keys) => sum + countKeys(keys), 0);
    languages.push({ ...report, wanted, ...price, memory: inMemory });
    await options.onLanguage?.(workspace, locale);
    workspace.release(locale);
  }
  const removedSources = opened.removed;
  const isWhole = removedSources.length === 0 && isUpToDate(project, opened);
  if (!options.isDry) await workspace.saveClean(isWhole ? opened.text : undefined);
  return { root, source, languages, removedSources, interrupted: false };
}

async function countSourceKeys(
  project: Project,
  beginning: RunStart,
): Promise<NonNullable<SyncReport['sources']>> {
  const { workspace } = await openWorkspace(project, beginning);
  const counts = new Map<string, number | DragomanError>();
  for (const resource of project.resources) {
    try {
      const { document } = await workspace.source(resource);
      const texts = document.slots.filter(({ source, value }) => (source ?? value).trim() !== '');
      counts.set(resource.source, new Set(texts.map(entryOf)).size);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      counts.set(resource.source, error);
    }
  }
  return counts;
}

/**
 * Counts the keys to be translated that have a translation in the translation memory; undefined without a memory.
 *
 * @throws DragomanError `interrupted`
 */
async function surveyMemory(
  files: WantedFiles,
  { memory, ...context }: LookupContext,
  { similar: looksForSimilar = false, signal }: SurveyProjectOptions,
): Promise<MemoryCoverage | undefined> {
  if (!memory) return undefined;
  const survey = { ...context, memory };
  let exact = 0;
  const similar: SimilarKey[] = [];
  // A large site has a hundred thousand texts to prepare.
  const asked = (await memory.hasSimilar(context)) ? files : [];
  for (const [file, keys] of asked) {
    const units = keys.map((key) => unitOf({ key }));
    const known = await lookUpUnits(units, survey);
    const positionOf = positionsIn(file.source.document.text);
    // The forms of a plural are one key, which the memory has completely or not at all.
    const open = new Set(keys.filter((_, i) => !known[i]).map(({ entry }) => entry));
    exact += new Set(keys.map(({ entry }) => entry)).size - open.size;
    for (const [i, key] of keys.entries()) {
      if (known[i] || !looksForSimilar) continue;
      // A memory answers synchronously. Without this turn of the event loop, an interruption would go unnoticed.
      await nextTurn();
      throwIfAborted(signal, 'interrupted while looking for similar texts');
      const [found] = await findSimilar(units[i], survey);
      if (!found) continue;
      const place = { file: file.sourcePath, ...positionOf(key.sourceOffset) };
      similar.push({ ...place, key: key.key, text: key.text, ...found });
    }
  }
  return looksForSimilar ? { exact, similar } : { exact };
}

async function findSimilar(
  unit: Unit | undefined,
  { memory, source, target }: LookupContext & { readonly memory: TranslationMemory },
): Promise<readonly SimilarTranslation[]> {
  const message =
    unit && memoryMessageOf(parseMessage(unit.value, unit.syntax, unit.rule), unit.context, target);
  return message ? memory.findSimilar(message, { source, target }, { most: 1 }) : [];
}
