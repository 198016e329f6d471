import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { sql as query } from 'kysely';
import type { Engine } from '../../../src/engines/engine.ts';
import { openJobs, type JobLimits } from '../../../src/jobs/open-jobs.ts';
import { createApp } from '../../../src/server/app.ts';
import { ResourceStack } from '../../../src/server/run-server.ts';
import { InFlight } from '../../../src/server/guards/in-flight.ts';
import { listen } from '../../../src/server/http/listener.ts';
import { createLog } from '../../../src/server/log/log.ts';
import { noMetrics } from '../../../src/server/log/metrics.ts';
import { Coordinator } from '../../../src/server/processes/coordinator.ts';
import type { SiblingProcesses } from '../../../src/server/processes/siblings.ts';
import { createLocalService } from '../../../src/service/local-service.ts';
import { openStore, type StorePlace } from '../../../src/store/open-store.ts';
import { PostgresConnections } from '../../../src/store/postgres/connections.ts';
import { openDatabase as openPostgresDatabase } from '../../../src/store/postgres/database.ts';
import { settingsOf } from '../../../src/store/postgres/place.ts';
import type { Database } from '../../../src/store/shared/database.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import type { JobRow, JobStore, Store } from '../../../src/store/store.ts';
import { startDeliveries, type Deliveries } from '../../../src/webhooks/deliveries.ts';
import { startBalancer } from '../balancer.ts';
import { createStore } from '../../postgres/store.ts';
import { certificateFor, type Certificate } from '../../webhooks/receiver.ts';
import { scriptedEngine } from '../harness.ts';
import { join as joinServer } from '../joined.ts';
import { Client } from './client.ts';

/** A clock that starts now and moves only when a test moves it. */
export class Clock {
  #time = Date.now();
  readonly now = (): number => this.#time;

  advance(ms: number): void {
    this.#time += ms;
  }
}

/** The clock of jobs and webhooks. Unless it moves, no webhook is retried. */
export class WebhookTime extends Clock {
  readonly #waiting = new Set<() => void>();

  readonly schedule = (run: () => void, delayMs: number): (() => void) => {
    // The clock may have moved while the wait was computed: then nothing would continue.
    if (delayMs <= 0) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    this.#waiting.add(run);
    return () => this.#waiting.delete(run);
  };

