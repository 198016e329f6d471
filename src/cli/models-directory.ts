import { join, resolve } from 'node:path';
import { cacheDirectory } from '../base/user-directories.ts';
import type { Terminal } from './terminal.ts';

/**
 * Where translation models are installed: `DRAGOMAN_FIREFOX_MODELS_DIR`, else in the platform's directory for what can
 * be downloaded again. Undefined when nothing says where that is.
 */
export function modelsDirectoryOf({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string | undefined {
  const named = env['DRAGOMAN_FIREFOX_MODELS_DIR'];
  if (named) return resolve(cwd, named);
  const cache = cacheDirectory(env);
  return cache === undefined ? undefined : join(cache, 'firefox-models');
}
