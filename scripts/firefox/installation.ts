import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelSet } from './model-set.ts';

/** Installs a model set where the engine looks for it, as if it had been downloaded. */
export function installModelSet(directory: string, source: string, target: string, set: ModelSet): void {
  mkdirSync(join(directory, 'files'), { recursive: true });
  const files: Record<string, { sha256: string; size: number }> = {};
  for (const [role, bytes] of Object.entries(set) as [string, Buffer][]) {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(directory, 'files', sha256), bytes);
    files[role] = { sha256, size: bytes.length };
  }
  const manifest = { source, target, version: '3.0', architecture: 'tiny', files };
  writeFileSync(join(directory, `${source}-${target}.json`), JSON.stringify(manifest));
}
