import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyStore } from '../../src/store/copy-store.ts';
import type { StorePlace } from '../../src/store/open-store.ts';
import { s3PlaceOf } from '../../src/store/s3/place.ts';
import { NUMBERED, TABLE_NAMES } from '../../src/store/shared/contents.ts';
import type { Database } from '../../src/store/shared/database.ts';
import type { Schema } from '../../src/store/shared/schema.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { makeStore } from '../postgres/store.ts';
import { fillStore } from './filled.ts';
import { S3Server } from './s3-server.ts';
import { accountWith, audit, postgresPlace, register, sqlitePlace, temporaryDirectory } from './harness.ts';

const { signal } = new AbortController();
const EMPTIED = new Set(['instances', 'holds', 'rate_windows', 'deleted_units']);

/** All rows of a store as text, sorted within each table. */
async function contentOf({ sql }: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const content: Record<string, readonly string[]> = {};
  for (const name of TABLE_NAMES) {
    const rows = await sql
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute();
    content[name] = rows
      .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort();
  }
  return content;
}

function filesOf(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(join(directory, 'jobs'), { recursive: true, withFileTypes: true });
  const paths = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(directory.length), readFileSync(path, 'latin1')]),
  );
}

async function isEmpty(database: Database): Promise<boolean> {
  return Object.values(await contentOf(database)).every((rows) => rows.length === 0);
}

async function emptyDatabase() {
  const url = await makeStore();
  return { url, ...(await postgresPlace(url)) };
}

describe('a copy', () => {
  it('into a directory has all rows and files, and nothing of running processes', async () => {
    const [from, to] = [temporaryDirectory(), temporaryDirectory()];
    await fillStore(from);
    await copyStore({ directory: from }, { directory: to }, { signal });
    const [source, target] = [await sqlitePlace(from), await sqlitePlace(to)];
    expect(await contentOf(target.database)).toEqual(await contentOf(source.database));
    expect(filesOf(to)).toEqual(filesOf(from));
    await audit(target);
  });

  it('covers every table', async () => {
    const { database } = await sqlitePlace();
    const tables = await database.sql.introspection.getTables();
    const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'));
    expect([...TABLE_NAMES].sort()).toEqual(names.sort());
  });

  it('is refused while a server is using the first store', async () => {
    const [from, to] = [temporaryDirectory(), temporaryDirectory()];
    await fillStore(from);
    const instance = await register(await (await sqlitePlace(from)).open());
    const target = await sqlitePlace(to);
    const copy = () => copyStore({ directory: from }, { directory: to }, { signal });
    await expect(copy()).rejects.toMatchObject({ code: 'usage', message: `a server is using ${from}` });
    await instance.close();
    await copy();
    await expect(copy()).rejects.toMatchObject({
      code: 'usage',
      message: 'the store to copy to is not empty: it has 2 rows in accounts',
    });
    expect(await isEmpty(target.database)).toBe(false);
  });

  it('is not made if a file is missing or has a different size, and can be made afterwards', async () => {
    const [from, to] = [temporaryDirectory(), temporaryDirectory()];
    const { jobId } = await fillStore(from);
    const place = await sqlitePlace(from);
    await place.database.sql
      .updateTable('job_units')
      .set({ file_size: 3 })
      .where('job_id', '=', jobId)
      .execute();
    const copy = (dryRun = false) => copyStore({ directory: from }, { directory: to }, { signal, dryRun });
    await expect(copy()).rejects.toMatchObject({ code: 'integrity', hint: 'The store expects 3.' });
    rmSync(join(from, 'jobs', jobId, 'f1'));
    for (const dryRun of [true, false])
      await expect(copy(dryRun)).rejects.toMatchObject({ code: 'integrity' });
    const target = await sqlitePlace(to);
    expect(await isEmpty(target.database)).toBe(true);
    await place.database.sql
      .updateTable('job_units')
      .set({ file_id: null, file_size: null })
      .where('job_id', '=', jobId)
      .execute();
    const report = await copy();
    expect(report.files.count).toBe(3);
  });
});

