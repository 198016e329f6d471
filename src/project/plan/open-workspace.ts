import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { VERSION } from '../../base/version.ts';
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
  /** The glossary for `fixTerms`. */
  readonly glossary?: Glossary | undefined;
  /**
   * Identifies the program, because another build may get different results for the same files. Default: this build.
   */
  readonly version?: string | undefined;
  /** The directory for the clean state. Default: the user's cache directory. */
  readonly cacheDirectory?: string | undefined;
  /**
   * The user's state directory, for data that must survive a crash. Without it, a sync cannot run, and a check does not
   * see the finished work of an interrupted sync.
   */
  readonly stateDirectory?: string | undefined;
  /** Receives every file of every language with the final state of all its keys, even if there is nothing to do. */
  readonly onKeys?: KeysListener | undefined;
}

/**
 * The start of a run: the remembered state of the project, and its files, of which at most the digests have been
 * computed.
 */
export interface RunStart {
  readonly clean: CleanState;
  /** Whether the remembered state suffices. Listing keys or translating them again needs the files. */
  readonly isTrusted: boolean;
  readonly files: ProjectFiles;
  readonly stateDirectory: string | undefined;
  /** Our translations that lack one of these terms are translated again. */
  readonly terms: Glossary | undefined;
}

/**
 * Clones are updated and built without a new version. The name of a bundled file contains a hash of its code and of all
 * code that it imports.
 */
const BUILD = `${VERSION} ${basename(import.meta.url)}`;

export async function beginRun(project: Project, options: WorkspaceOptions): Promise<RunStart> {
  const { configuration, root, source } = project;
  // The user's format programs may return different results on the next run.
  const isRepeatable = !project.resources.some(({ format }) => format.isProgram);
  const run = isRepeatable ? null : randomUUID();
  // Adding or removing a page changes links in unchanged pages.
  const pages = project.targets.map((locale) => pagesOf(project, locale) ?? null);
  const settings = stringify([options.version ?? BUILD, source, configuration, run, pages]);
  const clean = await CleanState.open(root, settings, options.cacheDirectory);
  // Selected keys are looked up in clean files too.
  const isSelecting = (options.keys?.length ?? 0) > 0;
  const terms = options.fixTerms ? options.glossary : undefined;
  const isTrusted = options.onKeys === undefined && options.force !== true && !terms && !isSelecting;
  return { clean, isTrusted, files: new ProjectFiles(root), stateDirectory: options.stateDirectory, terms };
}

function stringify(settings: unknown): string {
  return JSON.stringify(settings, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}

const NONE: CleanCounts = { keys: 0, review: 0, edited: 0, unknown: 0, ...NO_TEXTS };

/** The reports on a project that needs no work and has not changed by a byte; undefined otherwise. */
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

/** A project with the state of earlier runs, and its files, which are read on demand. */
export interface OpenWorkspace extends StoredState {
  readonly workspace: Workspace;
}

/** @throws DragomanError `configuration` for an unusable lock */
export async function openWorkspace(
  project: Project,
  { clean, isTrusted, files, stateDirectory, terms }: RunStart,
): Promise<OpenWorkspace> {
  const state = await loadState(project, stateDirectory, (lines) => clean.knowsLines(lines));
  const known = isTrusted ? clean : undefined;
  return { ...state, workspace: new Workspace(project, state.lock, known, files, terms) };
}
