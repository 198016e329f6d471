import { createHash, hash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../../base/user-directories.ts';
import type { Project } from './project.ts';

/**
 * A digest of everything that a sync reads: sources, targets, lock, configuration, and the program's version. Content
 * counts, no dates. Two equal digests mean that a sync would do, and report, the same.
 */
export function digestProject(project: Project, version: string): string {
  const { root, resources, targets, source } = project;
  const digest = createHash('sha256');
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const add = (path: string): void => {
    const head = buffer.write(`\0${path}\0`, 0);
    digest.update(readBehind(head, path, buffer));
  };
  digest.update(JSON.stringify([version, source, targets]));
  add(project.lockPath);
  for (const { path } of project.earlierLocks) add(path);
  if (project.configurationPath !== undefined) add(project.configurationPath);
  for (const resource of resources) {
    add(`${root}/${resource.source}`);
    for (const locale of targets) add(`${root}/${resource.targetPath(locale)}`);
  }
  return digest.digest('hex');
}

/**
 * The first `head` bytes of the buffer with their number and the file's bytes behind: in one piece, since for small
 * files every call counts.
 */
function readBehind(head: number, path: string, buffer: Buffer): Buffer {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return buffer.subarray(0, buffer.writeInt32LE(-1, head));
  }
  try {
    const start = head + 4;
    const length = readSync(file, buffer, start, buffer.length - start, 0);
    if (start + length === buffer.length)
      return Buffer.concat([buffer.subarray(0, head), readFileSync(path)]);
    buffer.writeInt32LE(length, head);
    return buffer.subarray(0, start + length);
  } catch {
    return buffer.subarray(0, buffer.writeInt32LE(-2, head));
  } finally {
    closeSync(file);
  }
}

/** What was found when there was nothing to do, kept for as long as nothing changes. */
export interface CleanState<Summary> {
  readonly digest: string;
  readonly summary: Summary;
}

/**
 * The last clean state of a project. It only ever saves the work of finding out again that there is none, so that a
 * cache that cannot be read or written is no error.
 */
export class CleanStateCache {
  readonly #path: string | undefined;

  /** @param directory default: the user's cache directory */
  constructor(root: string, directory: string | undefined = cacheDirectory()) {
    const name = `${hash('sha256', root, 'hex').slice(0, 32)}.json`;
    this.#path = directory === undefined ? undefined : join(directory, 'clean', name);
  }

  async read(): Promise<{ readonly digest: string; readonly summary: unknown } | undefined> {
    if (this.#path === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      if (typeof value !== 'object' || value === null) return undefined;
      const { digest, summary }: { digest?: unknown; summary?: unknown } = value;
      return typeof digest === 'string' ? { digest, summary } : undefined;
    } catch {
      return undefined;
    }
  }

  async write(state: CleanState<unknown> | undefined): Promise<void> {
    if (this.#path === undefined) return;
    try {
      if (!state) await rm(this.#path, { force: true });
      else {
        await mkdir(join(this.#path, '..'), { recursive: true, mode: 0o700 });
        await writeFile(this.#path, JSON.stringify(state), { mode: 0o600 });
      }
    } catch {
      // Nothing is lost but time.
    }
  }
}
