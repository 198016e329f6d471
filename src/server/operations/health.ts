import type { HealthReport } from '../../contract/account.ts';
import type { TranslationService } from '../../service/service.ts';

/** How long a report is given again: anybody may ask, and asking an engine can start programs. */
const FRESH_MS = 2_000;
const TIMEOUT_MS = 10_000;
/** A store that takes longer cannot keep up with requests either. */
const STORE_MS = 1_000;

interface ServerHealth {
  /** Whether requests can be answered at all: the store and its disk answer. */
  readonly isServing: boolean;
  readonly report: HealthReport;
}

export interface HealthSources {
  readonly service: Pick<TranslationService, 'health'>;
  /** Resolves when the store has written something to its disk, and the server to its own. */
  readonly storeReady: () => Promise<void>;
  readonly now: () => number;
}

/** The health of the service: concurrent requests share one check. */
export class Health {
  readonly #sources: HealthSources;
  #askedAt = -Infinity;
  #health: Promise<ServerHealth> | undefined;

  constructor(sources: HealthSources) {
    this.#sources = sources;
  }

  ask(): Promise<ServerHealth> {
    const now = this.#sources.now();
    if (!this.#health || now - this.#askedAt >= FRESH_MS) {
      this.#askedAt = now;
      this.#health = this.#check();
      // Waiting requests get the failure; the next one checks again.
      this.#health.catch(() => (this.#health = undefined));
    }
    return this.#health;
  }

  async #check(): Promise<ServerHealth> {
    const { service, storeReady } = this.#sources;
    const [isServing, report] = await Promise.all([
      answersInTime(storeReady),
      service.health({ signal: AbortSignal.timeout(TIMEOUT_MS) }),
    ]);
    return {
      isServing,
      report: isServing ? report : { ...report, status: 'unhealthy', detail: 'the store does not answer' },
    };
  }
}

async function answersInTime(ask: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), STORE_MS);
  });
  const answered = ask().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
