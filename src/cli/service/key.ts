import { resolve } from 'node:path';
import { readBounded } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import type { Terminal } from '../terminal.ts';
import { isExposed, type Credential } from './credentials.ts';
import type { RemoteFlags } from './options.ts';
import type { Origin } from './setting.ts';
import type { SettingsFiles } from './settings-files.ts';
import type { RemoteSettings } from './settings.ts';

/** The key for a service, where it comes from, and what the user should know about that. */
export interface FoundKey {
  readonly key: string;
  readonly origin: Origin;
  readonly warning?: string | undefined;
}

const MAX_KEY_FILE = 4096;

/**
 * Looks for the key: flags, then the environment, then what dragoman login stored for just this address. A profile that
 * a flag names goes before the environment, whose key would be that of another service.
 *
 * @throws DragomanError `usage`, `unreadable_input` for a key file, `configuration`. None of them holds a key.
 */
export async function findKey(
  flags: RemoteFlags,
  remote: Pick<RemoteSettings, 'baseUrl' | 'profile'>,
  files: SettingsFiles,
  { env, cwd }: Terminal,
): Promise<FoundKey | undefined> {
  const { apiKey, apiKeyFile } = flags;
  if (apiKey !== undefined && apiKeyFile !== undefined) {
    throw new DragomanError('usage', '--api-key and --api-key-file both name a key');
  }
  if (apiKey !== undefined) {
    const origin: Origin = { kind: 'flag', name: '--api-key' };
    const warning =
      'others can see the key of --api-key in the list of processes: DRAGOMAN_API_KEY, --api-key-file and dragoman login keep it from them';
    return { key: checkKey(apiKey, '--api-key'), origin, warning };
  }
  if (apiKeyFile !== undefined) {
    const origin: Origin = { kind: 'flag', name: '--api-key-file' };
    return { ...(await readKeyFile(resolve(cwd, apiKeyFile))), origin };
  }
  const variable = env['DRAGOMAN_API_KEY'];
  const isFlagged = remote.profile?.origin.kind === 'flag';
  const stored = isFlagged || !variable ? await findStored(remote, files) : undefined;
  if (stored || !variable) return stored;
  const origin: Origin = { kind: 'environment', name: 'DRAGOMAN_API_KEY' };
  return { key: checkKey(variable, 'DRAGOMAN_API_KEY'), origin };
}

/** A key is only ever sent to the address that it was stored for, and each profile has its own. */
export function isFor(
  credential: Credential,
  { baseUrl, profile }: Pick<RemoteSettings, 'baseUrl' | 'profile'>,
): boolean {
  return credential.baseUrl === baseUrl.value && credential.profile === profile?.value;
}

async function findStored(
  remote: Pick<RemoteSettings, 'baseUrl' | 'profile'>,
  files: SettingsFiles,
): Promise<FoundKey | undefined> {
  const { file, entries, exposed } = await files.credentials();
  const entry = entries.find((credential) => isFor(credential, remote));
  if (!entry || file === undefined) return undefined;
  return {
    key: checkKey(entry.key, file),
    origin: { kind: 'credentials', file },
    warning: exposed ? exposedWarning(file) : undefined,
  };
}

async function readKeyFile(path: string): Promise<{ readonly key: string; readonly warning?: string }> {
  const text = (await readBounded(path, { limit: MAX_KEY_FILE })).toString('utf8');
  const key = checkKey(text.replace(/^\ufeff/, '').trim(), path);
  return { key, ...(isExposed(path) && { warning: exposedWarning(path) }) };
}

function exposedWarning(path: string): string {
  return `others can read ${path}, which holds a key: chmod 600 ${path}`;
}

/**
 * A key goes into a header as it is: one with spaces or line breaks is invalid, and is better reported here than by a
 * server.
 *
 * @throws DragomanError `usage` that names where it comes from, not what it is.
 */
export function checkKey(key: string, from: string): string {
  if (/^[\x21-\x7e]{1,1024}$/.test(key)) return key;
  const problem = key === '' ? 'is empty' : 'has spaces, line breaks or other characters that no key has';
  throw new DragomanError('usage', `the key of ${from} ${problem}`);
}
