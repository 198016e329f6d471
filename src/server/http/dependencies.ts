import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Jobs } from '../../jobs/jobs.ts';
import type { TranslationService } from '../../service/service.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { Metering } from '../../store/store.ts';
import type { BodyMemory } from '../guards/body-memory.ts';
import type { Faults } from '../guards/faults.ts';
import type { InFlight } from '../guards/in-flight.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../log/metrics.ts';
import type { TextService } from '../threads/text-service.ts';

/** The parts of the application, which does not close them. */
export interface AppDependencies {
  readonly accounts: AccountStore;
  readonly metering: Metering;
  /** Resolves when the store has written something to its disk. */
  readonly storeReady: () => Promise<void>;
  readonly service: TranslationService;
  /** Work of the service that runs outside of this thread. */
  readonly text?: Pick<TextService, 'detect' | 'count' | 'parseBody'> | undefined;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Requests in work. Default: counted here alone. */
  readonly inFlight?: InFlight | undefined;
  /** The memory limit of bodies. Default: a limit for this process only. */
  readonly memory?: BodyMemory | undefined;
  /** Rehearsed failures. */
  readonly faults?: Faults | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly options: AppOptions;
}

export interface AppOptions {
  /** Whether a key's header may be written in any case, as HTTP/2 proxies do. */
  readonly anyCaseKeyHeader: boolean;
  /** Whether operations are answered as well at the paths that the official SDKs use. */
  readonly sdkPaths: boolean;
  /** Requests of one key that may be in work at once. */
  readonly maxConcurrency: number;
  /** Whether `GET /metrics` is answered. */
  readonly metrics: boolean;
  /** Where uploads are staged. Made where it is missing. */
  readonly uploadDirectory: string;
  /** The base address, without a slash at its end. */
  readonly publicUrl: () => string;
}

/** The connection's own objects; absent where a test calls the application without a socket. */
export interface AppEnvironment {
  Bindings: Partial<HttpBindings>;
}

export type AppContext = Context<AppEnvironment>;
