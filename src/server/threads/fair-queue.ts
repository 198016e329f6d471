import { interrupted } from '../../base/interruption.ts';

interface WaitingWork {
  readonly owner: string;
  readonly weight: number;
  start(): void;
}

/**
 * Runs light work concurrently up to a total weight, and heavier work alone. The waiting owner with the least work in
 * progress is next, so an owner who sends a lot of work cannot block the others.
 */
export class FairQueue {
  readonly #limit: number;
  readonly #active = new Map<string, number>();
  #waiting: WaitingWork[] = [];
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws DragomanError `interrupted` if `signal` aborts before the work starts; errors of the work */
  async run<T>(owner: string, weight: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(owner, weight, signal);
    try {
      return await work();
    } finally {
      this.#add(owner, -weight);
      this.#next();
    }
  }

  #enter(owner: string, weight: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingWork = {
        owner,
        weight,
        start: () => {
          signal.removeEventListener('abort', abort);
          this.#add(owner, weight);
          resolve();
        },
      };
      const abort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(interrupted());
        this.#next();
      };
      if (signal.aborted) return reject(interrupted());
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Nothing overtakes the next task, however light: otherwise heavy work could wait forever. */
  #next(): void {
    for (;;) {
      const next = this.#waiting.reduce<WaitingWork | undefined>(
        (least, one) => (!least || this.#of(one.owner) < this.#of(least.owner) ? one : least),
        undefined,
      );
      if (!next || (this.#weight > 0 && this.#weight + next.weight > this.#limit)) return;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.start();
    }
  }

  #of(owner: string): number {
    return this.#active.get(owner) ?? 0;
  }

  #add(owner: string, weight: number): void {
    const sum = this.#of(owner) + weight;
    if (sum > 0) this.#active.set(owner, sum);
    else this.#active.delete(owner);
    this.#weight += weight;
  }
}
