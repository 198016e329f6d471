import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCompiledCode } from '../../src/base/compiled-code.ts';
import { temporaryDirectory } from '../cli/harness.ts';

const { filename: program } = import.meta;
const isRoot = process.getuid?.() === 0;

function openIn(cache: string, cwd = temporaryDirectory(), command = 'sync'): string | undefined {
  return openCompiledCode(command, { env: { HOME: dirname(cache), XDG_CACHE_HOME: cache }, cwd, program });
}

/** A user's home with a directory for caches. */
function homeWithCache(): { readonly home: string; readonly cache: string } {
  const home = temporaryDirectory();
  mkdirSync(join(home, 'cache'), { mode: 0o700 });
  return { home, cache: join(home, 'cache') };
}

describe.skipIf(process.platform === 'win32')('the directory for compiled code', () => {
  it("is in the user's cache, and private", () => {
    const { cache } = homeWithCache();
    const directory = openIn(cache) ?? '';
    expect(directory.startsWith(join(cache, 'dragoman/compiled/sync-'))).toBe(true);
    for (const path of [directory, join(cache, 'dragoman')]) expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(openIn(cache)).toBe(directory);
  });

  it('is not in a checkout', () => {
    const { home, cache } = homeWithCache();
    mkdirSync(join(home, '.git'));
    expect(openIn(cache)).toBeUndefined();
    expect(readdirSync(cache)).toEqual([]);
  });

  it('is not in a checkout that a link leads to', () => {
    const { home, cache } = homeWithCache();
    mkdirSync(join(home, '.git'));
    const link = join(temporaryDirectory(), 'cache');
    symlinkSync(cache, link);
    expect(openIn(link)).toBeUndefined();
  });

  it('is not below the current directory, which may be a project without git', () => {
    const { home, cache } = homeWithCache();
    expect(openIn(cache, home)).toBeUndefined();
  });

  it('is not in an unpacked archive around the current directory', () => {
    const archive = temporaryDirectory();
    const [cache, cwd] = [join(archive, 'cache'), join(archive, 'app')];
    for (const path of [cache, cwd]) mkdirSync(path, { mode: 0o700 });
    const env = { HOME: temporaryDirectory(), XDG_CACHE_HOME: cache };
    expect(openCompiledCode('sync', { env, cwd, program })).toBeUndefined();
    expect(readdirSync(cache)).toEqual([]);
  });

  it('is in the home directory even if that also contains projects', () => {
    const { home, cache } = homeWithCache();
    mkdirSync(join(home, 'project'));
    expect(openIn(cache, join(home, 'project'))).toBeDefined();
  });

  it('is emptied if it has more files than a build has modules', () => {
    const { cache } = homeWithCache();
    const directory = openIn(cache) ?? '';
    mkdirSync(join(directory, 'v22'));
    for (let i = 0; i < 499; i++) writeFileSync(join(directory, 'v22', `${i}`), '');
    expect(readdirSync(join(openIn(cache) ?? '', 'v22'))).toHaveLength(499);
    writeFileSync(join(directory, 'v22', 'one more'), '');
    expect(openIn(cache)).toBe(directory);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([0o777, 0o775, 0o1777])('is not where others can write (%o)', (mode) => {
    const { cache } = homeWithCache();
    mkdirSync(join(cache, 'dragoman/compiled'), { recursive: true });
    chmodSync(join(cache, 'dragoman/compiled'), mode);
    // A directory that root shares with everybody has the sticky bit, like /tmp.
    expect(openIn(cache) !== undefined).toBe(isRoot && mode === 0o1777);
  });

  it.runIf(isRoot)("is not in another user's directory", () => {
    const { cache } = homeWithCache();
    mkdirSync(join(cache, 'dragoman'));
    chownSync(join(cache, 'dragoman'), 65_000, 65_000);
    expect(openIn(cache)).toBeUndefined();
    expect(existsSync(join(cache, 'dragoman/compiled'))).toBe(false);
  });

  it('is removed if it is the oldest of more than 16', () => {
    const { cache } = homeWithCache();
    const directories = Array.from({ length: 18 }, (_, i) => {
      const directory = openIn(cache, undefined, `command${i}`) ?? '';
      utimesSync(directory, i, i);
      return directory;
    });
    // Each opening beyond the sixteenth removed the oldest directory.
    expect(directories.filter((one) => existsSync(one))).toEqual(directories.slice(2));
  });
});
