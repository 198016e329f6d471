import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { HeldStore } from '../shared/contents.ts';
import { SOURCE_FILE, type JobStore, type StoredFiles } from '../store.ts';
import { Bucket } from './bucket.ts';
import type { S3Place } from './place.ts';

/** Jobs to look up per query. */
const JOBS_IN_A_LOOK = 200;

/** Files as objects of a bucket: `<prefix>jobs/<job>/<file>`. The database decides which files are referenced. */
export function s3Files(place: S3Place, { filesOf }: Pick<JobStore, 'filesOf'>): StoredFiles {
  const bucket = new Bucket(place);
  const root = rootOf(place);
  const keyOf = keysIn(place);
  return {
    async write(jobId, fileId, path) {
      await bucket.put(keyOf(jobId, fileId), await readFile(path));
    },

    read: (jobId, fileId) => bucket.get(keyOf(jobId, fileId)),

    async remove(jobId) {
      // The job may exist if the answer to its commit was lost.
      if ((await filesOf([jobId])).has(jobId)) return;
      for await (const { key } of bucket.list(keyOf(jobId, '')))
        if (placeOf(root, key)) await bucket.delete(key);
    },

    async removeFile(jobId, fileId) {
      if ((await filesOf([jobId])).get(jobId)?.has(fileId) !== true)
        await bucket.delete(keyOf(jobId, fileId));
    },

    async sweep(olderThanMs) {
      const old: string[] = [];
      for await (const { key, ageMs } of bucket.list(root)) {
        if (ageMs > olderThanMs && placeOf(root, key)) old.push(key);
        if (old.length >= JOBS_IN_A_LOOK) await removeUnnamed(old.splice(0));
      }
      await removeUnnamed(old);
    },
  };

  async function removeUnnamed(keys: readonly string[]): Promise<void> {
    const places = keys.flatMap((key) => placeOf(root, key) ?? []);
    const named = await filesOf([...new Set(places.map(({ jobId }) => jobId))]);
    for (const { key, jobId, fileId } of places) {
      const files = named.get(jobId);
      const isNamed = files !== undefined && (fileId === SOURCE_FILE || files.has(fileId));
      if (!isNamed) await bucket.delete(key);
    }
  }
}

/**
 * The file that an object holds. Undefined for unexpected names: one with dots, slashes or escapes could address
 * another object or bucket.
 */
function placeOf(root: string, key: string) {
  const [, jobId, fileId] = /^([\w-]+)\/([\w-]+)$/.exec(key.slice(root.length)) ?? [];
  return jobId === undefined || fileId === undefined ? undefined : { key, jobId, fileId };
}

function rootOf({ prefix }: S3Place): string {
  return `${prefix}jobs/`;
}

function keysIn(place: S3Place): (jobId: string, fileId: string) => string {
  return (jobId, fileId) => `${rootOf(place)}${jobId}/${fileId}`;
}

/** Reads and writes the same files, for copying a whole store. */
export function s3Contents(place: S3Place): Pick<HeldStore, 'read' | 'write'> {
  const bucket = new Bucket(place);
  const keyOf = keysIn(place);
  return {
    read: (jobId, fileId) => bucket.get(keyOf(jobId, fileId)),
    async write(jobId, fileId, content) {
      await bucket.put(keyOf(jobId, fileId), await buffer(content));
    },
  };
}
