import { throwIfAborted } from '../../base/interruption.ts';
import type { Selection } from '../plan/key-action.ts';
import { wantedKeys } from '../plan/pricing.ts';
import type { ProgressListener } from '../plan/wanted-key.ts';
import type { Workspace } from '../plan/workspace.ts';

/** The comparisons of so many texts are kept for the work itself; those of further languages are made again. */
const MOST_KEPT = 50_000;

/** How far a run is over all of its languages, in texts: the values that the files lack. */
export class RunProgress {
  /** By locale; languages without any are left out. */
  readonly #wanted: ReadonlyMap<string, number>;
  readonly #onProgress: ProgressListener | undefined;
  #finished = 0;
  #shown = 0;
  #kept = 0;

  private constructor(wanted: ReadonlyMap<string, number>, onProgress: ProgressListener | undefined) {
    this.#wanted = wanted;
    this.#onProgress = onProgress;
  }

  /** Compares all languages. @throws DragomanError `interrupted`, or as `Workspace.compare`. */
  static async of(
    workspace: Workspace,
    options: Selection & {
      readonly signal: AbortSignal;
      readonly onProgress?: ProgressListener | undefined;
    },
  ): Promise<RunProgress> {
    const { resources, targets, covers } = workspace.project;
    const wanted = new Map<string, number>();
    let sum = 0;
    for (const locale of targets) {
      let texts = 0;
      for (const resource of resources) {
        throwIfAborted(options.signal, 'interrupted before anything was written');
        if (covers?.(resource, locale) === false) continue;
        const comparison = await workspace.compare(resource, locale);
        if (comparison.kind === 'compared') texts += wantedKeys(comparison.survey, options).length;
      }
      if (texts > 0) wanted.set(locale, texts);
      sum += texts;
      if (sum > MOST_KEPT) workspace.release(locale);
    }
    return new RunProgress(wanted, options.onProgress);
  }

  /** Texts that the run is to translate. */
  get wanted(): number {
    return [...this.#wanted.values()].reduce((sum, texts) => sum + texts, 0);
  }

  /** Those of them that the next run will not ask for: in files, or in the journal. */
  get kept(): number {
    return this.#kept;
  }

  /** @param share of the language's texts, from 0 to 1 */
  show(locale: string, share: number): void {
    const at = [...this.#wanted.keys()].indexOf(locale) + 1;
    // What is asked for again begins a count of its own: this one does not go back.
    const done = this.#finished + Math.floor((this.#wanted.get(locale) ?? 0) * share);
    this.#shown = Math.max(this.#shown, done);
    const { size: of } = this.#wanted;
    this.#onProgress?.({ label: locale, at, of, done: this.#shown, total: this.wanted, unit: 'texts' });
  }

  /** @param kept texts of the language that have a translation now */
  finish(locale: string, kept: number): void {
    this.#finished += this.#wanted.get(locale) ?? 0;
    this.#kept += kept;
  }
}
