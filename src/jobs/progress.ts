/** How often the progress of a unit is written down at most. */
const EVERY_MS = 250;

/** Passes on the latest value at once or, when that was just done, a little later. */
export class Progress {
  readonly #write: (value: number) => Promise<void>;
  #latest = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (value: number) => Promise<void>) {
    this.#write = write;
  }

  /** A value that is not larger than those before is none: the work is never shown to go back. */
  set(value: number): void {
    this.#latest = Math.max(this.#latest, value);
    if (this.#timer === undefined) this.#flush();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = Infinity;
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#latest <= this.#written) return;
    this.#written = this.#latest;
    void this.#write(this.#latest);
    this.#timer = setTimeout(() => this.#flush(), EVERY_MS).unref();
  }
}
