import { DragomanError } from '../base/errors.ts';

interface BudgetWindow {
  readonly startedAt: number;
  spentMs: number;
}

interface BudgetOptions {
  /** Milliseconds of inspection per window. */
  readonly ms: number;
  readonly windowMs: number;
  readonly now: () => number;
  /** The other processes of the server, whose inspection time counts as well. */
  readonly others?: OtherInspections | undefined;
}

export interface OtherInspections {
  inspected(spent: InspectionTime): void;
  onInspected(listener: (spent: InspectionTime) => void): void;
}

interface InspectionTime {
  readonly accountId: string;
  readonly ms: number;
}

/** Above this number of accounts, expired windows are removed. */
const MANY = 1_000;

/** The time spent reading each account's uploads. An account's window begins with its first upload. */
export class InspectionBudget {
  readonly #options: BudgetOptions;
  readonly #windows = new Map<string, BudgetWindow>();

  constructor(options: BudgetOptions) {
    this.#options = options;
    options.others?.onInspected(({ accountId, ms }) => {
      this.#windowOf(accountId).spentMs += ms;
    });
  }

  /** @throws DragomanError `rate_limited` if the window is used up */
  require(accountId: string): void {
    const { ms, windowMs, now } = this.#options;
    const { startedAt, spentMs } = this.#windowOf(accountId);
    if (spentMs < ms) return;
    const waitMs = Math.max(1, startedAt + windowMs - now());
    const seconds = Math.ceil(waitMs / 1_000);
    throw new DragomanError(
      'rate_limited',
      `reading the uploads of this account took more than ${ms / 1_000} seconds within ${windowMs / 1_000}; try again in ${seconds} seconds`,
      { retryAfterMs: waitMs },
    );
  }

  /**
   * Starts counting. Call the result to stop.
   *
   * @throws DragomanError `rate_limited` if the window is used up.
   */
  begin(accountId: string): () => void {
    this.require(accountId);
    const beganAt = performance.now();
    return () => {
      const ms = performance.now() - beganAt;
      this.#windowOf(accountId).spentMs += ms;
      this.#options.others?.inspected({ accountId, ms });
    };
  }

  #windowOf(accountId: string): BudgetWindow {
    const { windowMs, now } = this.#options;
    const isOver = ({ startedAt }: BudgetWindow): boolean => now() - startedAt >= windowMs;
    const known = this.#windows.get(accountId);
    if (known && !isOver(known)) return known;
    if (this.#windows.size >= MANY)
      for (const [id, window] of this.#windows) if (isOver(window)) this.#windows.delete(id);
    const window = { startedAt: now(), spentMs: 0 };
    this.#windows.set(accountId, window);
    return window;
  }
}
