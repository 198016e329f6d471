import { join } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import type { Amount } from '../../../engines/price.ts';
import type { Project } from '../../../project/state/project.ts';
import type { SyncEngine } from '../../execution/sync-engine.ts';
import type { CommandContext } from '../../output/command.ts';
import { type ExitCode, INTERRUPTED } from '../../output/exit-code.ts';
import { count } from '../../terminal/table.ts';
import {
  beginWatching,
  changesBetween,
  type FileChange,
  type FileStates,
  statesOf,
  watchedDirectories,
} from './watch.ts';

/** More changed files are counted. */
const MOST_NAMED = 5;

export interface WatchedRun {
  readonly first: readonly Project[];
  /** Finds the projects as they are now. */
  readonly open: () => Promise<readonly Project[]>;
  readonly translate: (projects: readonly Project[], budget: WatchBudget) => Promise<SyncEngine>;
}

/** What all runs together may still spend. */
export interface WatchBudget {
  readonly maxCredits?: number | undefined;
  readonly maxCost?: Amount | undefined;
}

/** Translates, waits for a change of the projects' files, and so on until it is interrupted. */
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
        // The budget is that of all runs together.
        if (maxCredits !== undefined) maxCredits -= engine.spent();
        if (maxCost) {
          const { money, currency } = maxCost;
          maxCost = { money: money - engine.spending.spent, currency };
        }
      } catch (error) {
        // A file saved half-written is put right with the next change.
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

/** The files as the run left them, but for sources that changed meanwhile: they are still to be translated. */
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
  return [...named, ...(others > 0 ? [`and ${count(others, 'more file')}`] : [])].join(', ');
}