describe.skipIf(!hasPostgres)('a copy into PostgreSQL', () => {
  it('and back has all rows and files', async () => {
    const [from, back] = [temporaryDirectory(), temporaryDirectory()];
    await fillStore(from);
    const { url, ...place } = await emptyDatabase();
    const report = await copyStore({ directory: from }, { url }, { signal });
    expect(report.tables).toHaveLength(TABLE_NAMES.length - EMPTIED.size);
    const source = await contentOf((await sqlitePlace(from)).database);
    expect(await contentOf(place.database)).toEqual(source);
    await audit(place);
    const again = await copyStore({ url }, { directory: back }, { signal });
    expect(again).toEqual({
      ...report,
      tables: report.tables.map(({ from: count }) => ({ from: count, to: count })),
    });
    const returned = await sqlitePlace(back);
    expect(await contentOf(returned.database)).toEqual(source);
    expect(filesOf(back)).toEqual(filesOf(from));
    await audit(returned);
  });

  it('with files in a bucket and back has all of them', async () => {
    const bucket = await S3Server.start();
    onTestFinished(() => bucket.stop());
    const files = s3PlaceOf('s3://bucket/prefix', bucket.env);
    const [from, back] = [temporaryDirectory(), temporaryDirectory()];
    await fillStore(from);
    const { url, database } = await emptyDatabase();
    const report = await copyStore({ directory: from }, { url }, { signal, files: { to: files } });
    const names = Object.entries(filesOf(from)).map(([path, content]) => [`prefix${path}`, content]);
    const objects = [...bucket.objects].map(([key, { body }]) => [key, body.toString('latin1')]);
    expect(Object.fromEntries(objects)).toEqual(Object.fromEntries(names));
    const chunks = await database.sql.selectFrom(sql.table('file_chunks').as('chunks')).selectAll().execute();
    expect(chunks).toEqual([]);
    for (const dryRun of [true, false]) {
      await expect(copyStore({ url }, { directory: back }, { signal, dryRun })).rejects.toMatchObject({
        code: 'integrity',
        hint: expect.stringContaining('--from-files') as string,
      });
    }
    const again = await copyStore({ url }, { directory: back }, { signal, files: { from: files } });
    expect(again.files).toEqual(report.files);
    expect(filesOf(back)).toEqual(filesOf(from));
    expect(await contentOf((await sqlitePlace(back)).database)).toEqual(await contentOf(database));
    const missing = [...bucket.objects.keys()][0] ?? '';
    bucket.objects.delete(missing);
    const other = copyStore({ url }, { directory: temporaryDirectory() }, { signal, files: { from: files } });
    await expect(other).rejects.toMatchObject({ code: 'integrity' });
  });

  it('continues with its own numbers', async () => {
    const from = temporaryDirectory();
    const { accountId } = await fillStore(from);
    const { url, open, database } = await emptyDatabase();
    await copyStore({ directory: from }, { url }, { signal });
    const store = await open();
    await store.accounts.grant('anna@example.org', 5);
    const { jobs } = await register(store);
    const job = { id: 'new', accountId, filename: 'a.json', fileType: 'json', sourceLanguage: 'en' } as const;
    const rest = { targetLanguages: ['fr'], totalKeys: 1, bytes: 1, webhookUrl: undefined, now: 9 };
    expect(await jobs.insert({ ...job, ...rest })).toBeUndefined();
    const { jobs: listed } = await jobs.list(accountId, { limit: 1 });
    expect(listed.map(({ id, seq }) => [id, seq])).toEqual([['new', 4]]);
    const { last } = await database.sql
      .selectFrom('ledger')
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow();
    expect([NUMBERED.length, last]).toEqual([3, 622]);
  });

  it('is refused while a server is using the database, or if it is not empty', async () => {
    const from = temporaryDirectory();
    await fillStore(from);
    const { url, open, database } = await emptyDatabase();
    const copy = (a: StorePlace, b: StorePlace) => copyStore(a, b, { signal });
    const store = await open();
    const instance = await register(store);
    await expect(copy({ directory: from }, { url })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('a server is using 127.0.0.1') as string,
    });
    const back: StorePlace = { directory: temporaryDirectory() };
    await expect(copy({ url }, back)).rejects.toMatchObject({ code: 'usage' });
    await instance.close();
    await accountWith(store, 1);
    await expect(copy({ directory: from }, { url })).rejects.toMatchObject({ code: 'usage' });
    expect(await database.sql.selectFrom('accounts').select('email').execute()).toHaveLength(1);
  });

  it('leaves nothing when interrupted, and can be repeated', async () => {
    const from = temporaryDirectory();
    await fillStore(from, { files: 20 });
    const { url, database } = await emptyDatabase();
    const interruption = new AbortController();
    const onFile = (done: number): void => {
      if (done === 30) interruption.abort();
    };
    const place = { directory: from };
    await expect(copyStore(place, { url }, { signal: interruption.signal, onFile })).rejects.toMatchObject({
      code: 'interrupted',
    });
    expect(await isEmpty(database)).toBe(true);
    const { rows } = await database.sql.executeQuery<{ n: number }>(
      (await import('kysely')).CompiledQuery.raw('select count(*) as n from file_chunks'),
    );
    expect(rows).toEqual([{ n: 0 }]);
    const dry = await copyStore(place, { url }, { signal, dryRun: true });
    expect(await isEmpty(database)).toBe(true);
    const made = await copyStore(place, { url }, { signal });
    expect(dry).toEqual({ ...made, tables: made.tables.map(({ from: count }) => ({ from: count })) });
  });
});
