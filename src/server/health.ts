import type { HealthReport } from '../contract/account.ts';
import type { TranslationService } from '../service/service.ts';

/** How long a report is given again: anybody may ask, and asking an engine can start programs. */
const FRESH_MS = 2_000;
const TIMEOUT_MS = 10_000;

/** The health of the service: concurrent requests share one check. */
export class Health {
  readonly #service: TranslationService;
  readonly #now: () => number;
  #askedAt = -Infinity;
  #report: Promise<HealthReport> | undefined;

  constructor(service: TranslationService, now: () => number) {
    this.#service = service;
    this.#now = now;
  }

  report(): Promise<HealthReport> {
    if (!this.#report || this.#now() - this.#askedAt >= FRESH_MS) {
      this.#askedAt = this.#now();
      this.#report = this.#service.health({ signal: AbortSignal.timeout(TIMEOUT_MS) });
      // Waiting requests get the failure; the next one checks again.
      this.#report.catch(() => (this.#report = undefined));
    }
    return this.#report;
  }
}
