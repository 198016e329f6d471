import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopback } from '../base/http/base-url.ts';
import { RATE_WINDOW_MS } from '../contract/limits.ts';
import type { EngineOptions } from '../engines/description.ts';
import type { Engine } from '../engines/engine.ts';
import { createEngine } from '../engines/registry.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { defaultWorkers, openJobs } from '../jobs/open-jobs.ts';
import { AccountResources, type AccountResourcesOptions } from '../resources/account-resources.ts';
import { openStore, type StorePlace } from '../store/open-store.ts';
import type { S3Place } from '../store/s3/place.ts';
import type { Instance, Store, StoredFiles } from '../store/store.ts';
import { type Deliveries, startDeliveries } from '../webhooks/deliveries.ts';
import { createApp } from './app.ts';
import { BodyMemory } from './guards/body-memory.ts';
import { parseFaults } from './guards/faults.ts';
import { InFlight } from './guards/in-flight.ts';
import { connectionsOf, type ListenerOptions, listen } from './http/listener.ts';
import type { Log } from './log/log.ts';
import { type Metrics, noMetrics } from './log/metrics.ts';
import { hideAccountErrors } from './operations/account-errors.ts';
import { openTextService } from './threads/text-service.ts';
import { waitForRoom, sweepUploads } from './http/upload.ts';
import type { SiblingProcesses } from './processes/siblings.ts';
import { makeWorkDirectory } from './work-directory.ts';

export interface ServerOptions {
  /** The store of accounts and jobs. With a shared store, uploads and copies go to a temporary directory. */
  readonly store: StorePlace;
  /** Where job files are stored, if not in the store. */
  readonly files?: S3Place | undefined;
  readonly listener: ListenerOptions;
  readonly engine: { readonly id: string; readonly options: EngineOptions };
  /** The glossary for the texts and files of all accounts. */
  readonly glossary?: AccountResourcesOptions['glossary'];
  /** The read-only memory for all accounts. The caller closes it after the server. */
  readonly memory?: AccountResourcesOptions['memory'];
  /** Requests per key and minute; 0 for no limit. */
  readonly rateLimit: number;
  /** Concurrent requests per key. */
  readonly maxConcurrency: number;
  /** How long finished jobs are kept, in milliseconds; undefined: until they are deleted. */
  readonly keepMs?: number | undefined;
  /**
   * How many files all processes of the server translate concurrently; undefined: one less than the number of
   * processors.
   */
  readonly jobWorkers?: number | undefined;
  /** The base address that clients use, if it differs from the one listened on. */
  readonly publicUrl?: string | undefined;
  readonly anyCaseKeyHeader: boolean;
  readonly sdkPaths: boolean;
  readonly webhookAllowPrivate: boolean;
  readonly metrics: boolean;
  /** The server's other processes, which share its limits. Default: none. */
  readonly siblings?: SiblingProcesses | undefined;
  /** In the command line's format: see `parseFaults`. */
  readonly faults: readonly string[];
  /** The caller closes it after the server. */
  readonly log: Log;
}

export interface RunningServer {
  /** The address listened on. */
  readonly url: string;
  /** Whether an account, and therefore a key, exists. */
  readonly hasAccounts: boolean;
  /** Guarantees that the store's settings do not give, as sentences for the operator. */
  readonly warnings: readonly string[];
  /**
   * Accepts no more requests, finishes current ones and closes everything. Work unfinished after {@link GRACE_MS} is
   * returned to the queue, and continues at the next start.
   */
  close(): Promise<void>;
}

const GRACE_MS = 30_000;
/** Engine answers are charged, so current calls continue without their clients. The calls have shorter time limits. */
const ENGINE_GRACE_MS = 10 * 60_000;
/** How long the engine may take to answer requests of departed clients, which are charged. */
const ANSWERS_MS = 10_000;
const ENGINE_START_MS = 10_000;
/** Time to charge the answers received before the engine closed. */
const CHARGES_MS = 2_000;
/** Short, because units that are returned to the queue start again when the server does. */
const JOBS_GRACE_MS = 5_000;

/**
 * Opens all parts of a server and listens. Closes them again if something fails.
 *
 * @throws DragomanError `usage`, `configuration`, `unwritable_output`, `store_unavailable`.
 */
export async function runServer(options: ServerOptions): Promise<RunningServer> {
  const closers = new ResourceStack();
  try {
    return await open(options, closers);
  } catch (error) {
    await closers.close().catch(() => undefined);
    throw error;
  }
}

