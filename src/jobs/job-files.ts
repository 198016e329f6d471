import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { syncPath } from '../base/atomic-file.ts';
import { DragomanError } from '../base/errors.ts';
import { reasonOf } from '../base/system-error.ts';
import { SOURCE_FILE } from '../store/store.ts';

/** Directories that do not belong to a stored job yet: `.new-<instance>-<job>`. */
const NEW = /^\.new-(.+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A file without a row that is older than this will not get a row. */
export const STALE_MS = 10 * 60_000;

/** An upload that is on disk, but whose job is not stored yet. */
export interface StagedJob {
  /** The path of the source until {@link publish}. */
  readonly source: string;
  readonly bytes: number;
  /** Moves the file to the job's directory, before the commit that refers to it. */
  publish(): Promise<void>;
  /** Removes the file, before or after it was published. */
  discard(): Promise<void>;
}

/** The queries that a sweep needs. */
export interface SweepQueries {
  /** The existing jobs among these, with the ids of their translated files. */
  filesOf(jobIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** The registered processes. */
  instances(): Promise<ReadonlySet<string>>;
}

/** The files of the jobs. A file is complete and synced before any record refers to it, and never changes. */
export interface JobFiles {
  /** The directory in which a worker stores the translations of a job, each under its file id. */
  directoryOf(jobId: string): string;
  /** The path of a job's source, valid until {@link returnSource}. */
  borrowSource(jobId: string): Promise<string>;
  returnSource(jobId: string): void;
  /**
   * Copies an upload, which stays unchanged.
   *
   * @throws DragomanError `limit_exceeded` if it has more than `maxBytes`, `unreadable_input` if it is missing,
   * `unwritable_output` if the copy cannot be written
   */
  stage(jobId: string, path: string, maxBytes: number): Promise<StagedJob>;
  /** Makes a file permanent that a worker has written: once this resolves, a row may refer to it. */
  keep(jobId: string, fileId: string): Promise<void>;
  /** Removes a job's files, if any. A worker may still be writing there. */
  remove(jobId: string): Promise<void>;
  removeFile(jobId: string, fileId: string): Promise<void>;
  /** @throws if it does not exist */
  openTranslation(jobId: string, fileId: string): Promise<Readable>;
}

/** Files in the data directory: `<data-dir>/jobs/<job>/source`, with one file per translation next to it. */
export class DirectoryFiles implements JobFiles {
  readonly #root: string;
  readonly #instanceId: string;

  constructor(directory: string, instanceId: string) {
    this.#root = join(directory, 'jobs');
    this.#instanceId = instanceId;
  }

  async prepare(): Promise<void> {
    await attempt(`make ${this.#root}`, () => mkdir(this.#root, { recursive: true, mode: 0o700 }));
  }

  directoryOf(jobId: string): string {
    return join(this.#root, jobId);
  }

  borrowSource(jobId: string): Promise<string> {
    return Promise.resolve(this.fileOf(jobId, SOURCE_FILE));
  }

  returnSource(): void {
    // The source stays until the job is removed.
  }

  fileOf(jobId: string, fileId: string): string {
    return join(this.#root, jobId, fileId);
  }

  async stage(jobId: string, path: string, maxBytes: number): Promise<StagedJob> {
    const bytes = await requireFile(path, maxBytes);
    const directory = join(this.#root, `.new-${this.#instanceId}-${jobId}`);
    const source = join(directory, SOURCE_FILE);
    const discard = async (): Promise<void> => {
      await rm(directory, { recursive: true, force: true });
      await this.remove(jobId);
    };
    try {
      await attempt('store the file', async () => {
        await mkdir(directory, { mode: 0o700 });
        await copyFile(path, source, constants.COPYFILE_FICLONE);
        await syncPath(source);
        await syncPath(directory);
      });
    } catch (error) {
      await discard();
      throw error;
    }
    const publish = async (): Promise<void> => {
      await attempt('store the file', async () => {
        // A sweep uses the age of a file to decide whether it is a leftover.
        const now = new Date();
        await utimes(directory, now, now);
        await rename(directory, this.directoryOf(jobId));
        await syncPath(this.#root);
      });
    };
    return { source, bytes, publish, discard };
  }

  /** Nothing to do: the worker has written and synced the file in its final place. */
  keep(): Promise<void> {
    return Promise.resolve();
  }

  async remove(jobId: string): Promise<void> {
    await rm(this.directoryOf(jobId), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  async removeFile(jobId: string, fileId: string): Promise<void> {
    await rm(this.fileOf(jobId, fileId), { force: true });
  }

  async openTranslation(jobId: string, fileId: string): Promise<Readable> {
    return (await open(this.fileOf(jobId, fileId), 'r')).createReadStream();
  }

  /** Removes leftovers of processes that died between writing files and recording them. */
  async sweep(known: SweepQueries, now: number): Promise<void> {
    const names = await readdir(this.#root);
    const instances = await known.instances();
    const fresh = names.filter((name) => NEW.test(name));
    const abandoned = fresh.filter((name) => !instances.has(NEW.exec(name)?.[1] ?? ''));
    for (const name of abandoned) await rm(join(this.#root, name), { recursive: true, force: true });
    const jobs = names.filter((name) => !name.startsWith('.'));
    const files = await known.filesOf(jobs);
    for (const id of jobs) {
      const named = files.get(id);
      if (named) await this.#sweepJob(id, named, now);
      else if (await isOlder(this.directoryOf(id), now)) await this.remove(id);
    }
  }

  async #sweepJob(id: string, named: ReadonlySet<string>, now: number): Promise<void> {
    const names = await readdir(this.directoryOf(id)).catch(() => []);
    for (const name of names) {
      if (name === SOURCE_FILE || named.has(name)) continue;
      const path = this.fileOf(id, name);
      if (await isOlder(path, now)) await rm(path, { force: true });
    }
  }
}

/** @returns its size in bytes */
export async function requireFile(path: string, maxBytes: number): Promise<number> {
  const info = await stat(path).catch((error: unknown) => {
    throw new DragomanError('unreadable_input', `cannot read the file: ${reasonOf(error)}`, { cause: error });
  });
  if (!info.isFile()) throw new DragomanError('unreadable_input', 'the upload is not a regular file');
  if (info.size <= maxBytes) return info.size;
  throw new DragomanError('limit_exceeded', `the file cannot be larger than ${maxBytes / 1024 / 1024} MB`, {
    hint: 'Split it, or translate it here with dragoman i18n.',
  });
}

async function isOlder(path: string, now: number): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  return info !== undefined && now - info.mtimeMs > STALE_MS;
}

/** Writes a new file. The file and its directory entry are on disk when this resolves. */
export async function writeSynced(path: string, content: Uint8Array): Promise<void> {
  await attempt('store the translated file', async () => {
    await writeFile(path, content, { flag: 'wx', flush: true });
    await syncPath(join(path, '..'));
  });
}

export async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError('unwritable_output', `cannot ${what}: ${reasonOf(error)}`, { cause: error });
  }
}