  /** Moves the clock, and wakes the waiting work. */
  elapse(ms: number): void {
    this.advance(ms);
    const due = [...this.#waiting];
    this.#waiting.clear();
    for (const run of due) run();
  }
}

export interface SpecifiedServer {
  readonly url: string;
  readonly port: number;
  /** The number of servers that answer in turn at this address. */
  readonly replicas: number;
  /** The number of these servers that count concurrent requests separately. */
  readonly counters: number;
  /** The directory with its data, in which several servers have one directory each. */
  readonly directory: string;
  readonly store: Store;
  /** Direct access to the tables, bypassing the store. */
  readonly database: Database;
  /** Used by the windows of the rate limit. */
  readonly clock: Clock;
  readonly webhookTime: WebhookTime;
  /** The certificate of the receivers that the server trusts. */
  readonly certificate: Certificate;
  /** The names of remaining uploads. */
  uploads(): Promise<readonly string[]>;
  /** The ids of jobs with files, wherever these are. */
  jobsWithFiles(): Promise<readonly string[]>;
  /** The server's log so far. */
  log(): string;
  newClient(settings?: { readonly credits?: number; readonly name?: string }): Promise<Client>;
  /** Makes texts with the word HOLD wait until the returned function is called. */
  hold(): () => void;
  /** Releases all waiting texts. */
  release(): void;
  /** The number of waiting engine calls; if `text` is given, only of those that contain it. */
  held(text?: string): number;
  /** Waits until a job is running. This and the next function query the store, so that no request is counted. */
  begun(jobId: string): Promise<void>;
  /** Waits for the end of a job. */
  ended(jobId: string): Promise<void>;
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;
const RATE_LIMIT = 60;
const MAX_CONCURRENCY = 64;
const WAIT_MS = 90_000;
const LOOK_MS = 20;

export interface SpecifiedSettings {
  /** Calls webhooks, including those on this machine. */
  readonly privateWebhooks?: boolean;
  readonly limits?: JobLimits;
  /** Whether the store is a PostgreSQL database. */
  readonly isShared?: boolean;
  /**
   * The number of servers behind the balancer. They use one data directory and share their limits, like those of
   * `serve --processes`.
   */
  readonly processes?: number;
  /** This many servers on a shared store, behind a balancer that gives each request to the next of them. */
  readonly replicas?: number;
}

/**
 * The whole server, assembled as `dragoman serve` does, on a free port with its own data directory. Texts with the word
 * FAIL fail. Time stands still until a test moves it.
 */
export async function startServer({
  privateWebhooks = false,
  limits,
  processes = 1,
  replicas: count = processes,
  isShared = count > processes,
}: SpecifiedSettings = {}): Promise<SpecifiedServer> {
  const closers = new ResourceStack();
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-specification-'));
  closers.add(() => rm(directory, { recursive: true, force: true }));
  const place = await placeOf(directory, isShared, closers);
  const database =
    'url' in place
      ? openPostgresDatabase(new PostgresConnections(settingsOf(place)))
      : await openDatabase(place.directory);
  closers.add(() => database.close());
  const gate = new Gate();
  const scripted = scriptedEngine(async ({ texts }) => {
    if (texts.some((text) => text.includes('HOLD'))) await gate.pass(texts.join('\n'));
  });
  let logged = '';
  let address = '';
  const shared: Shared = {
    place,
    privateWebhooks,
    limits,
    clock: new Clock(),
    webhookTime: new WebhookTime(),
    certificate: await certificateFor('localhost', '127.0.0.1'),
    // It answers even if interrupted, as engines of a server do.
    engine: { ...scripted, translate: (request) => scripted.translate(request, NEVER) },
    stream: new PassThrough().on('data', (chunk: Buffer) => (logged += chunk.toString())),
    publicUrl: () => address,
  };
  const coordinator = new Coordinator();
  closers.add(() => Promise.resolve(coordinator.close()));
  const replicas: Replica[] = [];
  for (let i = 0; i < count; i++) {
    const own = isShared && count > 1 ? join(directory, String(i)) : directory;
    const joined = processes > 1 ? await joinServer(coordinator, i, count) : undefined;
    replicas.push(await startReplica({ ...shared, siblings: joined?.siblings }, own, closers));
  }
  const [first] = replicas;
  if (!first) throw new Error('there is no server');
  if (count === 1) address = first.url;
  else {
    const balancer = await startBalancer(replicas.map(({ url }) => url));
    closers.add(() => balancer.close());
    address = balancer.url;
  }
  const { store, jobs } = first;
  let accounts = 0;
  return {
    url: address,
    port: Number(new URL(address).port),
    replicas: count,
    counters: count / processes,
    directory,
    store,
    database,
    clock: shared.clock,
    webhookTime: shared.webhookTime,
    certificate: shared.certificate,
    async uploads() {
      const places = replicas.map((replica) => join(replica.directory, 'uploads')).filter(existsSync);
      return (await Promise.all(places.map((place) => readdir(place)))).flat();
    },
    async jobsWithFiles() {
      if (!isShared) return readdir(join(directory, 'jobs'));
      const { rows } = await query<{ id: string }>`
        select distinct job_id as id from file_chunks order by 1`.execute(database.sql);
      return rows.map(({ id }) => id);
    },
    log: () => logged,
    async newClient({ credits = 1_000_000, name = 'Anna Schmidt' } = {}) {
      const email = `user${++accounts}@example.org`;
      const { account, key } = await store.accounts.create({ email, fullName: name, credits });
      return new Client(address, { accountId: account.id, email, key });
    },
    hold: () => gate.shut(),
    release: () => gate.open(),
    held: (text = '') => [...gate.waiting].filter(({ texts }) => texts.includes(text)).length,
    begun: (jobId) => untilJob(jobs, jobId, ({ status }) => status === 'processing'),
    ended: (jobId) => untilJob(jobs, jobId, (job) => job.completed_at !== null),
    close: async () => {
      gate.open();
      await closers.close();
    },
  };
}

/** Properties that servers on one store share. */
interface Shared {
  readonly place: StorePlace;
  readonly privateWebhooks: boolean;
  readonly limits: JobLimits | undefined;
  readonly clock: Clock;
  readonly webhookTime: WebhookTime;
  readonly certificate: Certificate;
  readonly engine: Engine;
  readonly stream: PassThrough;
  readonly publicUrl: () => string;
  readonly siblings?: SiblingProcesses | undefined;
}

interface Replica {
  readonly url: string;
  readonly directory: string;
  readonly store: Store;
  readonly jobs: JobStore;
}

async function startReplica(shared: Shared, directory: string, closers: ResourceStack): Promise<Replica> {
  const { clock, webhookTime, engine, publicUrl, siblings } = shared;
  const log = createLog({ level: 'debug', format: 'json', stream: shared.stream });
  closers.add(() => log.close());
  const store = await openStore(shared.place);
  closers.add(() => store.close());
  const instance = await store.register({
    rates: { limit: RATE_LIMIT, windowMs: 60_000, now: clock.now },
    others: siblings,
  });
  closers.add(() => instance.close());
  let deliveries: Deliveries | undefined;
  const jobs = await openJobs({
    instance,
    directory,
    engine,
    publicUrl,
    workers: 1,
    otherInspections: siblings,
    onJobEnded: () => deliveries?.wake(),
    allowPrivateWebhooks: shared.privateWebhooks,
    limits: shared.limits,
    log,
    now: webhookTime.now,
  });
  closers.add(() => jobs.close(0));
  instance.onNews((news) => {
    if (news === 'deliveries') deliveries?.wake();
  });
  const app = createApp({
    accounts: store.accounts,
    metering: instance.metering,
    storeReady: () => instance.ready(),
    service: createLocalService({ engine }),
    jobs,
    log,
    metrics: noMetrics,
    inFlight: new InFlight(MAX_CONCURRENCY, siblings),
    now: clock.now,
    options: {
      anyCaseKeyHeader: false,
      sdkPaths: false,
      maxConcurrency: MAX_CONCURRENCY,
      metrics: false,
      uploadDirectory: join(directory, 'uploads'),
      publicUrl,
    },
  });
  const listener = await listen(app, { host: '127.0.0.1', port: 0, log });
  closers.add(() => listener.close(0));
  if (shared.privateWebhooks) {
    deliveries = startDeliveries({
      store: instance.deliveries,
      bodyOf: (jobId) => jobs.webhookBody(jobId),
      allowPrivate: true,
      ca: shared.certificate.cert,
      log,
      now: webhookTime.now,
      schedule: webhookTime.schedule,
    });
    closers.add(() => deliveries?.close() ?? Promise.resolve());
  }
  return { url: listener.url, directory, store, jobs: instance.jobs };
}

async function placeOf(directory: string, isShared: boolean, closers: ResourceStack): Promise<StorePlace> {
  if (!isShared) return { directory };
  const { url, drop } = await createStore();
  closers.add(drop);
  return { url };
}

class Gate {
  readonly waiting = new Set<{ readonly texts: string }>();
  #opened: Promise<void> = Promise.resolve();
  open: () => void = () => undefined;

  shut(): () => void {
    this.#opened = new Promise((resolve) => (this.open = resolve));
    return this.open;
  }

  async pass(texts: string): Promise<void> {
    const call = { texts };
    this.waiting.add(call);
    await this.#opened;
    this.waiting.delete(call);
  }
}

async function untilJob(jobs: JobStore, id: string, isSo: (job: JobRow) => boolean): Promise<void> {
  const limit = Date.now() + WAIT_MS;
  for (;;) {
    const job = await jobs.find(id);
    if (job && isSo(job)) return;
    if (Date.now() > limit) throw new Error(`waited too long for job ${id}: ${job?.status}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
