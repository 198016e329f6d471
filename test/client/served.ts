import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { openJobs } from '../../src/jobs/open-jobs.ts';
import { createApp } from '../../src/server/app.ts';
import { noMetrics } from '../../src/server/log/metrics.ts';
import type { AppEnvironment } from '../../src/server/http/dependencies.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import { openStore } from '../../src/store/open-store.ts';

export interface Served {
  readonly app: Hono<AppEnvironment>;
  /** An account with this many credits; returns its key. */
  addKey(credits: number): Promise<string>;
  close(): Promise<void>;
}

/** The whole application of the server, with jobs. The caller closes it. */
export async function openServer(engine: Engine = createPseudoEngine()): Promise<Served> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-client-'));
  const store = await openStore({ directory });
  const instance = await store.register();
  const publicUrl = (): string => 'https://translate.example.org';
  const jobs = await openJobs({ instance, directory, engine, publicUrl, workers: 1 });
  const silent = (): void => undefined;
  const app = createApp({
    accounts: store.accounts,
    metering: instance.metering,
    storeReady: () => instance.ready(),
    service: createLocalService({ engine }),
    jobs,
    log: { debug: silent, info: silent, warn: silent, error: silent, close: () => Promise.resolve() },
    metrics: noMetrics,
    now: Date.now,
    options: {
      anyCaseKeyHeader: false,
      sdkPaths: false,
      maxConcurrency: 64,
      metrics: false,
      uploadDirectory: join(directory, 'uploads'),
      publicUrl,
    },
  });
  let accounts = 0;
  return {
    app,
    addKey: async (credits) => {
      const email = `user${++accounts}@example.com`;
      return (await store.accounts.create({ email, fullName: 'A User', credits })).key;
    },
    close: async () => {
      await jobs.close(0);
      await instance.close();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
