import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApertiumEngine } from '../../src/engines/apertium/apertium.ts';
import type { Engine } from '../../src/engines/engine.ts';

const cache = mkdtempSync(join(tmpdir(), 'dragoman-apertium-'));
process.once('exit', () => rmSync(cache, { recursive: true, force: true }));

/** The system's Apertium. Facts that tests learn about it stay out of the user's cache. */
export function openApertium(): Engine {
  return createApertiumEngine({ env: { ...process.env, XDG_CACHE_HOME: cache } });
}
