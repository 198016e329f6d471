import { randomUUID } from 'node:crypto';
import { VERSION } from '../../base/version.ts';
import { isProgramFormat } from '../../formats/registry.ts';
import { targetId } from '../discover/resource.ts';
import { CleanState, digestWhole, readCounts, type CleanCounts } from '../state/clean-state.ts';
import { resourcesOf, type Project } from '../state/project.ts';
import { NO_TEXTS } from '../state/text-counts.ts';
import { hasUnfinished, loadState, type StoredState } from '../state/stored-state.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import type { Selection } from './key-action.ts';
import type { KeysListener } from './key-list.ts';
import { ProjectFiles } from './project-files.ts';
import type { LanguageReport } from './report.ts';
import { reportClean, reportCounts } from './survey-language.ts';
import { pagesOf } from './follow-source.ts';
import { Workspace } from './workspace.ts';

export interface WorkspaceOptions extends Selection {
  /** Whose terms `fixTerms` is about. */
  readonly glossary?: Glossary | undefined;
  /** The program's version: another one may find other things in the same files. Default: this one's. */
  readonly version?: string | undefined;
  /** Where the clean state is remembered. Default: the user's cache directory. */
  readonly cacheDirectory?: string | undefined;
  /**
   * The user's state directory, for data that has to survive a crash. Without one a sync cannot run, and a check does not
   * see what an interrupted sync has finished.
   */
  readonly stateDirectory?: string | undefined;
  /** Receives every file of every language with all its keys in their final state, even if there is nothing to do. */
  readonly onKeys?: KeysListener | undefined;
}

/**
 * The beginning of a run: the remembered state of the project, and its files, of which at most the digests have been
 * computed.
 */
export interface RunStart {
  readonly clean: CleanState;
  /** Whether the remembered state suffices. Listing keys and translating them again need the files. */
  readonly isTrusted: boolean;
  readonly files: ProjectFiles;
  readonly stateDirectory: string | undefined;
  /** Our translations that lack one of its terms are translated again. */
  readonly terms: Glossary | undefined;
}

export async function beginRun(project: Project, options: WorkspaceOptions): Promise<RunStart> {
  const { configuration, root, source } = project;
  // The user's format programs may find something else in the next run.
  const isRepeatable = !project.resources.some(({ format }) => isProgramFormat(format));
  const run = isRepeatable ? null : randomUUID();
  // Another page of the project changes the links of those that are as they were.
  const pages = project.targets.map((locale) => pagesOf(project, locale) ?? null);
  const settings = stringify([options.version ?? VERSION, source, configuration, run, pages]);
  const clean = await CleanState.open(root, settings, options.cacheDirectory);
  // Keys that are asked for are looked for in files that are clean, too.
  const isSelecting = (options.keys?.length ?? 0) > 0;
  const terms = options.fixTerms ? options.glossary : undefined;
  const isTrusted = options.onKeys === undefined && options.force !== true && !terms && !isSelecting;
  return { clean, isTrusted, files: new ProjectFiles(root), stateDirectory: options.stateDirectory, terms };
}

function stringify(settings: unknown): string {
  return JSON.stringify(settings, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}

const NONE: CleanCounts = { keys: 0, review: 0, edited: 0, unknown: 0, ...NO_TEXTS };

/** The reports on a project in which nothing is to be done and no byte has changed since; undefined for any other. */
export function reportUnchanged(
  project: Project,
  { clean, isTrusted, files, stateDirectory }: RunStart,
): readonly LanguageReport[] | undefined {
  const { whole } = clean;
  if (!isTrusted || !whole || hasUnfinished(project, stateDirectory)) return undefined;
  if (whole.digest !== digestWhole(project, (path) => files.digestOf(path))) return undefined;
  return whole.languages.map(([locale, ...list]) => ({
    locale,
    ...reportCounts(readCounts(list) ?? NONE),
    files: [],
    allFiles: () =>
      resourcesOf(project, locale).map((resource) => {
        return reportClean(resource, locale, clean.find(targetId(resource, locale)) ?? NONE);
      }),
  }));
}

/** A project with the state of earlier runs, and its files as they are read. */
export interface OpenWorkspace extends StoredState {
  readonly workspace: Workspace;
}

/** @throws DragomanError `configuration` for a lock that cannot be used. */
export async function openWorkspace(
  project: Project,
  { clean, isTrusted, files, stateDirectory, terms }: RunStart,
): Promise<OpenWorkspace> {
  const state = await loadState(project, stateDirectory, (lines) => clean.knowsLines(lines));
  const known = isTrusted ? clean : undefined;
  return { ...state, workspace: new Workspace(project, state.lock, known, files, terms) };
}
