import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Hono } from 'hono';
import type { Engine, EngineRequest } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { createApp } from '../../src/server/app.ts';
import { listen, type ListenerOptions } from '../../src/server/http/listener.ts';
import type { Log } from '../../src/server/log/log.ts';
import { noMetrics } from '../../src/server/log/metrics.ts';
import type { AppEnvironment, AppOptions, AppDependencies } from '../../src/server/http/dependencies.ts';
import type { JobService } from '../../src/service/service.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Account } from '../../src/store/account-store.ts';
import type { Store } from '../../src/store/store.ts';

export interface AppSettings extends Partial<Omit<AppDependencies, 'options'>> {
  readonly engine?: Engine;
  readonly creditsGranted?: number;
  readonly rateLimit?: number;
  readonly options?: Partial<AppOptions>;
}

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** The application with its own store and an account, without a socket. */
export interface TestApp {
  readonly app: Hono<AppEnvironment>;
  readonly store: Store;
  readonly directory: string;
  readonly key: string;
  readonly logged: readonly { readonly level: string; readonly fields: Record<string, unknown> }[];
  /** Sends a request with the account's key. */
  readonly ask: (path: string, init?: Init) => Promise<Response>;
  /** Sends a JSON body with the account's key. */
  readonly post: (path: string, body: unknown, init?: Init) => Promise<Response>;
  readonly account: () => Promise<Account>;
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-server-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export async function openApp(settings: AppSettings = {}): Promise<TestApp> {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  onTestFinished(() => store.close());
  const {
    engine = createPseudoEngine(),
    creditsGranted = 1_000,
    rateLimit = 0,
    options,
    ...given
  } = settings;
  const now = settings.now ?? Date.now;
  const instance = await store.register({ rates: { limit: rateLimit, windowMs: 60_000, now } });
  onTestFinished(() => instance.close());
  await instance.ready();
  const logged: { level: string; fields: Record<string, unknown> }[] = [];
  const app = createApp({
    accounts: store.accounts,
    metering: instance.metering,
    storeReady: () => instance.ready(),
    service: createLocalService({ engine }),
    jobs: noJobs,
    log: recordingLog(logged),
    metrics: noMetrics,
    now,
    ...given,
    options: {
      anyCaseKeyHeader: false,
      sdkPaths: false,
      maxConcurrency: 64,
      metrics: false,
      uploadDirectory: join(directory, 'uploads'),
      publicUrl: () => 'https://translate.example.org',
      ...options,
    },
  });
  const { account, key } = await store.accounts.create({
    email: 'anna@example.org',
    fullName: 'Anna Schmidt',
    credits: creditsGranted,
  });
  const ask: TestApp['ask'] = async (path, init = {}) =>
    app.request(path, { ...init, headers: { 'X-API-KEY': key, ...init.headers } });
  return {
    app,
    store,
    directory,
    key,
    logged,
    ask,
    post: (path, body, init = {}) =>
      ask(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
        headers: { 'Content-Type': 'application/json', ...init.headers },
      }),
    account: async () => {
      const found = await store.accounts.find(account.id);
      if (!found) throw new Error('the account is missing');
      return found;
    },
  };
}

export interface TestListener {
  readonly url: string;
  readonly port: number;
  readonly close: (graceMs: number) => Promise<void>;
}

/** Serves the application on a real socket. */
export async function listenTo(test: TestApp, options: Partial<ListenerOptions> = {}): Promise<TestListener> {
  const listener = await listen(test.app, { host: '127.0.0.1', port: 0, ...options });
  onTestFinished(() => listener.close(0));
  const { url } = listener;
  return { url, port: Number(new URL(url).port), close: (graceMs) => listener.close(graceMs) };
}

/** Sends raw bytes, and returns the answer until the server ends the connection or `ms` have passed. */
export function exchangeBytes(port: number, bytes: string | Uint8Array, ms = 5_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}

/** The status and the JSON body of raw answers. */
export function parseAnswer(raw: string): { status: number; head: string; body: unknown } {
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    body: body === '' ? undefined : JSON.parse(body),
  };
}

/** A scripted translator: texts with the word FAIL fail. Counts its calls. */
export function scriptedEngine(
  translate: (request: EngineRequest, signal: AbortSignal) => Promise<void> = () => Promise.resolve(),
): Engine & { calls: number } {
  const pseudo = createPseudoEngine();
  return {
    ...pseudo,
    calls: 0,
    async translate(request, signal) {
      this.calls++;
      await translate(request, signal);
      const outcomes = await pseudo.translate(request, signal);
      return outcomes.map((outcome, i) =>
        request.texts[i]?.includes('FAIL') ? { failure: 'the engine does not want to' } : outcome,
      );
    },
  };
}

const notHere = (): Promise<never> => Promise.reject(new Error('this test has no jobs'));

export function jobsOf(service: Partial<JobService>): Jobs {
  const whole: JobService = {
    createJob: notHere,
    listJobs: notHere,
    jobStatus: notHere,
    downloadJob: notHere,
    deleteJob: notHere,
    ...service,
  };
  return {
    of: () => whole,
    requireUploads: () => undefined,
    webhookBody: () => Promise.resolve(undefined),
    counts: () => Promise.resolve({ waiting: 0, running: 0 }),
    close: () => Promise.resolve(),
  };
}

const noJobs = jobsOf({});

function recordingLog(entries: { level: string; fields: Record<string, unknown> }[]): Log {
  const record = (level: string) => (fields: object) => void entries.push({ level, fields: { ...fields } });
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    close: () => Promise.resolve(),
  };
}
