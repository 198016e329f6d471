import { watch } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DragomanError } from '../../../base/errors.ts';
import { listAt } from '../../../base/file-facts.ts';
import { reasonOf } from '../../../base/system-error.ts';
import { resourcesOf, type Project } from '../../../project/state/project.ts';

/** Editors write a file in several steps, and branches change many files at once. */
const SETTLE_MS = 200;

/** Of a project with more, only those are watched that have sources. */
const MOST_DIRECTORIES = 2_000;

/** Files of projects as they are, by absolute path: time and size. */
export type FileStates = ReadonlyMap<string, string>;

/** What decides the next run: sources, translations and configurations. */
export function statesOf(projects: readonly Project[]): FileStates {
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

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** Changed files in the order of their paths. */
export function changesBetween(before: FileStates, after: FileStates): readonly FileChange[] {
  const changes: FileChange[] = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === now) continue;
    changes.push({ path, kind: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed' });
  }
  return changes;
}

/** The directories in which files of the projects are or may come: those of sources, above them and below them. */
export function watchedDirectories(projects: readonly Project[]): ReadonlySet<string> {
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
      // Files beside the sources' directories do not affect them.
      if (!roots.has(directory) || own.has(directory)) all.add(join(directory, entry.name));
      if (all.size > MOST_DIRECTORIES) return new Set([...roots, ...own]);
    }
  }
  return all;
}

/** A wait for a change that has begun: nothing that happens from now on is missed. */
export interface PendingChange {
  /** Resolves when something has changed and come to rest; false when the signal aborts first. */
  readonly change: Promise<boolean>;
  end(): void;
}

/**
 * Waits for changes in the directories themselves, not those below.
 *
 * @returns whose `change` rejects with `unreadable_input` when a directory cannot be watched. The caller ends the wait.
 */
export function beginWatching(directories: Iterable<string>, signal: AbortSignal): PendingChange {
  const own = new AbortController();
  const either = AbortSignal.any([signal, own.signal]);
  const events = [...directories].map((directory) => firstEvent(directory, either));
  const change = Promise.race(events).then(async () => {
    if (signal.aborted) return false;
    await sleep(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  });
  // It may be ended before anybody waits for it.
  change.catch(() => undefined);
  return { change, end: () => own.abort() };
}

async function firstEvent(directory: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const _event of watch(directory, { signal })) return;
  } catch (error) {
    if (signal.aborted) return;
    // It was removed, which is a change.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new DragomanError('unreadable_input', `cannot watch ${directory}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
