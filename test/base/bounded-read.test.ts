import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isMissing,
  readBounded,
  readBoundedSync,
  readChunks,
  readIfThere,
} from '../../src/base/bounded-read.ts';
import { projectWith } from '../cli/harness.ts';

type Read = (path: string, limit: number) => Promise<Buffer>;

const READS: readonly (readonly [string, Read])[] = [
  ['readBounded', (path, limit) => readBounded(path, { limit })],
  ['readBoundedSync', async (path, limit) => readBoundedSync(path, { limit: limit })],
  [
    'readChunks',
    async (path, limit) => {
      const chunks: Buffer[] = [];
      for await (const chunk of readChunks(path, { limit })) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  ],
];

describe.each(READS)('%s', (_name, read) => {
  it.each([0, 1, 4096, 65_535, 65_536, 65_537, 300_000])('reads %d bytes', async (size) => {
    const path = join(projectWith({ file: Buffer.alloc(size, 'x') }), 'file');
    expect((await read(path, size)).equals(Buffer.alloc(size, 'x'))).toBe(true);
    if (size > 0) await expect(read(path, size - 1)).rejects.toMatchObject({ code: 'limit_exceeded' });
  });

  it.runIf(process.platform === 'linux')('reads files without a size, but only up to the limit', async () => {
    expect((await read('/proc/self/status', 1_000_000)).toString()).toContain('VmRSS');
    await expect(read('/proc/self/status', 10)).rejects.toMatchObject({ code: 'limit_exceeded' });
  });

  it('reports errors with the file name', async () => {
    const root = projectWith({ file: 'x' });
    await expect(read(root, 10)).rejects.toMatchObject({
      code: 'not_a_file',
      message: `cannot read ${root}: is a directory`,
    });
    await expect(read('/dev/zero', 10)).rejects.toMatchObject({ code: 'not_a_file' });
    const missing = await read(join(root, 'none'), 10).catch((error: unknown) => error);
    expect(missing).toMatchObject({ code: 'unreadable_input' });
    expect(isMissing(missing)).toBe(true);
  });
});

describe('reading', () => {
  it('stops at the limit while a file grows', async () => {
    const path = join(projectWith({ file: Buffer.alloc(65_536) }), 'file');
    const chunks = readChunks(path, { limit: 100_000 });
    await chunks.next();
    appendFileSync(path, Buffer.alloc(100_000));
    await expect(
      (async () => {
        for await (const _ of chunks);
      })(),
    ).rejects.toMatchObject({ code: 'limit_exceeded' });
  });

  it('returns undefined for a missing file, and otherwise fails with the requested error code', async () => {
    const root = projectWith({});
    const options = { limit: 10, code: 'configuration' } as const;
    expect(await readIfThere(join(root, 'none'), options)).toBeUndefined();
    await expect(readIfThere(root, options)).rejects.toMatchObject({ code: 'configuration' });
    writeFileSync(join(root, 'file'), 'x');
    await expect(
      readBounded(join(root, 'file'), { limit: 10, inside: join(root, '..') }),
    ).resolves.toHaveLength(1);
    const outside = projectWith({});
    await expect(readBounded(join(root, 'file'), { limit: 10, inside: outside })).rejects.toThrow(
      /leads out/,
    );
  });
});
