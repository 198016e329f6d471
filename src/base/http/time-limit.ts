import type { Stop } from './transport.ts';

/** Stops when the time is up or the caller aborts. The code that creates it ends it. */
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

  /** Whether the time is up. */
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

  /** Restarts the limit with this many milliseconds. Calls `release` once, when the limit ends in any way. */
  keep(ms: number, release: () => void): void {
    this.#release = release;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#expire, ms);
  }

  /** Call when the work is done. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#stop);
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  /** Stops pending work. */
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
