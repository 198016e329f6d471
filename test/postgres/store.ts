import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { migratePostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { sharedCluster, type Cluster } from './cluster.ts';

let shared: Promise<Cluster> | undefined;

/** The address of a store with tables, in its own schema. The caller drops it. */
export async function createStore(
  cluster?: Cluster,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const empty = await createSchema(cluster);
  await migratePostgresStore(empty);
  return empty;
}

/** Returns the address of a store without tables. */
export async function createSchema(
  cluster?: Cluster,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const server = cluster ?? (await (shared ??= sharedCluster()));
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await ask(server.url(), `create schema ${schema}`);
  return {
    url: `${server.url()}?options=-csearch_path%3D${schema}&application_name=${schema}`,
    drop: async () => {
      await ask(server.url(), `drop schema ${schema} cascade`);
    },
  };
}

/** The address of a store with tables, dropped after the test. */
export async function makeStore(): Promise<string> {
  const { url, drop } = await createStore();
  onTestFinished(drop);
  return url;
}

/** Runs a statement on a separate connection. */
export async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
