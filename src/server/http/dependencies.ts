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
  /** Runs the service's work outside this thread. */
  readonly text?: Pick<TextService, 'detect' | 'count' | 'parseBody'> | undefined;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Requests in progress. Default: counts this process only. */
  readonly inFlight?: InFlight | undefined;
  /** The memory limit of bodies. Default: a limit for this process only. */
  readonly memory?: BodyMemory | undefined;
  /** Simulated failures. */
  readonly faults?: Faults | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly options: AppOptions;
}

export interface AppOptions {
  /** Whether the key header is accepted in any case, because HTTP/2 proxies change it. */
  readonly anyCaseKeyHeader: boolean;
  /** Whether the paths of the official SDKs are served too. */
  readonly sdkPaths: boolean;
  /** Concurrent requests per key. */
  readonly maxConcurrency: number;
  /** Whether `GET /metrics` is served. */
  readonly metrics: boolean;
  /** Where uploads are staged. Created if missing. */
  readonly uploadDirectory: string;
  /** The base address, without a trailing slash. */
  readonly publicUrl: () => string;
}

/** The connection's Node objects; undefined if a test calls the application without a socket. */
export interface AppEnvironment {
  Bindings: Partial<HttpBindings>;
}

export type AppContext = Context<AppEnvironment>;
