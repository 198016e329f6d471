import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { CachedFiles } from '../../src/jobs/cached-files.ts';
import { temporaryDirectory } from '../store/harness.ts';

const nothing = (): Promise<void> => Promise.resolve();

it('a source is fetched again immediately after its copy made room for others', async () => {
  const files = new CachedFiles(temporaryDirectory(), {
    read: (jobId) => Promise.resolve(Readable.from([Buffer.from(jobId)])),
    write: nothing,
    remove: nothing,
    removeFile: nothing,
    sweep: nothing,
  });
  // One source more than the cache keeps: each one makes room for the next.
  const jobs = Array.from({ length: 17 }, (_, i) => `job${i}`);
  for (let round = 0; round < 20; round++)
    for (const id of jobs) {
      expect(await readFile(await files.borrowSource(id), 'utf8')).toBe(id);
      files.returnSource(id);
    }
});
