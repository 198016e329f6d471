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
import { createAccount } from '../../src/store/accounts.ts';
import { Credits } from '../../src/store/credits.ts';
import { openDatabase } from '../../src/store/database.ts';
import { registerInstance } from '../../src/store/instance.ts';
import { RateWindows } from '../../src/store/rate-windows.ts';

export interface Served {
  readonly app: Hono<AppEnvironment>;
  /** An account with so many credits: its key. */
  addKey(credits: number): Promise<string>;
  close(): Promise<void>;
}

/** The whole application of the server, with jobs. Whoever opens it closes it. */
export async function openServer(engine: Engine = createPseudoEngine()): Promise<Served> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-client-'));
  const database = await openDatabase(directory);
  const instance = await registerInstance(database, directory);
  const publicUrl = (): string => 'https://translate.example.org';
  const jobs = await openJobs({ database, instance, directory, engine, publicUrl, workers: 1 });
  const silent = (): void => undefined;
  const app = createApp({
    database,
    credits: new Credits(database, instance.id),
    rates: new RateWindows(database, { limit: 0, windowMs: 60_000 }),
    service: createLocalService({ engine }),
    jobs,
    log: { debug: silent, info: silent, warn: silent, error: silent, close: () => Promise.resolve() },
    metrics: noMetrics,
    now: Date.now,
    options: {
      anyCaseKeyHeader: false,
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
      return (await createAccount(database, { email, fullName: 'A User', credits })).key;
    },
    close: async () => {
      await jobs.close(0);
      await instance.close();
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
