import { DragomanError } from '../../base/errors.ts';
import { isInterrupted, throwIfAborted } from '../../base/interruption.ts';
import { beginRun, openWorkspace, reportUnchanged, type WorkspaceOptions } from '../plan/open-workspace.ts';
import { countKeys, wantedKeys } from '../plan/pricing.ts';
import type { ProgressListener } from '../plan/key-action.ts';
import type { Workspace } from '../plan/workspace.ts';
import { type Project, resourcesOf } from '../state/project.ts';

const MOST_KEPT = 100_000;

/** The keys that a project's files lack, by locale. Contains only languages that lack any. */
type WantedKeys = ReadonlyMap<string, number>;

interface CountOptions extends WorkspaceOptions {
  readonly signal: AbortSignal;
  /** Comparisons of up to this many keys are kept for the actual work; other languages are compared again. */
  readonly mostKept?: number | undefined;
}

/** Compares all languages. @throws DragomanError `interrupted`, or like `Workspace.compare`. */
async function countWanted(workspace: Workspace, options: CountOptions): Promise<WantedKeys> {
  const { mostKept = MOST_KEPT } = options;
  const wanted = new Map<string, number>();
  let compared = 0;
  for (const locale of workspace.project.targets) {
    let keys = 0;
    for (const resource of resourcesOf(workspace.project, locale)) {
      throwIfAborted(options.signal, 'interrupted before anything was written');
      const comparison = await workspace.compare(resource, locale);
      if (comparison.kind !== 'compared') continue;
      keys += countKeys(wantedKeys(comparison.survey, options));
      compared += comparison.survey.plan.wanted.length;
    }
    if (keys > 0) wanted.set(locale, keys);
    if (compared > mostKept) workspace.release(locale);
  }
  return wanted;
}

/** The numbers of languages and keys with work. */
interface WorkExtent {
  readonly languages: number;
  readonly keys: number;
}

const NOTHING: WorkExtent = { languages: 0, keys: 0 };

function amountOf(wanted: WantedKeys): WorkExtent {
  return { languages: wanted.size, keys: [...wanted.values()].reduce((sum, keys) => sum + keys, 0) };
}

function sumOf(amounts: readonly WorkExtent[]): WorkExtent {
  return amounts.reduce(
    (sum, { languages, keys }) => ({ languages: sum.languages + languages, keys: sum.keys + keys }),
    NOTHING,
  );
}

/** The work of one run in all of its projects, which are translated one after the other. */
export class RunAmounts {
  readonly #projects: readonly Project[];
  readonly #amounts = new Map<Project, WorkExtent>();

  constructor(projects: readonly Project[]) {
    this.#projects = projects;
  }

  /** The sum over all projects that have begun or follow one that has. */
  get all(): WorkExtent {
    return sumOf([...this.#amounts.values()]);
  }

  /**
   * Counts the keys that later projects lack, unless already known.
   *
   * @param own the keys that the project itself lacks
   * @returns the keys that the projects before it lacked
   */
  async begin(project: Project, own: WantedKeys, options: CountOptions): Promise<WorkExtent> {
    this.#amounts.set(project, amountOf(own));
    const at = this.#projects.indexOf(project);
    for (const later of this.#projects.slice(at + 1)) {
      if (!this.#amounts.has(later)) this.#amounts.set(later, await countLater(later, options));
    }
    return sumOf(this.#projects.slice(0, at).map((before) => this.#amounts.get(before) ?? NOTHING));
  }
}

async function countLater(project: Project, options: CountOptions): Promise<WorkExtent> {
  try {
    const beginning = await beginRun(project, options);
    if (reportUnchanged(project, beginning)) return NOTHING;
    const { workspace } = await openWorkspace(project, beginning);
    return amountOf(await countWanted(workspace, options));
  } catch (error) {
    // Errors of later projects are reported when those projects are translated.
    if (error instanceof DragomanError && !isInterrupted(error)) return NOTHING;
    throw error;
  }
}

export interface RunProgressOptions extends CountOptions {
  readonly onProgress?: ProgressListener | undefined;
  /** Shared by the projects of one run. Default: this project only. */
  readonly amounts?: RunAmounts | undefined;
}

/** The progress of a run over all of its languages, in missing keys, each counted once per language. */
export class RunProgress {
  readonly #wanted: WantedKeys;
  readonly #onProgress: ProgressListener | undefined;
  readonly #amounts: RunAmounts;
  readonly #before: WorkExtent;
  #finished = 0;
  #shown = 0;
  #kept = 0;

  private constructor(
    wanted: WantedKeys,
    before: WorkExtent,
    amounts: RunAmounts,
    onProgress: ProgressListener | undefined,
  ) {
    this.#wanted = wanted;
    this.#before = before;
    this.#amounts = amounts;
    this.#onProgress = onProgress;
  }

  /** @throws DragomanError `interrupted`, or like `Workspace.compare`. */
  static async of(workspace: Workspace, options: RunProgressOptions): Promise<RunProgress> {
    const { project } = workspace;
    const { amounts = new RunAmounts([project]), onProgress } = options;
    const wanted = await countWanted(workspace, options);
    return new RunProgress(wanted, await amounts.begin(project, wanted, options), amounts, onProgress);
  }

  /** Keys to translate in all projects of the run. */
  get wanted(): number {
    return this.#amounts.all.keys;
  }

  /** This project's keys that the next run will not request again: those in files or in the journal. */
  get kept(): number {
    return this.#kept;
  }

  /** @param share of the language's keys, from 0 to 1 */
  show(locale: string, share: number): void {
    const at = this.#before.languages + [...this.#wanted.keys()].indexOf(locale) + 1;
    // A retry restarts its own count, but this one must not decrease.
    const current = this.#finished + Math.floor((this.#wanted.get(locale) ?? 0) * share);
    this.#shown = Math.max(this.#shown, current);
    const { languages: of, keys: total } = this.#amounts.all;
    const done = this.#before.keys + this.#shown;
    this.#onProgress?.({ label: locale, at, of, done, total });
  }

  /** @param kept keys of the language that have a translation now */
  finish(locale: string, kept: number): void {
    this.#finished += this.#wanted.get(locale) ?? 0;
    this.#kept += kept;
  }
}