async function open(options: ServerOptions, closers: ResourceStack): Promise<RunningServer> {
  const { log, siblings } = options;
  const faults = options.faults.length === 0 ? undefined : parseFaults(options.faults);
  const store = await openStore(options.store);
  closers.add(() => store.close());
  const directory = await directoryOf(options.store, closers);
  const uploadDirectory = join(directory, 'uploads');
  await sweepUploads(uploadDirectory, Date.now());
  const instance = await store.register({
    rates: { limit: options.rateLimit, windowMs: RATE_WINDOW_MS },
    others: siblings,
  });
  closers.add(() => instance.close());
  await instance.ready();
  const { engine, resources, texts, inFlight } = await openTranslation(options, store, closers);

  let address = '';
  const publicUrl = (): string => options.publicUrl ?? address;
  let deliveries: Deliveries | undefined;
  const counts = (): ReturnType<Jobs['counts']> => jobs.counts();
  const metrics = await metricsOf(options, counts);
  const jobs: Jobs = await openJobs({
    instance,
    directory,
    files: options.files && (await openS3(options.files, instance)),
    engine,
    resources,
    publicUrl,
    onCharged: (credits) => metrics.charge('i18n', credits),
    onJobEnded: () => deliveries?.wake(),
    keepMs: options.keepMs,
    workers: partOf(options.jobWorkers ?? defaultWorkers(), siblings),
    otherInspections: siblings,
    allowPrivateWebhooks: options.webhookAllowPrivate,
    failsLanguage: (code) => faults?.failsLanguage(code) ?? false,
    log,
  });
  closers.add(() => jobs.close(JOBS_GRACE_MS));
  instance.onNews((news) => {
    if (news === 'deliveries') deliveries?.wake();
  });

  // Load these first, so that the first client does not wait longer than others.
  await Promise.all([texts.load(), askEngine(engine)]);
  const app = createApp({
    accounts: store.accounts,
    metering: instance.metering,
    storeReady: () => requireWritable(instance, uploadDirectory),
    service: texts.service,
    text: texts,
    jobs,
    log,
    metrics,
    inFlight,
    memory: BodyMemory.ofProcesses(siblings?.processes ?? 1),
    faults,
    now: instance.now,
    options: { ...options, uploadDirectory, publicUrl },
  });
  closers.add(() => inFlight.idle(ANSWERS_MS));
  const listener = await listen(app, listenerOptions(options));
  closers.add(() => listener.close(GRACE_MS));
  address = listener.url;
  // The address must be known first, because deliveries contain it.
  deliveries = startDeliveries({
    store: instance.deliveries,
    bodyOf: (jobId) => jobs.webhookBody(jobId),
    allowPrivate: options.webhookAllowPrivate,
    log,
    now: instance.now,
    onResult: ({ outcome }) => metrics.countDelivery(outcome),
  });
  closers.add(() => deliveries?.close() ?? Promise.resolve());
  return {
    url: listener.url,
    hasAccounts: (await store.accounts.list()).length > 0,
    warnings: await store.warnings(),
    close: () => closers.close(),
  };
}

function listenerOptions(options: ServerOptions): ListenerOptions {
  const { siblings, listener, log } = options;
  const connections = connectionsOf(siblings?.processes ?? 1);
  return { connections, ...listener, source: siblings, log, hosts: ownHosts(options) };
}

/** Opens the engine, and registers what to close after its last request. */
async function openTranslation(options: ServerOptions, store: Store, closers: ResourceStack) {
  const { log } = options;
  const created = await createEngine(options.engine.id, {
    ...options.engine.options,
    graceMs: ENGINE_GRACE_MS,
    onTrouble: (_, err) =>
      log.warn({ code: err.code, err }, 'an engine of the chain is skipped for a minute'),
  });
  const engine = hideAccountErrors(created, log);
  const resources = new AccountResources({ ...options, store: store.resources });
  const texts = openTextService({ engine, resources, log });
  const inFlight = new InFlight(options.maxConcurrency, options.siblings);
  closers.add(() => texts.close());
  closers.add(() => inFlight.idle(CHARGES_MS));
  closers.add(() => engine.close());
  return { engine, resources, texts, inFlight };
}

/** Tries the engine early: otherwise the first health request would wait until all of Apertium's pairs are tried. */
async function askEngine(engine: Engine): Promise<void> {
  await engine.status(AbortSignal.timeout(ENGINE_START_MS)).catch(() => undefined);
}

/** Loaded only when needed, because the S3 client is slow to load. */
async function openS3(place: S3Place, { jobs }: Instance): Promise<StoredFiles> {
  const { s3Files } = await import('../store/s3/s3-files.ts');
  return s3Files(place, jobs);
}

/** Resolves when the store has written something to disk and this server has room for uploads. */
async function requireWritable(instance: Instance, uploads: string): Promise<void> {
  await Promise.all([instance.ready(), waitForRoom(uploads)]);
}

async function directoryOf(store: StorePlace, closers: ResourceStack): Promise<string> {
  if ('directory' in store) return store.directory;
  const directory = await makeWorkDirectory(tmpdir());
  closers.add(() => directory.remove());
  return directory.path;
}

/** Undefined if other machines can reach the server, because their names for it are unknown. */
function ownHosts({ listener, publicUrl }: ServerOptions): ListenerOptions['hosts'] {
  const listened = listener.host.includes(':') ? `[${listener.host}]` : listener.host.toLowerCase();
  if (!isLoopback(listened)) return undefined;
  const named = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  return (host) => isLoopback(host) || host === named;
}

/** Only servers with `--metrics` load the registry, which takes a while. */
async function metricsOf({ metrics, siblings }: ServerOptions, jobs: Jobs['counts']): Promise<Metrics> {
  if (!metrics) return noMetrics;
  const { startMetrics } = await import('./log/metrics-registry.ts');
  const started = startMetrics({ jobs, all: siblings && (() => siblings.metrics()) });
  siblings?.readMetricsBy(() => started.numbers());
  return started;
}

/** This process's part of a limit that all processes share. */
function partOf(total: number, siblings: SiblingProcesses | undefined): number {
  if (!siblings) return total;
  const { index, processes } = siblings;
  return Math.floor(total / processes) + (index < total % processes ? 1 : 0);
}

/** Opened resources, closed in reverse order, even if opening the next one fails. */
export class ResourceStack {
  readonly #closers: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes all of them, the last one first. A failure does not stop the rest. @throws the first failure */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      await close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
