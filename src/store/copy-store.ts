import { createHash } from 'node:crypto';
import { takeAtMost } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import type { StorePlace } from './open-store.ts';
import type { S3Place } from './s3/place.ts';
import {
  copyRows,
  countRows,
  namedFiles,
  type HeldStore,
  type ExpectedFile,
  type StoreContents,
  type TableCount,
} from './shared/contents.ts';

export interface CopyOptions {
  readonly signal: AbortSignal;
  /** Only counts the content and checks whether it can be copied. */
  readonly dryRun?: boolean | undefined;
  readonly onFile?: ((done: number) => void) | undefined;
  /**
   * The object stores for files, if these are not in the store. After a failed copy, the written files stay in the
   * bucket.
   */
  readonly files?: { readonly from?: S3Place | undefined; readonly to?: S3Place | undefined } | undefined;
}

/** The verified counts of both stores; without `to` for a dry run. */
export interface CopyReport {
  readonly tables: readonly { readonly from: TableCount; readonly to?: TableCount }[];
  /** Counted when reading the source, and again in the copy. */
  readonly files: { readonly count: number; readonly bytes: number };
}

/**
 * Copies a whole store into an empty one: accounts with their keys, the ledger, jobs with their files, and pending
 * webhook calls. No server may run on either store. When it resolves, everything is copied and verified; otherwise
 * nothing is.
 *
 * @throws DragomanError `usage` if a server is running on one of the stores, or the second is not empty or belongs to
 * another user; `integrity` if a file is missing or the copy differs
 * @param to undefined for a dry run into a store that does not exist yet
 */
export async function copyStore(
  from: StorePlace,
  to: StorePlace | undefined,
  options: CopyOptions,
): Promise<CopyReport> {
  const source = await openContents(from, options.files?.from);
  try {
    if (!to) return await source.hold((held) => transfer(held, undefined, options));
    if ('directory' in to) {
      const { makePrivateDirectory } = await import('./sqlite/private-directory.ts');
      await makePrivateDirectory(to.directory);
    }
    const target = await openContents(to, options.files?.to);
    try {
      return await source.hold((held) =>
        target.hold(async (other) => {
          await requireEmpty(other);
          return transfer(held, options.dryRun ? undefined : other, options);
        }),
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openContents(place: StorePlace, files: S3Place | undefined): Promise<StoreContents> {
  const contents = await openStored(place);
  if (!files) return contents;
  const { s3Contents } = await import('./s3/s3-files.ts');
  const stored = s3Contents(files);
  return {
    hold: (work) => contents.hold((held) => work({ ...held, ...stored })),
    close: () => contents.close(),
  };
}

async function openStored(place: StorePlace): Promise<StoreContents> {
  if ('directory' in place) {
    const { openSqliteContents } = await import('./sqlite/sqlite-store.ts');
    return openSqliteContents(place.directory);
  }
  const { openPostgresContents } = await import('./postgres/postgres-store.ts');
  return openPostgresContents(place);
}

async function requireEmpty(held: HeldStore): Promise<void> {
  const first = (await countRows(held)).find(({ rows }) => rows > 0);
  if (!first) return;
  const what = `the store to copy to is not empty: it has ${first.rows} rows in ${first.table}`;
  throw new DragomanError('usage', what, { hint: 'A copy needs its own store: nothing is merged.' });
}

/**
 * Copies the content and checks the copy.
 *
 * @param to without it, the content is only counted, and every file is read
 */
async function transfer(
  from: HeldStore,
  to: HeldStore | undefined,
  { signal, onFile }: CopyOptions,
): Promise<CopyReport> {
  const counts = await countRows(from);
  const files = { count: 0, bytes: 0 };
  for await (const file of namedFiles(from)) {
    throwIfAborted(signal);
    files.bytes += to ? await copyFile(from, to, file) : (await measure(from, file)).bytes;
    files.count++;
    onFile?.(files.count);
  }
  if (!to) return { tables: counts.map((count) => ({ from: count })), files };
  await copyRows(from, to, signal);
  const copied = await countRows(to);
  const tables = counts.flatMap((count, i) =>
    copied.slice(i, i + 1).map((other) => ({ from: count, to: other })),
  );
  for (const table of tables) {
    const [was, is] = [JSON.stringify(table.from), JSON.stringify(table.to)];
    if (was !== is)
      throw new DragomanError('integrity', `the copy differs from the original: ${was} became ${is}`);
  }
  return { tables, files };
}

/** @returns its size in bytes, which the copy also has */
async function copyFile(from: HeldStore, to: HeldStore, file: ExpectedFile): Promise<number> {
  const { jobId, fileId, size } = file;
  const read = await open(from, file);
  await to.write(jobId, fileId, read);
  const written = await measure(to, file);
  if (read.digest === written.digest && (size ?? read.bytes) === read.bytes) return read.bytes;
  throw new DragomanError(
    'integrity',
    `the file ${fileId} of the job ${jobId} has ${read.bytes} bytes, and ${written.bytes} in the copy`,
    { hint: size === undefined ? undefined : `The store expects ${size}.` },
  );
}

/** Limit for a file without a recorded size: six times a server's largest upload. */
const MAX_SOURCE = 64 * 1024 * 1024;

/** Reads a file to its end. */
async function measure(held: HeldStore, named: ExpectedFile): Promise<Measured> {
  const file = await open(held, named);
  for await (const _ of file);
  return file;
}

async function open(held: HeldStore, { jobId, fileId, size }: ExpectedFile): Promise<Measured> {
  try {
    // A source is limited like an upload. For other files the store records the size, which is checked after reading.
    const most = Math.max(size ?? 0, MAX_SOURCE);
    return new Measured(takeAtMost(await held.read(jobId, fileId), most));
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'not_found') throw error;
    throw new DragomanError('integrity', `the file ${fileId} of the job ${jobId} is missing`, {
      hint: 'If the servers keep files in a bucket, name it with --from-files. Otherwise restore a backup, or delete the job.',
      cause: error,
    });
  }
}

/** A file, with its size and digest after it was read. */
class Measured implements AsyncIterable<Uint8Array> {
  readonly #content: AsyncIterable<Uint8Array>;
  readonly #hash = createHash('sha256');
  bytes = 0;

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#content = content;
  }

  /** May be read once. */
  get digest(): string {
    return this.#hash.digest('hex');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#content) {
      this.#hash.update(piece);
      this.bytes += piece.length;
      yield piece;
    }
  }
}
