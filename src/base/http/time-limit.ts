import type { Stop } from './transport.ts';

/** Stops when the time is up and when the caller aborts. The starter ends it. */
export class TimeLimit implements Stop {
  readonly #outer: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #expired = false;
  #stopped = false;
  #listener: (() => void) | undefined;
  #release: (() => void) | undefined;

  constructor(ms: number, outer: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(this.#expire, ms);
    if (outer.aborted) this.#stop();
    else outer.addEventListener('abort', this.#stop);
  }

  /** Whether it was the time. */
  get expired(): boolean {
    return this.#expired;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  onStop(listener: () => void): void {
    this.#listener = listener;
    if (this.#stopped) listener();
  }

  /** Begins again, with so many milliseconds; when it ends, in any way, `release` is called once. */
  keep(ms: number, release: () => void): void {
    this.#release = release;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#expire, ms);
  }

  /** For work that is done. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#stop);
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  /** What still goes on under it ends. */
  abandon(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.end();
    this.#listener?.();
  }

  readonly #expire = (): void => {
    this.#expired = true;
    this.#stop();
  };

  readonly #stop = (): void => {
    this.abandon();
  };
}
