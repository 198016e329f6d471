import { resolve } from 'node:path';
import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { dataDirectory } from '../../base/user-directories.ts';
import type { PostgresPlace } from '../../store/postgres/place.ts';
import type { StorePlace } from '../../store/open-store.ts';
import type { S3Place } from '../../store/s3/place.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface StoreOptions {
  readonly dataDir?: string;
  readonly store?: string;
}

/** Adds `--data-dir` and `--store`, for commands on a server's store. */
export function addStoreOptions(command: Command): void {
  command.option(
    '--data-dir <directory>',
    "where the server keeps its data; default: DRAGOMAN_DATA_DIR, or the user's",
  );
  addSharedStoreOption(command);
}

export function addSharedStoreOption(command: Command): void {
  command.option('--store <url>', 'a PostgreSQL database instead, postgres://…; default: DRAGOMAN_STORE');
}

/**
 * The store: `--store` or `--data-dir`, otherwise `DRAGOMAN_STORE`, `DRAGOMAN_DATA_DIR`, or the system's directory for
 * user data.
 *
 * @throws DragomanError `usage` without a place for the store, or if both options are given
 */
export function storePlaceOf(options: StoreOptions, terminal: Terminal): StorePlace {
  if (options.store !== undefined && options.dataDir !== undefined) {
    throw new DragomanError('usage', '--store and --data-dir are mutually exclusive', {
      hint: 'Leave one of them out.',
    });
  }
  const shared = options.dataDir === undefined ? sharedStoreOf(options, terminal) : undefined;
  return shared ?? { directory: directoryOf(options, terminal) };
}

/** @throws DragomanError `usage` for a password that other users could read */
export function sharedStoreOf(
  { store }: Pick<StoreOptions, 'store'>,
  { env }: Terminal,
): PostgresPlace | undefined {
  if (store === '') throw new DragomanError('usage', '--store requires a database URL');
  if (store !== undefined) return namedDatabase('--store', store, env);
  const url = env['DRAGOMAN_STORE'] || undefined;
  return url === undefined ? undefined : { url, password: env['PGPASSWORD'] || undefined };
}

/** A data directory or a database, named by one option. @throws DragomanError `usage` */
export function namedPlace(option: string, value: string, { env, cwd }: Terminal): StorePlace {
  if (value === '') throw new DragomanError('usage', `${option} requires a directory or a database URL`);
  if (/^[a-z]+:\/\//i.test(value)) return namedDatabase(option, value, env);
  return { directory: resolve(cwd, value) };
}

/**
 * The bucket for a store's files, named by one option.
 *
 * @throws DragomanError `usage` with a data directory, which contains the files itself; errors of `s3PlaceOf`
 */
export async function bucketOf(
  option: string,
  url: string | undefined,
  store: StorePlace,
  { env }: Terminal,
): Promise<S3Place | undefined> {
  if (url === undefined) return undefined;
  if ('directory' in store) {
    throw new DragomanError(
      'usage',
      `${option} names a bucket, but a data directory keeps its files itself`,
      {
        hint: `Only PostgreSQL databases use buckets. Leave out ${option}.`,
      },
    );
  }
  const { s3PlaceOf } = await import('../../store/s3/place.ts');
  return s3PlaceOf(url, env, option);
}

function namedDatabase(option: string, url: string, env: NodeJS.ProcessEnv): PostgresPlace {
  if (hasPassword(url)) {
    throw new DragomanError('usage', `every user of this machine can read a password in ${option}`, {
      hint: 'Put it into PGPASSWORD, or into a file of mode 0600 that PGPASSFILE names.',
    });
  }
  return { url, password: env['PGPASSWORD'] || undefined };
}

/** Detects `user:password@` and `?password=`, even in invalid addresses. */
function hasPassword(url: string): boolean {
  return /^[^/?#]*\/\/[^/?#]*:[^/?#]*@/.test(url) || /[?&](?:ssl)?password=/i.test(url);
}

function directoryOf({ dataDir }: StoreOptions, { env, cwd }: Terminal): string {
  const named = dataDir ?? env['DRAGOMAN_DATA_DIR'];
  if (dataDir === '') throw new DragomanError('usage', '--data-dir requires a directory');
  if (named) return resolve(cwd, named);
  const usual = dataDirectory(env);
  if (usual !== undefined) return usual;
  throw new DragomanError('usage', 'no data directory given', {
    hint: 'Name one with --data-dir or DRAGOMAN_DATA_DIR.',
  });
}
