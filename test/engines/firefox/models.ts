import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { installModelSet } from '../../../scripts/firefox/installation.ts';
import { makeModelSet, type Manner } from '../../../scripts/firefox/model-set.ts';

/** A directory that is removed after the tests of the file. */
export function sharedDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'firefox-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Installs tiny models of these names: `{ 'en-es': 'hostile' }`. */
export function installTiny(directory: string, models: Readonly<Record<string, Manner>>, seed = 7): string {
  for (const [i, [name, manner]] of Object.entries(models).entries()) {
    const [source = '', target = ''] = name.split('-');
    installModelSet(directory, source, target, makeModelSet(manner, seed + i));
  }
  return directory;
}
