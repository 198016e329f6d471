import { within } from '../../base/within.ts';
import type { HealthReport } from '../../contract/account.ts';
import type { TranslationService } from '../../service/service.ts';

/** How long a report is reused: anyone may request it, and checking an engine can start programs. */
const FRESH_MS = 2_000;
const TIMEOUT_MS = 10_000;
/** A slower store cannot keep up with requests either. A slower engine keeps its last known state. */
const ANSWER_MS = 1_000;

interface ServerHealth {
  /** Whether the store and its disk respond, so that requests can be answered. */
  readonly isServing: boolean;
  readonly report: HealthReport;
}

export interface HealthSources {
  readonly service: Pick<TranslationService, 'health'>;
  /** Resolves when the store and the server have each written something to disk. */
  readonly storeReady: () => Promise<void>;
  readonly now: () => number;
}

/** The health of the service: concurrent requests share one check. */
export class Health {
  readonly #sources: HealthSources;
  #askedAt = -Infinity;
  #health: Promise<ServerHealth> | undefined;
  /** The engines' state when they last answered. */
  #known: HealthReport | undefined;

  constructor(sources: HealthSources) {
    this.#sources = sources;
  }

  ask(): Promise<ServerHealth> {
    const now = this.#sources.now();
    if (!this.#health || now - this.#askedAt >= FRESH_MS) {
      this.#askedAt = now;
      this.#health = this.#check();
      // Waiting requests get the failure; the next request checks again.
      this.#health.catch(() => (this.#health = undefined));
    }
    return this.#health;
  }

  async #check(): Promise<ServerHealth> {
    const [isServing, report] = await Promise.all([
      within(
        this.#sources.storeReady().then(() => true),
        ANSWER_MS,
        () => undefined,
      ).catch(() => false),
      within(this.#askEngines(), ANSWER_MS, () => undefined),
    ]);
    const known = report ?? { ...(this.#known ?? NEVER_ANSWERED), timestamp: new Date().toISOString() };
    return {
      isServing: isServing === true,
      report: isServing ? known : { ...known, status: 'unhealthy', detail: 'the store does not answer' },
    };
  }

  /** A late report is used by the next check. */
  async #askEngines(): Promise<HealthReport> {
    this.#known = await this.#sources.service.health({ signal: AbortSignal.timeout(TIMEOUT_MS) });
    return this.#known;
  }
}

const NEVER_ANSWERED = { status: 'unhealthy', detail: 'the engine does not answer' };
