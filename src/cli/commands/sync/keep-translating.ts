import { join, dirname } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import type { Amount } from '../../../engines/price.ts';
import { type Project, resourcesOf } from '../../../project/state/project.ts';
import type { SyncEngine } from '../../execution/sync-engine.ts';
import type { CommandContext } from '../../output/command.ts';
import { type ExitCode, INTERRUPTED } from '../../output/exit-code.ts';
import { pluralize } from '../../terminal/table.ts';
import { watch } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { listAt } from '../../../base/file-facts.ts';
import { systemError } from '../../../base/system-error.ts';

/** Longer lists of changed files are only counted. */
const MOST_NAMED = 5;

export interface WatchedRun {
  readonly first: readonly Project[];
  /** Opens the projects in their current state. */
  readonly open: () => Promise<readonly Project[]>;
  readonly translate: (projects: readonly Project[], budget: WatchBudget) => Promise<SyncEngine>;
}

/** The remaining budget of all runs together. */
export interface WatchBudget {
  readonly maxCredits?: number | undefined;
  readonly maxCost?: Amount | undefined;
}

/** Translates, waits for changes of the projects' files, and repeats until interrupted. */
export async function keepTranslating(
  { first, open, translate }: WatchedRun,
  budget: WatchBudget,
  { terminal: { signal }, output }: CommandContext,
): Promise<ExitCode> {
  let { maxCredits, maxCost } = budget;
  let projects = first;
  let trouble: string | undefined;
  let known: FileStates = new Map();
  let changes: readonly FileChange[] | undefined = [];
  for (;;) {
    if (changes) {
      output.message(
        `${new Date().toTimeString().slice(0, 8)} ${describeChanges(changes, (path) => output.shown(path))}`,
      );
      const before = statesOf(projects);
      try {
        const engine = await translate(projects, { maxCredits, maxCost });
        // The budget applies to all runs together.
        if (maxCredits !== undefined) maxCredits -= engine.spent();
        if (maxCost) {
          const { money, currency } = maxCost;
          maxCost = { money: money - engine.spending.spent, currency };
        }
      } catch (error) {
        // A half-saved file is fixed by the next change.
        if (!(error instanceof DragomanError) || signal.aborted) throw error;
        output.failure(error);
      }
      if (signal.aborted) return INTERRUPTED;
      known = afterRun(projects, before);
      output.message('watching for changes');
    }
    const pending = beginWatching(watchedDirectories(projects), signal);
    try {
      changes = await findChanges();
      if (changes) continue;
      if (!(await pending.change)) return INTERRUPTED;
      changes = await findChanges();
    } finally {
      pending.end();
    }
  }

  async function findChanges(): Promise<readonly FileChange[] | undefined> {
    try {
      projects = await open();
      trouble = undefined;
    } catch (error) {
      if (!(error instanceof DragomanError) || signal.aborted) throw error;
      if (trouble !== error.message) output.failure(error);
      trouble = error.message;
      return undefined;
    }
    const found = changesBetween(known, statesOf(projects));
    return found.length > 0 ? found : undefined;
  }
}

/**
 * The state of the files after a run. Sources that changed meanwhile keep their old state, so that they are translated
 * next.
 */
function afterRun(projects: readonly Project[], before: FileStates): FileStates {
  const states = new Map(statesOf(projects));
  for (const { root, resources } of projects) {
    for (const { source } of resources) {
      const path = join(root, source);
      const old = before.get(path);
      if (old !== undefined) states.set(path, old);
    }
  }
  return states;
}

function describeChanges(changes: readonly FileChange[], shown: (path: string) => string): string {
  if (changes.length === 0) return 'first run';
  const named = changes.slice(0, MOST_NAMED).map(({ path, kind }) => `${kind} ${shown(path)}`);
  const others = changes.length - named.length;
  return [...named, ...(others > 0 ? [`and ${pluralize(others, 'more file')}`] : [])].join(', ');
}

/** Editors save in several steps, and switching branches changes many files at once. */
const SETTLE_MS = 200;

/** In larger projects, only directories with sources are watched. */
const MOST_DIRECTORIES = 2_000;

/** The state of the projects' files, by absolute path: time and size. */
type FileStates = ReadonlyMap<string, string>;

/** The states of the files that affect the next run: sources, translations and configurations. */
function statesOf(projects: readonly Project[]): FileStates {
  const states = new Map<string, string>();
  const add = (path: string): void => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats) states.set(path, `${stats.mtimeMs} ${stats.size}`);
  };
  for (const project of projects) {
    if (project.configurationPath !== undefined) add(project.configurationPath);
    for (const { source } of project.resources) add(join(project.root, source));
    for (const locale of project.targets)
      for (const resource of resourcesOf(project, locale))
        add(join(project.root, resource.targetPath(locale)));
  }
  return states;
}

interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** Changed files, sorted by path. */
function changesBetween(before: FileStates, after: FileStates): readonly FileChange[] {
  const changes: FileChange[] = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === now) continue;
    changes.push({ path, kind: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed' });
  }
  return changes;
}

/**
 * The directories that contain files of the projects, or may in future: those of sources, their parents and
 * subdirectories.
 */
function watchedDirectories(projects: readonly Project[]): ReadonlySet<string> {
  const own = new Set(
    projects.flatMap(({ root, resources }) => resources.map(({ source }) => dirname(join(root, source)))),
  );
  const roots = new Set(projects.map(({ root }) => root));
  const all = new Set([...roots, ...own]);
  for (const { root } of projects)
    for (const directory of own)
      for (let above = directory; above.startsWith(root) && above !== root; above = dirname(above))
        all.add(above);
  for (const directory of all) {
    for (const entry of listAt(directory)) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      // Other directories next to the sources are irrelevant.
      if (!roots.has(directory) || own.has(directory)) all.add(join(directory, entry.name));
      if (all.size > MOST_DIRECTORIES) return new Set([...roots, ...own]);
    }
  }
  return all;
}

/** A wait that has started: no later change is missed. */
interface PendingChange {
  /** Resolves to true when files have changed and settled, to false if the signal aborts first. */
  readonly change: Promise<boolean>;
  end(): void;
}

/**
 * Watches directories without their subdirectories.
 *
 * @returns a wait whose `change` rejects with `unreadable_input` if a directory cannot be watched. The caller ends it.
 */
function beginWatching(directories: Iterable<string>, signal: AbortSignal): PendingChange {
  const own = new AbortController();
  const either = AbortSignal.any([signal, own.signal]);
  const events = [...directories].map((directory) => firstEvent(directory, either));
  const change = Promise.race(events).then(async () => {
    if (signal.aborted) return false;
    await sleep(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  });
  // The wait may end before anyone awaits it.
  change.catch(() => undefined);
  return { change, end: () => own.abort() };
}

async function firstEvent(directory: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const _event of watch(directory, { signal })) return;
  } catch (error) {
    if (signal.aborted) return;
    // The directory was removed, which is a change too.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw systemError('unreadable_input', `watch ${directory}`, error);
  }
}
