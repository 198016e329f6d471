import type { SyncProgress } from '../project/plan/wanted-key.ts';
import type { Output, Progress } from './output.ts';
import { count } from './table.ts';

/** Shows the steps of a sync, from the first one on: a run with nothing to do draws nothing. */
export class ShownProgress {
  readonly #output: Output;
  #opening: Promise<void> | undefined;
  #progress: Progress | undefined;
  #waiting: SyncProgress[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  show(step: SyncProgress): void {
    if (this.#progress) {
      showStep(step, this.#progress);
      return;
    }
    this.#waiting.push(step);
    this.#opening ??= this.#open();
  }

  async stop(): Promise<void> {
    await this.#opening;
    this.#progress?.stop();
  }

  async #open(): Promise<void> {
    const progress = await this.#output.progress();
    for (const step of this.#waiting) showStep(step, progress);
    this.#waiting = [];
    this.#progress = progress;
  }
}

function showStep({ locale, phase, done, total, file }: SyncProgress, progress: Progress): void {
  const job = `${file ?? ''} → ${locale}`;
  if (phase === 'waiting' && total === 0) progress.begin(`${job}: translated as a job`);
  else if (phase === 'waiting') progress.update(`${job}: ${done}/${total} keys`);
  else if (phase === 'translating' && done === 0)
    progress.begin(`${locale}: translating ${count(total, 'value')}`);
  else progress.update(`${locale}: ${phase} ${done}/${total} ${phase === 'writing' ? 'files' : 'values'}`);
}
