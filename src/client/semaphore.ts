import { interrupted, throwIfAborted } from '../base/interruption.ts';

/** A limited number of slots; callers wait in order when all are taken. */
export class Semaphore {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves to a function that releases the slot. @throws DragomanError `interrupted` */
  async take(signal: AbortSignal): Promise<() => void> {
    throwIfAborted(signal, UNSENT);
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(enter), 1);
        reject(interrupted(UNSENT));
      };
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(enter);
    });
  }
}

const UNSENT = 'the request was interrupted before it was sent';
