import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeWorkDirectory } from '../../src/server/work-directory.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { makeStore } from '../postgres/store.ts';
import { serve } from './served.ts';

const LOCK = 'process.lock';

/** As if it had been created an hour ago. */
function age(directory: string): void {
  const then = Date.now() / 1_000 - 3_600;
  utimesSync(join(directory, LOCK), then, then);
}

function abandoned(parent: string, name: string): string {
  const directory = join(parent, name);
  mkdirSync(join(directory, 'uploads'), { recursive: true });
  writeFileSync(join(directory, 'uploads', 'file'), 'private');
  writeFileSync(join(directory, LOCK), '');
  age(directory);
  return directory;
}

describe('the directory of a server', () => {
  it('is removed with the server, or at the next start if the server was killed', async () => {
    const parent = temporaryDirectory();
    const killed = abandoned(parent, 'dragoman-serve-killed');
    const other = abandoned(parent, 'other-serve-killed');
    const running = await makeWorkDirectory(parent);
    age(running.path);
    const next = await makeWorkDirectory(parent);
    expect([killed, other, running.path, next.path].map((path) => existsSync(path))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    await Promise.all([running.remove(), next.remove()]);
    expect(readdirSync(parent)).toEqual(['other-serve-killed']);
  });

  it('keeps links, new directories, and entries without a lock', async () => {
    const parent = temporaryDirectory();
    const elsewhere = abandoned(temporaryDirectory(), 'kept');
    symlinkSync(elsewhere, join(parent, 'dragoman-serve-link'));
    mkdirSync(join(parent, 'dragoman-serve-earlier'));
    writeFileSync(join(parent, 'dragoman-serve-file'), '');
    mkdirSync(join(parent, 'dragoman-serve-linked-lock'));
    symlinkSync(join(elsewhere, LOCK), join(parent, 'dragoman-serve-linked-lock', LOCK));
    mkdirSync(join(parent, 'dragoman-serve-new'));
    writeFileSync(join(parent, 'dragoman-serve-new', LOCK), '');
    const before = readdirSync(parent).sort();
    await (await makeWorkDirectory(parent)).remove();
    expect(readdirSync(parent).sort()).toEqual(before);
    expect(existsSync(join(elsewhere, 'uploads', 'file'))).toBe(true);
  });
});

describe.skipIf(!hasPostgres)('a server that was killed', () => {
  it('leaves a directory that the next one removes', async () => {
    const [url, parent] = [await makeStore(), temporaryDirectory()];
    const start = async () => {
      const args = ['--store', url, '--public-url', 'http://127.0.0.1:1', '--engine', 'pseudo'];
      const server = await serve(args, temporaryDirectory(), { TMPDIR: parent });
      onTestFinished(async () => void (await server.stop()));
      return server;
    };
    const mine = () => readdirSync(parent).filter((name) => name.startsWith('dragoman-serve-'));
    const first = await start();
    const [left = ''] = mine();
    await first.kill();
    expect(mine()).toEqual([left]);
    age(join(parent, left));
    const second = await start();
    expect(mine()).toEqual([expect.not.stringContaining(left)]);
    await second.stop();
    expect(mine()).toEqual([]);
  });
});
