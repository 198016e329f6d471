import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { Connections } from '../../src/store/postgres/connections.ts';
import { openDatabase } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { settingsOf } from '../../src/store/postgres/place.ts';
import { sharedCluster, type Cluster } from './cluster.ts';

let shared: Promise<Cluster> | undefined;

/** The address of a store with tables, in a schema of its own, which is gone when the test is over. */
export async function makeStore(cluster?: Cluster): Promise<string> {
  const { url } = await makeEmptyStore(cluster);
  const database = openDatabase(new Connections(settingsOf({ url })));
  await migrate(database);
  await database.close();
  return url;
}

/** The same without tables. */
export async function makeEmptyStore(cluster?: Cluster): Promise<{ readonly url: string }> {
  const server = cluster ?? (await (shared ??= sharedCluster()));
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await ask(server.url(), `create schema ${schema}`);
  if (!cluster)
    onTestFinished(() => ask(server.url(), `drop schema ${schema} cascade`).then(() => undefined));
  return { url: `${server.url()}?options=-csearch_path%3D${schema}` };
}

/** Runs a statement on a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
