import { createWriteStream, rmSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { takeAtMost } from '../base/bounded-read.ts';
import { MAX_FILE_BYTES } from '../contract/limits.ts';
import { SOURCE_FILE, type StoredFiles } from '../store/store.ts';
import { attempt, requireFile, type JobFiles, type StagedJob } from './job-files.ts';

/** How many sources stay on this machine after their last unit, for the next one. Each has at most 10 MB. */
const MAX_IDLE = 16;

interface CachedSource {
  readonly path: Promise<string>;
  users: number;
}

/** Files in the store, which all machines see. Workers get copies of the sources in a directory of this process. */
export class CachedFiles implements JobFiles {
  readonly #root: string;
  readonly #stored: StoredFiles;
  /** Least recently used first. */
  readonly #sources = new Map<string, CachedSource>();

  constructor(root: string, stored: StoredFiles) {
    this.#root = root;
    this.#stored = stored;
  }

  directoryOf(jobId: string): string {
    return join(this.#root, jobId);
  }

  async borrowSource(jobId: string): Promise<string> {
    const source = this.#sources.get(jobId) ?? { path: this.#fetch(jobId), users: 0 };
    source.users++;
    this.#sources.delete(jobId);
    this.#sources.set(jobId, source);
    try {
      return await source.path;
    } catch (error) {
      if (this.#sources.get(jobId) === source) this.#sources.delete(jobId);
      throw error;
    }
  }

  returnSource(jobId: string): void {
    const source = this.#sources.get(jobId);
    if (source) source.users--;
    const idle = [...this.#sources].filter(([, { users }]) => users <= 0);
    for (const [id] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) {
      this.#sources.delete(id);
      try {
        // At once, because the next unit of the job may fetch the source into the same directory.
        rmSync(this.directoryOf(id), { recursive: true, force: true });
      } catch {
        // The directory is removed with those of this process.
      }
    }
  }

  async stage(jobId: string, path: string, maxBytes: number): Promise<StagedJob> {
    return {
      source: path,
      bytes: await requireFile(path, maxBytes),
      publish: () => this.#stored.write(jobId, SOURCE_FILE, path),
      discard: () => this.#stored.remove(jobId),
    };
  }

  async keep(jobId: string, fileId: string): Promise<void> {
    const path = join(this.directoryOf(jobId), fileId);
    await this.#stored.write(jobId, fileId, path);
    await rm(path, { force: true });
  }

  async remove(jobId: string): Promise<void> {
    this.#sources.delete(jobId);
    await rm(this.directoryOf(jobId), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    await this.#stored.remove(jobId);
  }

  async removeFile(jobId: string, fileId: string): Promise<void> {
    await rm(join(this.directoryOf(jobId), fileId), { force: true });
    await this.#stored.removeFile(jobId, fileId);
  }

  async openTranslation(jobId: string, fileId: string): Promise<Readable> {
    return Readable.from(await this.#stored.read(jobId, fileId), { objectMode: false });
  }

  async #fetch(jobId: string): Promise<string> {
    const directory = this.directoryOf(jobId);
    const path = join(directory, SOURCE_FILE);
    const content = await this.#stored.read(jobId, SOURCE_FILE);
    await attempt(`copy a file to ${directory}`, async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const bounded = takeAtMost(content, MAX_FILE_BYTES);
      await pipeline(bounded, createWriteStream(`${path}.new`, { mode: 0o600 }));
      await rename(`${path}.new`, path);
    });
    return path;
  }
}
