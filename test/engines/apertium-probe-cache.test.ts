import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Mode } from '../../src/engines/apertium/modes.ts';
import { ProbeCache } from '../../src/engines/apertium/probe-cache.ts';

function installed(): {
  env: NodeJS.ProcessEnv;
  mode: Mode;
  dictionary: string;
  program: string;
  cache: string;
} {
  const root = mkdtempSync(join(tmpdir(), 'dragoman-probe-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'bin'));
  const program = join(root, 'bin/lt-proc');
  const dictionary = join(root, 'eng-spa.bin');
  const path = join(root, 'eng-spa.mode');
  writeFileSync(program, 'program');
  writeFileSync(dictionary, 'dictionary');
  writeFileSync(path, `lt-proc -b '${dictionary}'`);
  return {
    env: { XDG_CACHE_HOME: join(root, 'cache'), PATH: join(root, 'bin') },
    mode: { name: 'eng-spa', path, source: 'en', target: 'es' },
    dictionary,
    program,
    cache: join(root, 'cache/dragoman/apertium-modes.json'),
  };
}

async function remember(env: NodeJS.ProcessEnv, mode: Mode): Promise<void> {
  const cache = await ProbeCache.open(env);
  expect(await cache.knows(mode)).toBe(false);
  await cache.add(mode);
  await cache.save();
}

it('the probe cache remembers between runs which modes answer', async () => {
  const { env, mode } = installed();
  await remember(env, mode);
  expect(await (await ProbeCache.open(env)).knows(mode)).toBe(true);
});

it.each(['dictionary', 'program'] as const)('a mode is probed again when its %s changes', async (part) => {
  const { env, mode, ...files } = installed();
  await remember(env, mode);
  writeFileSync(files[part], 'other');
  utimesSync(files[part], 1, 1);
  expect(await (await ProbeCache.open(env)).knows(mode)).toBe(false);
});

it('an unreadable probe cache counts as empty, and an unwritable directory as none', async () => {
  const { env, mode, cache } = installed();
  await remember(env, mode);
  for (const text of ['{', 'null', '[1]', readFileSync(cache, 'utf8').replaceAll(/[0-9a-f]{64}/g, 'x')]) {
    writeFileSync(cache, text);
    expect(await (await ProbeCache.open(env)).knows(mode)).toBe(false);
  }
  const nowhere = await ProbeCache.open({ PATH: env.PATH, XDG_CACHE_HOME: mode.path });
  await nowhere.add(mode);
  await nowhere.save();
  expect(await nowhere.knows(mode)).toBe(true);
});
