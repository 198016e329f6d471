import type { Job } from '../../contract/jobs.ts';
import type { Output, Progress } from '../output.ts';
import { jobLine, keysOf, shareOf } from './report.ts';
import { oneLine } from '../terminal.ts';

const BAR = 20;
/** In a log a line for each tenth is enough. */
const STEPS = 10;

/** Shows how jobs get on: a bar for each on a terminal, elsewhere a line whenever one has come a good part further. */
export class JobProgress {
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #jobs = new Map<string, Job>();
  readonly #told = new Map<string, string>();

  constructor(output: Output, progress: Progress) {
    this.#output = output;
    this.#progress = progress;
  }

  show(job: Job): void {
    this.#jobs.set(job.id, job);
    if (this.#progress.draws) {
      this.#progress.update(['watching', ...[...this.#jobs.values()].map(barOf)].join('\n  '));
      return;
    }
    const state = `${job.status} ${Math.floor(shareOf(job) * STEPS)}`;
    if (this.#told.get(job.id) === state) return;
    this.#told.set(job.id, state);
    this.#output.message(jobLine(job));
  }

  stop(): void {
    this.#progress.stop();
  }
}

function barOf(job: Job): string {
  const share = shareOf(job);
  const full = Math.round(share * BAR);
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  return `${bar} ${percent} %  ${oneLine(job.original_filename)}  ${job.status}, ${keysOf(job)}`;
}
