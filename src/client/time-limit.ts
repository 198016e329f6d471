const ENDED = new Error('ended');

/** Aborts when the time is up and when the caller aborts. Whoever starts it ends it. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #stop = (): void => this.#controller.abort(ENDED);
  #timer: NodeJS.Timeout | undefined;
  #expired = false;

  constructor(ms: number, outer: AbortSignal) {
    this.#outer = outer;
    if (outer.aborted) this.#stop();
    else outer.addEventListener('abort', this.#stop, { once: true });
    this.restart(ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was the time. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Begins again, with so many milliseconds. */
  restart(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.#stop();
    }, ms);
  }

  /** For work that is done. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#stop);
  }

  /** The same, and what still goes on under it ends. */
  abandon(): void {
    this.end();
    this.#stop();
  }
}
